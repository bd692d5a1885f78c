// The schema of all settings: name, description, default and bounds.
//
// The module owns a weak map from environment objects to parsed settings, so each isolate parses once.
// Invariant: a `Settings` value is complete and valid. An invalid value never falls back to its default.
// Failure: reading throws an Error that lists all invalid settings, and nothing is stored in the map.

import * as z from "zod";
import { DEFAULT_MAX_MESSAGE_BYTES, MOST_MESSAGE_BYTES } from "./protocol/commands.ts";
import { DEFAULT_MAX_TOOLS } from "./protocol/tools.ts";

const text = z.string().trim();
const optional = text.transform((value) => (value === "" ? undefined : value)).optional();
const address = optional.pipe(
  z.url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" }).optional(),
);

const wholeNumber = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;
const count = (fallback: number, max = 1_000_000) => {
  const wanted = wholeNumber(1, max);
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= max;
  return z.coerce.number(wanted).refine(isCount, wanted).default(fallback);
};
/** A limit where 0 means unlimited. An empty string is invalid, because `Number("")` would be 0. */
const limit = (fallback: number, max = 1_000_000) => {
  const wanted = wholeNumber(0, max);
  return text.regex(/^\d+$/, wanted).transform(Number).pipe(z.number(wanted).max(max, wanted)).default(fallback);
};
const seconds = (fallback: number, max = 86_400) => {
  const wanted = `must be a number of seconds above 0 and up to ${max}`;
  return z.coerce.number(wanted).positive(wanted).max(max, wanted).default(fallback);
};
const flag = z
  .enum(["", "0", "1", "false", "true"])
  .default("")
  .transform((value) => value === "1" || value === "true");

/** True for `scheme://host[:port]`. Accepts origins of browser extensions, for which `URL.origin` is "null". */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, host } = new URL(value);
  return host !== "" && value === `${protocol}//${host}`;
}

/** All output of one task may be stored in one row, and a row of the platform holds at most 2 MB. */
const MOST_AGENT_BYTES = 1_500_000;

export const settingsSchema = z.object({
  OPENAI_API_KEY: optional.describe(
    "Key of the model endpoint. With neither a key nor a base URL the embedded model answers.",
  ),
  OPENAI_BASE_URL: address.describe("Base URL of any endpoint that speaks OpenAI chat completions."),
  OPENAI_MODEL: text.default("gpt-5-mini").describe("Model for every role that names none of its own."),
  TRIAGE_MODEL: optional.describe("Model of the triage."),
  PLANNER_MODEL: optional.describe("Model of the planner."),
  SYNTHESIS_MODEL: optional.describe("Model that words the answer of plans with several tasks."),
  AGENT_MODEL: optional.describe("Model of the built-in agents."),
  ROUTER_MODEL: optional.describe("Model that decides what a message about data is."),
  BLUEPRINT_MODEL: optional.describe("Model that plans analyses of data."),
  CHAT_MODEL: optional.describe("Model that talks where no analysis is wanted."),
  PAGE_CHAT_MODEL: optional.describe("Model that talks about a page."),
  COMPOSE_MODEL: optional.describe("Model that writes the texts of a page."),
  MODEL_TIMEOUT_SECONDS: seconds(60, 600).describe("Longest silence of a model before it counts as stalled."),
  AUTH_SECRET: optional.describe("HS256 secret of bearer tokens, best of 32 random bytes or more; `sub` is the user."),
  AUTH_JWKS_URL: address.describe("JWKS of the issuer of bearer tokens (RS256, ES256, EdDSA)."),
  AUTH_ISSUER: optional.describe("Required `iss` of tokens, if set."),
  AUTH_AUDIENCE: optional.describe("Required `aud` of tokens, if set."),
  ALLOWED_ORIGINS: text
    .default("")
    .transform((value) =>
      value
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      "must be origins such as https://chat.example, with nothing after the host and its port",
    )
    .describe("Origins, comma-separated, whose pages may call this besides the server's own."),
  ALLOW_PRIVATE_AGENTS: flag.describe(
    "Lets agents and webhooks be at loopback or private addresses and over http; for development.",
  ),
  MAX_MESSAGE_BYTES: count(DEFAULT_MAX_MESSAGE_BYTES, MOST_MESSAGE_BYTES).describe(
    "Largest message, in bytes of UTF-8.",
  ),
  MAX_QUEUED_THREADS: count(100, 10_000).describe("Messages that may wait in one conversation."),
  MAX_MESSAGES_PER_MINUTE: limit(120).describe("Messages that one person may begin within a minute; 0 is no limit."),
  MAX_LISTENERS: count(256, 10_000).describe("Sockets and streams that may listen to one conversation at once."),
  MAX_SOCKET_COMMANDS: count(1_000, 100_000).describe(
    "Commands of one socket within ten seconds; more are refused, and twice as many close it.",
  ),
  MAX_TASKS: count(16, 100).describe("Most tasks in one plan."),
  MAX_CONCURRENT_TASKS: count(5, 6).describe("Tasks of one thread that run side by side."),
  MAX_MODEL_CALLS: count(50).describe("Model calls of one thread, its agents' included."),
  MAX_TOKENS: count(200_000, 100_000_000).describe("Input and output tokens of one thread."),
  MAX_THREAD_SECONDS: seconds(900).describe("Longest time of one thread."),
  QUESTION_SECONDS: seconds(3_600, 2_592_000).describe("How long a question to the person waits for its answer."),
  MAX_SCHEDULES: count(100, 10_000).describe("Schedules that one person may have."),
  MAX_SCHEDULE_FAILURES: count(3, 100).describe("Failed runs in a row after which a schedule is paused."),
  MAX_FIRINGS: count(200, 500).describe("Listeners that may fire in one instance of a listener plan."),
  MAX_TOOLS: count(DEFAULT_MAX_TOOLS, 100_000).describe("Tools that one person may keep."),
  MAX_DATASETS: count(100, 1_000).describe("Datasets that one person may keep."),
  TOOLSMITH_NEEDS_APPROVAL: flag.describe("A person has to see and allow new code of the toolsmith before it runs."),
  AGENT_TIMEOUT_SECONDS: seconds(300, 3_600).describe("Longest time of one task on its agent."),
  AGENT_IDLE_SECONDS: seconds(60, 3_600).describe("Longest silence of an agent."),
  AGENT_MAX_BYTES: count(1_048_576, MOST_AGENT_BYTES).describe("Most bytes that one task may receive from its agent."),
  AGENT_MAX_EVENTS: count(20_000).describe("Most events that one task may receive from its agent."),
});
export type Settings = z.infer<typeof settingsSchema>;

const known = new WeakMap<object, Settings>();

/** Returns the settings of an environment and caches them per object. Throws like `parseSettings`. */
export function settingsOf(env: object): Settings {
  let settings = known.get(env);
  if (settings === undefined) known.set(env, (settings = readSettings(env as Readonly<Record<string, unknown>>)));
  return settings;
}

/**
 * Parses the settings of an environment; bindings that are not strings are ignored. Throws an Error that lists all
 * invalid settings, one per line.
 */
export function readSettings(env: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.keys(settingsSchema.shape).flatMap((name) => (typeof env[name] === "string" ? [[name, env[name]]] : [])),
  );
  const parsed = settingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Wrong settings:\n  ${wrong.join("\n  ")}`);
}
