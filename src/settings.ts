// The schema of all settings: name, description, default and bounds.
//
// The module owns a weak map from environment objects to parsed settings, so each isolate parses once.
// Invariant: a `Settings` value is complete and valid. An invalid value never falls back to its default.
// Failure: reading throws an Error that lists all invalid settings, and nothing is stored in the map.

import * as z from "zod";
import { DEFAULT_MAX_MESSAGE_BYTES, MAX_CONFIGURABLE_MESSAGE_BYTES } from "./protocol/wire/commands.ts";
import { DEFAULT_MAX_TOOLS } from "./protocol/tools/stored-tool.ts";

const textSetting = z.string().trim();
const optionalTextSetting = textSetting.transform((value) => (value === "" ? undefined : value)).optional();
const urlSetting = optionalTextSetting.pipe(
  z.url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" }).optional(),
);

const formatRangeRule = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;
const countSetting = (fallback: number, max = 1_000_000) => {
  const rule = formatRangeRule(1, max);
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= max;
  return z.coerce.number(rule).refine(isCount, rule).default(fallback);
};
/** A limit where 0 means unlimited. An empty string is invalid, because `Number("")` would be 0. */
const limitSetting = (fallback: number, max = 1_000_000) => {
  const rule = formatRangeRule(0, max);
  return textSetting.regex(/^\d+$/, rule).transform(Number).pipe(z.number(rule).max(max, rule)).default(fallback);
};
const secondsSetting = (fallback: number, max = 86_400) => {
  const rule = `must be a number of seconds above 0 and up to ${max}`;
  return z.coerce.number(rule).positive(rule).max(max, rule).default(fallback);
};
const flagSetting = z
  .enum(["", "0", "1", "false", "true"])
  .default("")
  .transform((value) => value === "1" || value === "true");

/** True for `scheme://host[:port]`. Accepts origins of browser extensions, for which `URL.origin` is "null". */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, host } = new URL(value);
  return host !== "" && value === `${protocol}//${host}`;
}

/** A response of an agent is parsed at once; more would take longer than 50 ms. */
const MAX_AGENT_BYTES = 3 * 1_048_576;

/** Parses all settings, by name, from the strings of an environment. Optional settings are undefined if empty. */
export const settingsSchema = z.object({
  OPENAI_API_KEY: optionalTextSetting.describe(
    "API key of the model endpoint. If neither a key nor a base URL is set, the deployment has no model; `npm start` then runs the embedded model.",
  ),
  OPENAI_BASE_URL: urlSetting.describe(
    "Base URL of an endpoint for OpenAI chat completions; empty means the endpoint of OpenAI.",
  ),
  OPENAI_MODEL: textSetting
    .default("gpt-5-mini")
    .describe("Name of the model for every role without a model of its own."),
  TRIAGE_MODEL: optionalTextSetting.describe("Model for triage; empty means `OPENAI_MODEL`."),
  PLANNER_MODEL: optionalTextSetting.describe("Model for the planner; empty means `OPENAI_MODEL`."),
  SYNTHESIS_MODEL: optionalTextSetting.describe(
    "Model for the answer to plans with several tasks; empty means `OPENAI_MODEL`.",
  ),
  AGENT_MODEL: optionalTextSetting.describe("Model for the agents of this deployment; empty means `OPENAI_MODEL`."),
  ROUTER_MODEL: optionalTextSetting.describe("Model that classifies messages about data; empty means `OPENAI_MODEL`."),
  BLUEPRINT_MODEL: optionalTextSetting.describe("Model that plans data analyses; empty means `OPENAI_MODEL`."),
  CHAT_MODEL: optionalTextSetting.describe(
    "Model for replies of the analyst that need no analysis; empty means `OPENAI_MODEL`.",
  ),
  PAGE_CHAT_MODEL: optionalTextSetting.describe(
    "Model for replies to messages about a page; empty means `OPENAI_MODEL`.",
  ),
  COMPOSE_MODEL: optionalTextSetting.describe("Model that writes the texts of a page; empty means `OPENAI_MODEL`."),
  MODEL_VISION: flagSetting.describe(
    "The model for triage accepts images; otherwise messages with images are refused.",
  ),
  MODEL_TIMEOUT_SECONDS: secondsSetting(60, 600).describe(
    "Maximum silence of a model in seconds; after that the call counts as stalled.",
  ),
  MAX_ANSWER_BYTES: countSetting(2 * 1_048_576, 16 * 1_048_576).describe(
    "Maximum size of one answer of a model, in bytes of UTF-8; a longer one ends there with a notice.",
  ),
  AUTH_SECRET: optionalTextSetting.describe(
    "HS256 secret of bearer tokens, preferably 32 random bytes or more; the claim `sub` is the user.",
  ),
  AUTH_JWKS_URL: urlSetting.describe(
    "URL of the JWKS of the token issuer (RS256, ES256, EdDSA); ignored if `AUTH_SECRET` is set.",
  ),
  AUTH_ISSUER: optionalTextSetting.describe("Required claim `iss` of bearer tokens; empty accepts every issuer."),
  AUTH_AUDIENCE: optionalTextSetting.describe("Required claim `aud` of bearer tokens; empty accepts every audience."),
  AUTH_SCOPES: textSetting
    .regex(/^[!#-[\]-~ ]*$/, "must be scopes separated by spaces")
    .default("")
    .transform((value) => value.split(" ").filter((scope) => scope !== ""))
    .describe("Scopes that MCP clients request from `AUTH_ISSUER`, separated by spaces; empty lets the issuer decide."),
  SEALING_KEY: optionalTextSetting.describe(
    "Secret that seals stored credentials, preferably 32 random bytes or more; empty means `AUTH_SECRET`. `npm start` creates one.",
  ),
  SEALING_KEY_OLD: optionalTextSetting.describe(
    "Former secret that sealed stored credentials; it only unseals them, after `SEALING_KEY` or `AUTH_SECRET` has changed.",
  ),
  ALLOWED_ORIGINS: textSetting
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
    .describe("Comma-separated origins whose pages may call the server, in addition to its own origin."),
  ALLOW_PRIVATE_AGENTS: flagSetting.describe(
    "Allows loopback and private addresses and http for agents, MCP servers and webhooks; for development.",
  ),
  MAX_MESSAGE_BYTES: countSetting(DEFAULT_MAX_MESSAGE_BYTES, MAX_CONFIGURABLE_MESSAGE_BYTES).describe(
    "Maximum size of a message, in bytes of UTF-8.",
  ),
  MAX_QUEUED_THREADS: countSetting(100, 10_000).describe(
    "Maximum number of messages that wait in one conversation; further messages are refused.",
  ),
  MAX_MESSAGES_PER_MINUTE: limitSetting(120).describe(
    "Maximum number of messages that one user may start per minute; 0 disables the limit.",
  ),
  MAX_LISTENERS: countSetting(256, 10_000).describe(
    "Maximum number of sockets and streams that follow one conversation at the same time.",
  ),
  MAX_SOCKET_COMMANDS: countSetting(1_000, 100_000).describe(
    "Maximum number of commands of one socket in ten seconds; more are refused, more than twice as many close it.",
  ),
  MAX_TASKS: countSetting(16, 100).describe("Maximum number of tasks in one plan."),
  MAX_CONCURRENT_TASKS: countSetting(5, 6).describe("Maximum number of tasks of one thread that run in parallel."),
  MAX_MODEL_CALLS: countSetting(50).describe(
    "Maximum number of model calls of one thread, including those of its agents.",
  ),
  MAX_TOKENS: countSetting(200_000, 100_000_000).describe("Maximum number of input and output tokens of one thread."),
  MAX_THREAD_SECONDS: secondsSetting(900).describe(
    "Maximum run time of one thread in seconds, counted from its start or its last resumption.",
  ),
  QUESTION_SECONDS: secondsSetting(3_600, 2_592_000).describe(
    "Time in seconds after which an unanswered question expires; 30 days in a workflow instance.",
  ),
  MAX_SCHEDULES: countSetting(100, 10_000).describe("Maximum number of schedules of one user."),
  MAX_SCHEDULE_FAILURES: countSetting(3, 100).describe(
    "Number of consecutive failed runs after which a schedule is paused.",
  ),
  MAX_FIRINGS: countSetting(200, 500).describe("Maximum number of listener firings in one workflow instance."),
  MAX_TOOLS: countSetting(DEFAULT_MAX_TOOLS, 100_000).describe(
    "Maximum number of generated tools that one user may store.",
  ),
  MAX_DATASETS: countSetting(100, 1_000).describe("Maximum number of datasets that one user may store."),
  TOOLSMITH_NEEDS_APPROVAL: flagSetting.describe(
    "Requires that the user sees and approves new code of the toolsmith before it runs.",
  ),
  AGENT_TIMEOUT_SECONDS: secondsSetting(300, 3_600).describe(
    "Maximum time in seconds that one task may run on its agent.",
  ),
  AGENT_IDLE_SECONDS: secondsSetting(60, 3_600).describe("Maximum silence of a streaming agent, in seconds."),
  AGENT_MAX_BYTES: countSetting(1_048_576, MAX_AGENT_BYTES).describe(
    "Maximum number of bytes that one task may receive from its agent.",
  ),
  AGENT_MAX_EVENTS: countSetting(20_000).describe("Maximum number of events that one task may receive from its agent."),
});
export type Settings = z.infer<typeof settingsSchema>;

const settingsByEnv = new WeakMap<object, Settings>();

/** Returns the settings of an environment, parsed once per environment object. Throws like `parseSettings`. */
export function getSettings(env: object): Settings {
  let settings = settingsByEnv.get(env);
  if (settings === undefined)
    settingsByEnv.set(env, (settings = parseSettings(env as Readonly<Record<string, unknown>>)));
  return settings;
}

/** Returns the secrets that seal stored credentials. The first one seals; all of them unseal. May be empty. */
export function listSealingSecrets({
  SEALING_KEY,
  AUTH_SECRET,
  SEALING_KEY_OLD,
}: Pick<Settings, "SEALING_KEY" | "AUTH_SECRET" | "SEALING_KEY_OLD">): readonly string[] {
  return [SEALING_KEY, AUTH_SECRET, SEALING_KEY_OLD].filter((secret) => secret !== undefined);
}

/**
 * Parses the settings of an environment: defaults for missing ones; unknown names and values that are not strings are
 * ignored. Throws an `Error` that lists all invalid settings, one per line.
 */
export function parseSettings(env: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.keys(settingsSchema.shape).flatMap((name) => (typeof env[name] === "string" ? [[name, env[name]]] : [])),
  );
  const parsed = settingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Wrong settings:\n  ${wrong.join("\n  ")}`);
}
