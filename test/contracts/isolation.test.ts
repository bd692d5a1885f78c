// [U1] No user can read, answer, cancel or even detect anything of another user, through any door: a request with an id
// of another user gets the response to an id that does not exist, except for the id itself.

import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { signToken } from "../http/tokens.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import type { ApiUser } from "../support/api-user.ts";
import { readBody } from "../support/net.ts";
import { callA2A, callRpc, callTool, DOOR_NAMES, DOORS, request } from "./doors.ts";
import { createOwnedData, UNUSED_IDS, type OwnedIds } from "./owned-data.ts";
import { createUser, scriptAnswer, startContractSetup, type Setup } from "./setup.ts";

type User = { readonly name: string; readonly api: ApiUser };

let setup: Setup;
let ada: User;
let bob: User;
let agent: A2AAgent;
let owned: OwnedIds;
let before: string;

beforeAll(async () => {
  setup = await startContractSetup();
  [ada, bob] = await Promise.all([createUser(setup, "ada"), createUser(setup, "bob")]);
  agent = await startA2AAgent("secret-parrot", "1.0", async function* (query) {
    yield await Promise.resolve(query);
  });
  owned = await createOwnedData(setup, ada, agent);
  before = await readOwnedData();
});
afterAll(() => agent.close());

/** Reads everything that Ada owns. */
async function readOwnedData(): Promise<string> {
  const { conversation, sub, task, schedule, template, instance, dataset } = owned;
  const paths = [
    ...[conversation, sub].flatMap((id) => ["", "/events", "/context"].map((rest) => `conversations/${id}${rest}`)),
    `tasks/${task}`,
    `schedules/${schedule}`,
    `plan-templates/${template}`,
    `plan-instances/${instance}`,
    `datasets/${dataset}`,
    `agents/${owned.agent}`,
    "agents/assistant",
  ];
  const texts = await Promise.all(
    paths.map(async (path) => (await request(setup, ada.name, "GET", `/api/v1/${path}`)).text),
  );
  return texts.join("\n");
}

/** A request of Bob with ids of a kind. */
type Guess = (ids: OwnedIds) => Promise<string>;

/** Sends the same request with Ada's ids and with unused ones, and compares the responses. */
async function expectUndetectable(guess: Guess): Promise<string> {
  const mask = (text: string, ids: OwnedIds) =>
    Object.entries(ids).reduce((masked, [kind, id]) => masked.replaceAll(id, `<${kind}>`), text);
  const [foreign, unused] = [mask(await guess(owned), owned), mask(await guess(UNUSED_IDS), UNUSED_IDS)];
  expect(foreign).toBe(unused);
  expect(foreign).not.toContain("secret");
  return foreign;
}

type Operation = { readonly requestBody?: { readonly content: Readonly<Record<string, { example?: unknown }>> } };

/** The kinds of the ids in a path. A schedule has the id of its task. */
const PLACEHOLDERS: readonly (readonly [path: RegExp, kinds: readonly (keyof OwnedIds)[]])[] = [
  [/^\/api\/v1\/conversations\/\{id\}/, ["conversation", "sub"]],
  [/^\/api\/v1\/tasks\/\{id\}/, ["task", "schedule"]],
  [/^\/api\/v1\/schedules\/\{id\}/, ["schedule", "task"]],
  [/^\/api\/v1\/agents\/\{name\}/, ["agent"]],
  [/^\/api\/v1\/plan-templates\/\{id\}/, ["template"]],
  [/^\/api\/v1\/plan-instances\/\{id\}/, ["instance"]],
  [/^\/api\/v1\/datasets\/\{id\}/, ["dataset"]],
  [/^\/v1\/responses\/\{id\}/, ["response"]],
];

test("[U1] [H3] every route with an id in its path responds as to an unknown id", async () => {
  const { paths } = await ada.api.get<{ paths: Record<string, Record<string, Operation>> }>("/openapi.json");
  let routes = 0;
  for (const [path, operations] of Object.entries(paths)) {
    const kinds = PLACEHOLDERS.find(([pattern]) => pattern.test(path))?.[1] ?? [];
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const body = requestBody?.content["application/json"]?.example;
      for (const kind of kinds)
        for (const accept of ["application/json", "text/event-stream"]) {
          const send: Guess = async (ids) => {
            const address = path.replace(/\{\w+\}/, ids[kind]);
            if (address.endsWith("/ws")) return requestUpgrade(address);
            const response = await request(setup, bob.name, method.toUpperCase(), address, body, { accept });
            const headers = [...response.headers].filter(([name]) => name !== "date");
            return `${response.status} ${JSON.stringify(headers)} ${response.text}`;
          };
          expect(await expectUndetectable(send), `${method} ${path}`).toMatch(/^404 /);
          routes += 1;
        }
    }
  }
  expect(routes).toBeGreaterThan(100);
});

/** Resolves with the status and the text of the response to a refused upgrade request of Bob. */
async function requestUpgrade(path: string): Promise<string> {
  const authorization = `Bearer ${await signToken({ sub: bob.name })}`;
  const headers = { authorization, upgrade: "websocket", connection: "upgrade" };
  return new Promise((resolve, reject) => {
    get(setup.runtime.url + path, { headers }, (response) => {
      void readBody(response).then((text) => resolve(`${response.statusCode} ${text}`));
    })
      .on("error", reject)
      .on("upgrade", (_, socket) => {
        socket.destroy();
        resolve("101");
      });
  });
}

/** The RPC methods that take an id after the user, with their further arguments. */
const RPC_METHODS: Readonly<Record<string, readonly [kind: keyof OwnedIds, ...more: unknown[]]>> = {
  readConversation: ["conversation"],
  updateConversation: ["conversation", { title: "Mine now" }],
  deleteConversation: ["conversation"],
  send: ["conversation", { message: "hello" }],
  ask: ["conversation", { message: "hello" }],
  resume: ["conversation", { message: "20" }],
  answer: ["conversation", { message: "20" }],
  context: ["conversation"],
  cancel: ["conversation"],
  events: ["conversation"],
  follow: ["conversation"],
  items: ["conversation"],
  plans: ["conversation"],
  tasks: ["conversation"],
  task: ["task"],
  cancelTask: ["task"],
  schedule: ["schedule"],
  updateSchedule: ["schedule", { status: "paused" }],
  deleteSchedule: ["schedule"],
  runSchedule: ["schedule"],
  runResults: ["schedule"],
  agent: ["agent"],
  setAgentEnabled: ["agent", false],
  removeAgent: ["agent"],
  planTemplate: ["template"],
  planTemplateVersions: ["template"],
  setPlanTemplateStatus: ["template", "draft"],
  deletePlanTemplate: ["template"],
  startPlanInstance: ["template", {}],
  planInstance: ["instance"],
  resumePlanInstance: ["instance", {}],
  cancelPlanInstance: ["instance"],
  dataset: ["dataset"],
  datasetRows: ["dataset"],
  queryDataset: ["dataset", {}],
  datasetCsv: ["dataset"],
  updateDataset: ["dataset", { name: "mine" }],
  deleteDataset: ["dataset"],
};

test.each(Object.entries(RPC_METHODS))("[U1] the RPC method %s responds as to an unknown id", async (method, call) => {
  const [kind, ...more] = call;
  const answer = await expectUndetectable((ids) => callRpc(setup, method, [bob.name, ids[kind], ...more]));
  expect(answer).toMatch(/"ok":false.*"code":"(not_found|invalid_request)"/);
});

const resume = (ids: OwnedIds, status: string) => ({
  threadId: ids.conversation,
  runId: "r",
  messages: [],
  resume: [{ interruptId: ids.question, status, payload: "20" }],
});
const getTaskId = ({ conversation, thread }: OwnedIds) => `${conversation}.${thread}`;
const ask = (params: object) => callTool(setup, bob.name, { name: "ask", ...params });
const RESOURCE_KINDS = { conversation: "conversations", sub: "conversations", dataset: "datasets" } as const;
const callMcp = async (method: string, params: object, user = bob.name) =>
  (await request(setup, user, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })).text;
const send = async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
  const { status, text } = await request(setup, bob.name, method, path, body, headers);
  return `${status} ${text}`;
};
const post = (path: string, body: object, headers?: Readonly<Record<string, string>>) =>
  send("POST", path, body, headers);
const push = (ids: OwnedIds) => ({ taskId: getTaskId(ids), url: "http://127.0.0.1:9/" });
const OTHER_GUESSES: Readonly<Record<string, Guess>> = {
  "a ticket": (ids) => post("/api/v1/tickets", { conversation_id: ids.conversation }),
  "an answer over AG-UI": (ids) => post("/agui", resume(ids, "resolved")),
  "a withdrawal over AG-UI": (ids) => post("/agui", resume(ids, "cancelled")),
  "a message over MCP": (ids) => ask({ arguments: { message: "20", conversation_id: ids.conversation } }),
  "an answer over MCP": (ids) =>
    ask({ arguments: { message: "20", conversation_id: ids.conversation, request_id: ids.question } }),
  "an elicited answer over MCP": (ids) => answerElicitation(ids, bob.name),
  ...Object.fromEntries(
    (["conversation", "sub", "dataset"] as const).flatMap((kind) =>
      ["", kind === "dataset" ? "/rows" : "/items"].map((form): [string, Guess] => [
        `the resource ${kind}${form} of MCP`,
        (ids) => callMcp("resources/read", { uri: `orrery://${RESOURCE_KINDS[kind]}/${ids[kind]}${form}` }),
      ]),
    ),
  ),
  "a prompt of MCP": (ids) => callMcp("prompts/get", { name: ids.template, arguments: { seats: "3" } }),
  "a completion of OpenAI": (ids) =>
    post(
      "/v1/chat/completions",
      { model: "orrery", messages: [{ role: "user", content: "20" }] },
      { "x-orrery-conversation": ids.conversation },
    ),
  "a response of OpenAI in a conversation": (ids) =>
    post("/v1/responses", { model: "orrery", input: "20" }, { "x-orrery-conversation": ids.conversation }),
  "a response of OpenAI that continues another": (ids) =>
    post("/v1/responses", { model: "orrery", input: "20", previous_response_id: ids.response }),
  "a response of OpenAI with a reference": (ids) => {
    const reference = { type: "item_reference", id: ids.output };
    return post("/v1/responses", { model: "orrery", input: [reference, { role: "user", content: "20" }] });
  },
  "an answer over A2A": (ids) => {
    const message = { messageId: "m", role: "ROLE_USER", taskId: getTaskId(ids), parts: [{ text: "20" }] };
    return callA2A(setup, bob.name, "SendMessage", { message });
  },
  ...Object.fromEntries(
    ["GetTask", "SubscribeToTask", "CancelTask"].map((method): [string, Guess] => [
      `${method} of A2A`,
      (ids) => callA2A(setup, bob.name, method, { id: getTaskId(ids) }),
    ]),
  ),
  "ListTasks of A2A": (ids) => callA2A(setup, bob.name, "ListTasks", { contextId: ids.conversation }),
  "push notifications of A2A": (ids) => callA2A(setup, bob.name, "CreateTaskPushNotificationConfig", push(ids)),
  "lists of push notifications of A2A": (ids) =>
    callA2A(setup, bob.name, "ListTaskPushNotificationConfigs", { taskId: getTaskId(ids) }),
  "a list of A2A over HTTP+JSON": (ids) => send("GET", `/a2a/tasks?contextId=${ids.conversation}`),
  ...Object.fromEntries(
    (["GET ", "POST :cancel", "POST :subscribe", "GET /pushNotificationConfigs"] as const).map(
      (call): [string, Guess] => {
        const [method = "", rest = ""] = call.split(" ");
        return [`${call} of A2A`, (ids) => send(method, `/a2a/tasks/${getTaskId(ids)}${rest}`)];
      },
    ),
  ),
  "an answer of A2A over HTTP+JSON": (ids) => {
    const message = { messageId: "m", role: "ROLE_USER", taskId: getTaskId(ids), parts: [{ text: "20" }] };
    return post("/a2a/message:send", { message });
  },
  "an agent of A2A over HTTP+JSON": (ids) => send("GET", `/a2a/${ids.agent}/tasks`),
  "a message for an agent": (ids) => post("/v1/chat/completions", { model: ids.agent, messages: [] }),
};

async function answerElicitation({ conversation, thread, question }: OwnedIds, user: string): Promise<string> {
  const state = { conversation_id: conversation, thread_id: thread, request_id: question };
  const params = {
    name: "ask",
    arguments: { message: "x" },
    requestState: JSON.stringify(state),
    inputResponses: { question: { action: "accept", content: { answer: "20" } } },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "ask" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return (await request(setup, user, "POST", "/mcp", body, headers)).text;
}

test.each(Object.entries(OTHER_GUESSES))(
  "[U1] %s with a foreign id is answered as with an unknown id",
  async (_, guess) => {
    await expectUndetectable(guess);
  },
);

test("[U1] [F76] lists contain only things of their user", async () => {
  for (const kind of ["conversations", "schedules", "plan-templates", "plan-instances", "datasets", "tools", "pages"])
    expect(await bob.api.get(`/api/v1/${kind}`)).toMatchObject({ [kind.replace("plan-", "")]: [] });
  const { agents } = await bob.api.get<{ agents: { name: string }[] }>("/api/v1/agents");
  expect(agents.map(({ name }) => name)).not.toContain(owned.agent);
  expect(await callMcp("resources/list", {})).toBe('{"jsonrpc":"2.0","id":1,"result":{"resources":[]}}');
  expect(await callMcp("prompts/list", {})).toBe('{"jsonrpc":"2.0","id":1,"result":{"prompts":[]}}');
  expect(await callMcp("resources/list", {}, ada.name)).toContain(owned.dataset);
  expect(await callMcp("prompts/list", {}, ada.name)).toContain(owned.template);
  await vi.waitFor(async () => {
    const list = await request(setup, ada.name, "GET", "/api/v1/conversations?limit=100");
    for (const id of [owned.conversation, owned.sub]) expect(list.text).toContain(id);
  });
});

test("[U1] everything of Ada is unchanged after all requests of Bob", async () => {
  // Bob disables an agent that both have.
  expect((await bob.api.request("PATCH", "/api/v1/agents/assistant", { enabled: false })).status).toBe(200);
  expect(await readOwnedData()).toBe(before);
  expect(before).toContain("secret");
  expect(agent.messages).toEqual([]);
  // The same requests work for Ada.
  expect(await callA2A(setup, ada.name, "GetTask", { id: getTaskId(owned) })).toContain("secret");
  for (const uri of [`orrery://conversations/${owned.conversation}`, `orrery://datasets/${owned.dataset}/rows`])
    expect(await callMcp("resources/read", { uri }, ada.name)).toContain("secret");
  expect(await callMcp("prompts/get", { name: owned.template, arguments: { seats: "3" } }, ada.name)).toContain(
    "secret",
  );
  expect(await callRpc(setup, "readConversation", [ada.name, owned.conversation])).toContain('"ok":true');
  expect(await answerElicitation(owned, ada.name)).toMatch(/"resultType":"(complete|input_required)"/);
  const { pending } = await ada.api.get<{ pending: object[] }>(`/api/v1/conversations/${owned.conversation}/context`);
  expect(JSON.stringify(pending)).not.toContain(owned.question);
});

describe("[U1] a conversation with the id of another user's", () => {
  test.each(DOOR_NAMES.filter((name) => DOORS[name].opensUnknown || name === "HTTP"))(
    "is a separate one that shares nothing, over %s",
    async (name) => {
      const { conversationId } = await ada.api.sendAndWait(`A secret ${scriptAnswer(setup, "Hers.").mark}`);
      const log = await ada.api.history(conversationId);
      if (!DOORS[name].opensUnknown) {
        const first = { message: scriptAnswer(setup, "Hello.").message, conversation_id: conversationId };
        expect((await bob.api.request("POST", "/api/v1/messages", first)).status).toBe(202);
      }
      const { mark } = scriptAnswer(setup, "His.");
      const reply = await DOORS[name].send(setup, bob.name, { message: `What? ${mark}`, conversation: conversationId });
      expect(reply).toMatchObject({ end: "completed", text: "His." });
      for (const { request: prompt } of setup.model.getCalls(mark))
        expect(JSON.stringify(prompt.messages)).not.toContain("secret");
      expect(await ada.api.history(conversationId)).toEqual(log);
      await bob.api.request("DELETE", `/api/v1/conversations/${conversationId}`);
      expect(await ada.api.history(conversationId)).toEqual(log);
    },
  );
});
