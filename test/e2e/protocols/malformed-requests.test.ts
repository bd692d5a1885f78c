// Randomly malformed requests of every open protocol: each test request changes one field of a valid request. The
// response must be valid in the protocol, and later requests must succeed.
//
// Each round omits every field once and replaces it twice. `HOSTILE_SEED=7` runs other requests.

import { beforeAll, expect, test } from "vitest";
import { randomBetween, createRandom } from "../../support/random.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { pickByLength } from "../../support/run-length.ts";

const ROUNDS = pickByLength(1, 20);
const SEED = Number(process.env["HOSTILE_SEED"] ?? 41);
const CONCURRENCY = 8;
/** The maximum response time, also on a busy machine. */
const MAX_RESPONSE_MS = 20_000;

let runtime: SharedRuntime;

beforeAll(async () => {
  runtime = await shareRuntime();
});

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type ValidRequest = { readonly path: string; readonly headers?: Readonly<Record<string, string>>; readonly body: Json };

const HELLO = "hello";
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const createRpc = (method: string, params: Json): Json => ({ jsonrpc: "2.0", id: 1, method, params });
const uuid = () => crypto.randomUUID();

/** Valid requests of each kind, with new ids. */
const VALID_REQUESTS: Readonly<Record<string, () => ValidRequest>> = {
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
    body: createRpc("tools/call", {
      name: "ask",
      arguments: { message: HELLO },
      _meta: { progressToken: "p", "orrery/idempotency-key": uuid() },
    }),
  }),
  "MCP run_agent of 2026-07-28": () => ({
    path: "/mcp",
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "run_agent" },
    body: createRpc("tools/call", {
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
      createRpc("tools/call", { name: "schedules", arguments: { action: "delete", id: "task-1" } }),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    ],
  }),
  "A2A SendMessage": () => ({
    path: "/a2a",
    headers: { "a2a-version": "1.0" },
    body: createRpc("SendMessage", {
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
  "A2A over HTTP+JSON": () => ({
    path: "/a2a/message:send",
    headers: { "a2a-version": "1.0" },
    body: {
      message: { messageId: uuid(), contextId: uuid(), role: "ROLE_USER", parts: [{ text: HELLO }] },
      configuration: { historyLength: 2, returnImmediately: true },
    },
  }),
  "A2A ListTasks": () => ({
    path: "/a2a",
    headers: { "a2a-version": "1.0" },
    body: createRpc("ListTasks", {
      contextId: "c",
      pageSize: 5,
      pageToken: "",
      statusTimestampAfter: "2026-01-01T00:00:00Z",
    }),
  }),
  "A2A of 0.3": () => ({
    path: "/a2a/assistant",
    body: createRpc("message/send", {
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
  "OpenAI with tools": () => ({
    path: "/v1/chat/completions",
    body: {
      model: "orrery",
      messages: [
        { role: "user", content: HELLO },
        { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "c", content: "5" },
      ],
      tools: [{ type: "function", function: { name: "f", strict: true, parameters: OBJECT_SCHEMA } }],
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [{ type: "function", name: "f" }] } },
      response_format: { type: "json_schema", json_schema: { name: "a", schema: OBJECT_SCHEMA } },
    },
  }),
  "OpenAI responses": () => ({
    path: "/v1/responses",
    body: {
      model: "orrery",
      instructions: "be brief",
      input: [
        { role: "user", content: [{ type: "input_text", text: HELLO }] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "5" },
      ],
      tools: [{ type: "function", name: "f", parameters: OBJECT_SCHEMA }],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
      text: { format: { type: "json_schema", name: "a", schema: OBJECT_SCHEMA } },
      stream: true,
    },
  }),
};

/** A schema with references and alternatives. */
const OBJECT_SCHEMA = {
  $defs: { a: { anyOf: [{ type: "string", pattern: "^a" }, { $ref: "#" }] } },
  type: "object",
  properties: { a: { $ref: "#/$defs/a" } },
};

/** JSON texts, some of which `JSON.stringify` cannot produce. */
const MALFORMED_VALUES: readonly string[] = [
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

function listPaths(value: Json, path: Path = []): Path[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, request]) => listPaths(request as Json, [...path, key]))];
}

/** Formats the body with the value at the path replaced, or omitted if `replacement` is null. */
function formatBody(value: Json, [key, ...rest]: Path, replacement: string | null): string {
  if (key === undefined) return replacement ?? "";
  const isTarget = (name: string) => name === key;
  const inner = (name: string, request: Json) =>
    isTarget(name) ? formatBody(request, rest, replacement) : JSON.stringify(request);
  const remaining = Object.entries(value ?? {}).filter(
    ([name]) => !(isTarget(name) && rest.length === 0 && replacement === null),
  );
  if (Array.isArray(value)) return `[${remaining.map(([name, request]) => inner(name, request as Json)).join(",")}]`;
  return `{${remaining.map(([name, request]) => `${JSON.stringify(name)}:${inner(name, request as Json)}`).join(",")}}`;
}

type MutatedRequest = { readonly label: string; readonly valid: ValidRequest; readonly body: string };

/** Creates the requests of one round: all changes of all fields of all kinds. */
function createRequests(random: () => number): MutatedRequest[] {
  const pickMalformedValue = () => MALFORMED_VALUES[randomBetween(random, 0, MALFORMED_VALUES.length - 1)] ?? "";
  return Object.entries(VALID_REQUESTS).flatMap(([name, createRequest]) =>
    listPaths(createRequest().body).flatMap((path) => {
      // The root value cannot be omitted.
      const replacements =
        path.length === 0
          ? [pickMalformedValue(), pickMalformedValue()]
          : [null, pickMalformedValue(), pickMalformedValue()];
      return replacements.map((replacement) => {
        const valid = createRequest();
        const label = `${name}: ${path.join(".")} is ${replacement?.slice(0, 60) ?? "missing"}`;
        return { label, valid, body: formatBody(valid.body, path, replacement) };
      });
    }),
  );
}

/** Sends a request. Resolves with the problems of the response. */
async function findProblems({ label, valid, body }: MutatedRequest): Promise<string[]> {
  const headers = { "content-type": "application/json", ...valid.headers };
  const signal = AbortSignal.timeout(MAX_RESPONSE_MS);
  try {
    const response = await fetch(runtime.url + valid.path, { method: "POST", headers, body, signal });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    if (isJson) JSON.parse(text);
    const isBroken = response.status >= 500 || text.includes("-32603") || text.includes('"internal"');
    return isBroken ? [`${label}: ${response.status} ${text.slice(0, 200)}`] : [];
  } catch (thrown) {
    return [`${label}: ${String(thrown)}`];
  }
}

test(
  "[F89] requests with any malformed field get a valid response",
  async () => {
    const random = createRandom(SEED);
    const requests = Array.from({ length: ROUNDS }, () => createRequests(random)).flat();
    const problems: string[] = [];
    const queue = requests.values();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const request of queue) problems.push(...(await findProblems(request)));
      }),
    );
    expect(problems).toEqual([]);
    for (const createRequest of Object.values(VALID_REQUESTS)) {
      const valid = createRequest();
      expect(await findProblems({ label: "unchanged", valid, body: JSON.stringify(valid.body) })).toEqual([]);
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  },
  ROUNDS * 120_000,
);

test("[F89] empty, deeply nested, large and endless bodies get a valid response", async () => {
  const bodies: readonly BodyInit[] = [
    "",
    "{",
    "\u0000",
    "[".repeat(100_000),
    "[".repeat(100_000) + "]".repeat(100_000),
  ];
  for (const path of [
    "/agui",
    "/agui/assistant",
    "/mcp",
    "/a2a",
    "/a2a/assistant",
    "/a2a/message:send",
    "/v1/chat/completions",
    "/v1/responses",
  ]) {
    for (const body of bodies) {
      const valid = { path, headers: { "a2a-version": "1.0" }, body: null };
      expect(await findProblems({ label: path, valid, body: body as string })).toEqual([]);
    }
    expect(await sendEndlessBody(path)).toBeLessThan(64);
  }
});

/** Sends 100 MB without a content length. Resolves with the number of megabytes that were read before the response. */
async function sendEndlessBody(path: string): Promise<number> {
  let megabytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      megabytes += 1;
      if (megabytes > 100) return controller.close();
      controller.enqueue(new Uint8Array(1_024 * 1_024).fill(32));
    },
  });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const init = { method: "POST", headers, body, duplex: "half", signal: AbortSignal.timeout(MAX_RESPONSE_MS) };
  const response = await fetch(runtime.url + path, init as RequestInit).catch(() => null);
  // Without a response, the server has closed the connection during the upload.
  if (response !== null) expect(await response.text()).toContain("too large");
  return megabytes;
}
