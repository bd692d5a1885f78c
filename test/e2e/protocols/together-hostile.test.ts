// Requests of every open protocol with something wrong in them, as chance makes them: one field of a valid one becomes
// something else. Whatever comes, the answer is one of the protocol's, and the next request is answered as ever.
//
// Every field is left out, and becomes two other things. `HOSTILE_ROUNDS=20 HOSTILE_SEED=7` makes more, and others.

import { afterAll, beforeAll, expect, test } from "vitest";
import { between, randomFrom } from "../../support/random.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

const ROUNDS = Number(process.env["HOSTILE_ROUNDS"] ?? 1);
const SEED = Number(process.env["HOSTILE_SEED"] ?? 41);
const AT_ONCE = 8;
/** Nothing here takes long, on whatever machine. */
const MOST_MS = 20_000;

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime();
});
afterAll(() => runtime.stop());

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Valid = { readonly path: string; readonly headers?: Readonly<Record<string, string>>; readonly body: Json };

const HELLO = "hello";
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const rpc = (method: string, params: Json): Json => ({ jsonrpc: "2.0", id: 1, method, params });
const uuid = () => crypto.randomUUID();

/** A valid request of each kind, with ids of its own. */
const VALID: Readonly<Record<string, () => Valid>> = {
  "AG-UI": () => ({
    path: "/agui",
    body: {
      threadId: uuid(),
      runId: uuid(),
      state: { mine: [1] },
      tools: [{ name: "pick", description: "picks", parameters: { type: "object" } }],
      context: [{ description: "where", value: "here" }],
      forwardedProps: { language: "en", timezone: "UTC" },
      messages: [
        { id: "s", role: "system", content: "be brief" },
        {
          id: "a",
          role: "assistant",
          toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { id: "t", role: "tool", toolCallId: "c", content: "4" },
        { id: "u", role: "user", content: [{ type: "text", text: HELLO }] },
      ],
    },
  }),
  "AG-UI, resumed": () => ({
    path: "/agui/assistant",
    body: {
      threadId: uuid(),
      runId: uuid(),
      messages: [],
      resume: [
        { interruptId: "req-1", status: "resolved", payload: { approved: true, editedArgs: { a: 1 }, reason: "" } },
      ],
    },
  }),
  "MCP ask": () => ({
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream" },
    body: rpc("tools/call", {
      name: "ask",
      arguments: { message: HELLO },
      _meta: { progressToken: "p", "orrery/idempotency-key": uuid() },
    }),
  }),
  "MCP run_agent of 2026-07-28": () => ({
    path: "/mcp",
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "run_agent" },
    body: rpc("tools/call", {
      name: "run_agent",
      arguments: { message: HELLO, agent: "assistant" },
      _meta: META,
      requestState: '{"conversation_id":"x","thread_id":"y","request_id":"z"}',
      inputResponses: { question: { action: "accept", content: { answer: "yes" } } },
    }),
  }),
  "MCP schedules, together with others": () => ({
    path: "/mcp",
    body: [
      rpc("tools/call", { name: "schedules", arguments: { action: "delete", id: "task-1" } }),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    ],
  }),
  "A2A SendMessage": () => ({
    path: "/a2a",
    headers: { "a2a-version": "1.0" },
    body: rpc("SendMessage", {
      message: {
        messageId: uuid(),
        contextId: uuid(),
        role: "ROLE_USER",
        parts: [{ text: HELLO }],
        metadata: { language: "en", timezone: "UTC" },
        referenceTaskIds: [],
      },
      configuration: { acceptedOutputModes: ["text/plain"], historyLength: 2, returnImmediately: false },
    }),
  }),
  "A2A ListTasks": () => ({
    path: "/a2a",
    headers: { "a2a-version": "1.0" },
    body: rpc("ListTasks", {
      contextId: "c",
      pageSize: 5,
      pageToken: "",
      statusTimestampAfter: "2026-01-01T00:00:00Z",
    }),
  }),
  "A2A of 0.3": () => ({
    path: "/a2a/assistant",
    body: rpc("message/send", {
      message: { kind: "message", messageId: uuid(), role: "user", parts: [{ kind: "text", text: HELLO }] },
      configuration: { blocking: true },
    }),
  }),
  OpenAI: () => ({
    path: "/v1/chat/completions",
    body: {
      model: "orrery",
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: HELLO }] },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 1,
      n: 1,
    },
  }),
};

/** Pieces of JSON, some of which no `JSON.stringify` writes. */
const ODD: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e400",
  "9007199254740993",
  '""',
  '"x y/../z"',
  '"__proto__"',
  '"constructor"',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  String.raw`"\u202e\ud83d\ude00"`,
  `"${"x".repeat(70_000)}"`,
  "[]",
  "{}",
  "[null]",
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  `[${"0,".repeat(2_000)}0]`,
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
];

type Path = readonly string[];

function pathsIn(value: Json, path: Path = []): Path[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, one]) => pathsIn(one as Json, [...path, key]))];
}

/** The body as text, with what stands at the path replaced, or left out. */
function written(value: Json, [key, ...rest]: Path, piece: string | null): string {
  if (key === undefined) return piece ?? "";
  const isTarget = (name: string) => name === key;
  const inner = (name: string, one: Json) => (isTarget(name) ? written(one, rest, piece) : JSON.stringify(one));
  const kept = Object.entries(value ?? {}).filter(([name]) => !(isTarget(name) && rest.length === 0 && piece === null));
  if (Array.isArray(value)) return `[${kept.map(([name, one]) => inner(name, one as Json)).join(",")}]`;
  return `{${kept.map(([name, one]) => `${JSON.stringify(name)}:${inner(name, one as Json)}`).join(",")}}`;
}

type Asked = { readonly what: string; readonly valid: Valid; readonly body: string };

/** Every field of every kind of request as it is in one round. */
function round(random: () => number): Asked[] {
  const odd = () => ODD[between(random, 0, ODD.length - 1)] ?? "";
  return Object.entries(VALID).flatMap(([name, make]) =>
    pathsIn(make().body).flatMap((path) => {
      // Nobody can leave out all.
      const pieces = path.length === 0 ? [odd(), odd()] : [null, odd(), odd()];
      return pieces.map((piece) => {
        const valid = make();
        const what = `${name}: ${path.join(".")} is ${piece?.slice(0, 60) ?? "missing"}`;
        return { what, valid, body: written(valid.body, path, piece) };
      });
    }),
  );
}

/** What is wrong with the answer, if anything is. */
async function wrongWith({ what, valid, body }: Asked): Promise<string[]> {
  const headers = { "content-type": "application/json", ...valid.headers };
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    const response = await fetch(runtime.url + valid.path, { method: "POST", headers, body, signal });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (isJson) JSON.parse(text);
    const isBroken = response.status >= 500 || text.includes("-32603") || text.includes('"internal"');
    return isBroken ? [`${what}: ${response.status} ${text.slice(0, 200)}`] : [];
  } catch (thrown) {
    return [`${what}: ${String(thrown)}`];
  }
}

test(
  "[F89] every field of every request may be wrong, and nothing breaks",
  async () => {
    const random = randomFrom(SEED);
    const all = Array.from({ length: ROUNDS }, () => round(random)).flat();
    const wrong: string[] = [];
    const queue = all.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of queue) wrong.push(...(await wrongWith(one)));
      }),
    );
    expect(wrong).toEqual([]);
    for (const make of Object.values(VALID)) {
      const valid = make();
      expect(await wrongWith({ what: "as it should be", valid, body: JSON.stringify(valid.body) })).toEqual([]);
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  },
  ROUNDS * 120_000,
);

test("[F89] bodies that are none, too deep, too large or without end break nothing", async () => {
  const bodies: readonly BodyInit[] = [
    "",
    "{",
    "\u0000",
    "[".repeat(100_000),
    "[".repeat(100_000) + "]".repeat(100_000),
  ];
  for (const path of ["/agui", "/agui/assistant", "/mcp", "/a2a", "/a2a/assistant", "/v1/chat/completions"]) {
    for (const body of bodies) {
      const valid = { path, headers: { "a2a-version": "1.0" }, body: null };
      expect(await wrongWith({ what: path, valid, body: body as string })).toEqual([]);
    }
    expect(await endless(path)).toBeLessThan(64);
  }
});

/** Sends a hundred megabytes without saying how many. Resolves with how many were taken before the answer. */
async function endless(path: string): Promise<number> {
  let megabytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      megabytes += 1;
      if (megabytes > 100) return controller.close();
      controller.enqueue(new Uint8Array(1_024 * 1_024).fill(32));
    },
  });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const init = { method: "POST", headers, body, duplex: "half", signal: AbortSignal.timeout(MOST_MS) };
  const response = await fetch(runtime.url + path, init as RequestInit).catch(() => null);
  // Whoever does not hear the answer was cut off while it wrote.
  if (response !== null) expect(await response.text()).toContain("too large");
  return megabytes;
}
