// A valid request of every operation and of every method of the open protocols.

import type { ValidRequest } from "./mutate-request.ts";
import type { Json } from "./json-edits.ts";

/** Ids of existing things, by the path before the id: `/api/v1/conversations`. */
export type KnownIds = Readonly<Record<string, string>>;

type Parameter = { readonly in: string; readonly name: string };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
};
export type OpenApiDocument = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/**
 * Returns a request per operation and media type of the OpenAPI document, with the example as its body. The id in a path
 * exists, except in requests that delete: the others need it.
 */
export function createApiRequests({ paths }: OpenApiDocument, ids: KnownIds): ValidRequest[] {
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([verb, { parameters = [], requestBody }]) => {
      const [before = ""] = template.split("/{");
      const id = verb === "delete" ? "none" : (ids[before] ?? "none");
      const request = {
        name: `${verb} ${template}`,
        method: verb.toUpperCase(),
        path: template.replaceAll(/\{\w+\}/g, id),
        query: parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])),
      };
      const bodies = Object.entries(requestBody?.content ?? {});
      return bodies.length === 0 ? [request] : bodies.map(([type, { example }]) => addBody(request, type, example));
    }),
  );
}

/** Bodies in place of examples that would hinder later requests. */
const EXAMPLES: Readonly<Record<string, Json>> = { "patch /api/v1/agents/{name}": { enabled: true } };

function addBody(request: ValidRequest, type: string, example: unknown): ValidRequest {
  if (type === "application/json") return { ...request, body: { json: EXAMPLES[request.name] ?? (example as Json) } };
  if (type !== "multipart/form-data")
    return { ...request, headers: { "content-type": type }, body: { text: String(example) } };
  const text = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\na,b\n1,2\n\r\n--b--\r\n`;
  return { ...request, headers: { "content-type": "multipart/form-data; boundary=b" }, body: { text } };
}

const HELLO = "hello";
const uuid = () => crypto.randomUUID();
/** A schema with references and alternatives. */
const OBJECT_SCHEMA = {
  $defs: { a: { anyOf: [{ type: "string", pattern: "^a" }, { $ref: "#" }] } },
  type: "object",
  properties: { a: { $ref: "#/$defs/a" } },
};
const STREAM = { accept: "text/event-stream" };

const post = (name: string, path: string, json: Json, headers: ValidRequest["headers"] = {}): ValidRequest => ({
  name,
  method: "POST",
  path,
  headers,
  body: { json },
});

function createAgUiRequests(): ValidRequest[] {
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const run = {
    threadId: uuid(),
    runId: uuid(),
    protocolVersion: "1.0",
    state: { mine: [1], orrery: { thread_id: "th-1", retried: 0 } },
    tools: [{ name: "pick", description: "picks", parameters: { type: "object" } }],
    context: [{ description: "where", value: "here" }],
    forwardedProps: { language: "en", timezone: "UTC", verify: false },
    messages: [
      { id: "s", role: "system", content: "be brief" },
      { id: "a", role: "assistant", toolCalls: [call] },
      { id: "t", role: "tool", toolCallId: "c", content: "4" },
      { id: "u", role: "user", content: [{ type: "text", text: HELLO }] },
    ],
  };
  const payload = { approved: true, editedArgs: { a: 1 }, reason: "" };
  const resume = [{ interruptId: "req-1", status: "resolved", payload }];
  return [
    post("AG-UI", "/agui", run, STREAM),
    post("AG-UI resume", "/agui/assistant", { threadId: uuid(), runId: uuid(), messages: [], resume }),
  ];
}

/** Calls of the methods of MCP, in the stateless version and in those before it. */
function createMcpRequests(ids: KnownIds): ValidRequest[] {
  const uri = `orrery://conversations/${ids["/api/v1/conversations"]}/items`;
  const tool = (name: string, args: Json, more: Readonly<Record<string, Json>> = {}) =>
    [`tools/call ${name}`, { name, arguments: args, ...more }] as const;
  const requestState = '{"conversation_id":"x","thread_id":"y","request_id":"z"}';
  const inputResponses = { question: { action: "accept", content: { answer: "yes" } } };
  const calls: readonly (readonly [string, Json])[] = [
    ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }],
    ["ping", {}],
    ["tools/list", {}],
    ["resources/list", { cursor: "" }],
    ["resources/templates/list", {}],
    ["resources/read", { uri }],
    ["prompts/list", {}],
    ["prompts/get", { name: ids["/api/v1/plan-templates"] ?? "", arguments: { seats: "3" } }],
    tool("ask", { message: HELLO }, { _meta: { progressToken: "p", "orrery/idempotency-key": uuid() } }),
    tool("run_agent", { message: HELLO, agent: "assistant" }, { requestState, inputResponses }),
    tool("list_agents", {}),
    tool("schedules", { action: "pause", id: ids["/api/v1/schedules"] ?? "" }),
  ];
  const createRpc = (method: string, params: Json): Json => ({
    jsonrpc: "2.0",
    id: 1,
    method: method.split(" ")[0] ?? "",
    params,
  });
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const stateless = calls.slice(2).map(([method, params]) => {
    const { name, uri: resource } = params as { name?: string; uri?: string };
    const named = name ?? resource;
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method.split(" ")[0] ?? "",
      ...(named === undefined ? {} : { "mcp-name": named }),
    };
    const withMeta = { ...(params as Record<string, Json>), _meta: meta };
    return post(`MCP 2026 ${method}`, "/mcp", createRpc(method, withMeta), headers);
  });
  const batch = [
    createRpc("ping", {}),
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
  ];
  const accept = { accept: "application/json, text/event-stream" };
  return [
    ...calls.map(([method, params]) => post(`MCP ${method}`, "/mcp", createRpc(method, params), accept)),
    ...stateless,
    post("MCP batch", "/mcp", batch),
  ];
}

function createA2AMessage(): Record<string, Json> {
  return {
    messageId: uuid(),
    contextId: uuid(),
    role: "ROLE_USER",
    parts: [{ text: HELLO }],
    metadata: { language: "en", timezone: "UTC", current_context: { page: 1 } },
    referenceTaskIds: [],
  };
}

/** Calls of the methods of A2A: JSON-RPC of 1.0 and 0.3, and HTTP+JSON. */
function createA2ARequests(taskId: string): ValidRequest[] {
  const configuration = { acceptedOutputModes: ["text/plain"], historyLength: 2, returnImmediately: true };
  const config = {
    taskId,
    id: "c1",
    url: "http://127.0.0.1:1/",
    token: "t",
    authentication: { scheme: "Bearer", credentials: "x" },
  };
  const contextId = taskId.split(".")[0] ?? "";
  const list = {
    contextId,
    pageSize: 5,
    pageToken: "",
    status: "TASK_STATE_COMPLETED",
    statusTimestampAfter: "2026-01-01T00:00:00Z",
  };
  const legacyMessage = { kind: "message", messageId: uuid(), role: "user", parts: [{ kind: "text", text: HELLO }] };
  const legacyConfig = { taskId, pushNotificationConfig: { id: "c1", url: "http://127.0.0.1:1/", token: "t" } };
  const methods: readonly (readonly [string, Json])[] = [
    ["SendMessage", { message: createA2AMessage(), configuration }],
    ["SendStreamingMessage", { message: createA2AMessage(), configuration }],
    ["GetTask", { id: taskId, historyLength: 1 }],
    ["ListTasks", list],
    ["CancelTask", { id: taskId }],
    ["SubscribeToTask", { id: taskId }],
    ["CreateTaskPushNotificationConfig", config],
    ["GetTaskPushNotificationConfig", { taskId, id: "c1" }],
    ["ListTaskPushNotificationConfigs", { taskId }],
    ["DeleteTaskPushNotificationConfig", { taskId, id: "c2" }],
    ["GetExtendedAgentCard", {}],
    ["message/send", { message: legacyMessage, configuration: { blocking: true } }],
    ["message/stream", { message: { ...legacyMessage, messageId: uuid() } }],
    ["tasks/get", { id: taskId, historyLength: 1 }],
    ["tasks/cancel", { id: taskId }],
    ["tasks/resubscribe", { id: taskId }],
    ["tasks/pushNotificationConfig/set", legacyConfig],
    ["tasks/pushNotificationConfig/get", { id: taskId, pushNotificationConfigId: "c1" }],
    ["tasks/pushNotificationConfig/list", { id: taskId }],
    ["tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: "c2" }],
    ["agent/getAuthenticatedExtendedCard", {}],
  ];
  const rpc = methods.map(([method, params]) => {
    const headers = { "a2a-version": method.includes("/") ? "0.3" : "1.0" };
    return post(`A2A ${method}`, "/a2a", { jsonrpc: "2.0", id: 1, method, params }, headers);
  });
  const get = (path: string, query: readonly string[] = []): ValidRequest => ({
    name: `A2A GET ${path}`,
    method: "GET",
    path: `/a2a${path}`,
    query,
  });
  const send = (path: string, json: Json) => post(`A2A POST ${path}`, `/a2a${path}`, json, { "a2a-version": "1.0" });
  const task = `/tasks/${taskId}`;
  return [
    ...rpc,
    send("/message:send", { message: createA2AMessage(), configuration }),
    send("/assistant/message:send", { message: createA2AMessage(), configuration }),
    send("/message:stream", { message: createA2AMessage() }),
    get("/tasks", [
      "contextId",
      "pageSize",
      "pageToken",
      "status",
      "statusTimestampAfter",
      "includeArtifacts",
      "historyLength",
    ]),
    get(task, ["historyLength"]),
    send(`${task}:cancel`, {}),
    send(`${task}:subscribe`, {}),
    send(`${task}/pushNotificationConfigs`, config),
    get(`${task}/pushNotificationConfigs`, ["pageSize", "pageToken"]),
    get(`${task}/pushNotificationConfigs/c1`),
    { ...get(`${task}/pushNotificationConfigs/c2`), name: "A2A DELETE", method: "DELETE" },
    get("/extendedAgentCard"),
  ];
}

/** Requests of OpenAI with more members than the examples of the document. */
function createOpenAiRequests(): ValidRequest[] {
  const toolChoice = { mode: "auto", tools: [{ type: "function", name: "f" }] };
  return [
    post("OpenAI stream", "/v1/chat/completions", {
      model: "orrery",
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: HELLO }] },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 1,
      n: 1,
    }),
    post("OpenAI tools", "/v1/chat/completions", {
      model: "orrery",
      messages: [
        { role: "user", content: HELLO },
        { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "c", content: "5" },
      ],
      tools: [{ type: "function", function: { name: "f", strict: true, parameters: OBJECT_SCHEMA } }],
      tool_choice: { type: "allowed_tools", allowed_tools: toolChoice },
      response_format: { type: "json_schema", json_schema: { name: "a", schema: OBJECT_SCHEMA } },
    }),
    post("OpenAI responses", "/v1/responses", {
      model: "orrery",
      instructions: "be brief",
      input: [
        { role: "user", content: [{ type: "input_text", text: HELLO }] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "5" },
      ],
      tools: [{ type: "function", name: "f", parameters: OBJECT_SCHEMA }],
      tool_choice: { type: "allowed_tools", ...toolChoice },
      text: { format: { type: "json_schema", name: "a", schema: OBJECT_SCHEMA } },
      stream: true,
    }),
  ];
}

/** Returns the requests of the open protocols. `taskId` is that of an ended task of A2A. */
export function createProtocolRequests(ids: KnownIds, taskId: string): ValidRequest[] {
  return [...createAgUiRequests(), ...createMcpRequests(ids), ...createA2ARequests(taskId), ...createOpenAiRequests()];
}
