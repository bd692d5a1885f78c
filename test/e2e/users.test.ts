// Two users with tokens on one server: neither can find out whether a conversation of the other exists (U1).

import { SignJWT } from "jose";
import { get as httpGet } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect } from "../../src/client/connect.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { startA2AAgent } from "../support/a2a-agent.ts";
import { createApiUser, type ApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";

let runtime: Runtime;
let ada: ApiUser;
let bob: ApiUser;
/** The ids of Ada's conversation, its task, and the sub-conversation of the task. */
let adaIds: { readonly id: string; readonly task: string; readonly sub: string; readonly thread: string };

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { AUTH_SECRET: SECRET, ALLOW_PRIVATE_AGENTS: "1" },
    siblings: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
  ada = createApiUser(runtime.url, await signToken("ada"));
  bob = createApiUser(runtime.url, await signToken("bob"));
  const { conversationId: id, threadId: thread } = await ada.sendAndWait("计算 6 乘以 7");
  const [task] = (await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
  adaIds = { id, thread, task: task?.task_id ?? "", sub: task?.conversation_id ?? "" };
  // The directory is updated with a delay.
  await vi.waitFor(async () =>
    expect((await sendRequest(ada, { method: "GET", path: LIST_PATH }, adaIds)).text).toContain(adaIds.sub),
  );
});
afterAll(() => runtime.stop());

type Claims = { readonly exp?: number | string; readonly nbf?: number };

function signToken(user: string, { exp = "5m", nbf }: Claims = {}, secret = SECRET, alg = "HS256"): Promise<string> {
  const token = new SignJWT({}).setProtectedHeader({ alg }).setSubject(user).setExpirationTime(exp);
  return (nbf === undefined ? token : token.setNotBefore(nbf)).sign(new TextEncoder().encode(secret));
}

const LIST_PATH = "/api/v1/conversations?limit=100";

type ApiRequest = { readonly method: string; readonly path: string; readonly body?: unknown };
/** All routes of conversations and tasks. `{id}`, `{sub}` and `{task}` are placeholders. */
const REQUESTS: readonly ApiRequest[] = [
  { method: "GET", path: "/api/v1/conversations/{id}" },
  { method: "PATCH", path: "/api/v1/conversations/{id}", body: { title: "Mine now" } },
  { method: "DELETE", path: "/api/v1/conversations/{id}" },
  { method: "POST", path: "/api/v1/conversations/{id}/messages", body: { message: "hello" } },
  { method: "POST", path: "/api/v1/conversations/{id}/resume", body: { message: "yes" } },
  { method: "POST", path: "/api/v1/conversations/{id}/cancel", body: {} },
  { method: "GET", path: "/api/v1/conversations/{id}/events" },
  { method: "GET", path: "/api/v1/conversations/{id}/items" },
  { method: "GET", path: "/api/v1/conversations/{id}/plans" },
  { method: "GET", path: "/api/v1/conversations/{id}/tasks" },
  { method: "GET", path: "/api/v1/conversations/{id}/context" },
  { method: "GET", path: "/api/v1/conversations/{sub}" },
  { method: "GET", path: "/api/v1/conversations/{sub}/events" },
  { method: "GET", path: "/api/v1/conversations/{sub}/items" },
  { method: "GET", path: "/api/v1/tasks/{task}" },
  { method: "POST", path: "/api/v1/tasks/{task}/cancel" },
  { method: "GET", path: "/api/v1/schedules/{task}" },
  { method: "PATCH", path: "/api/v1/schedules/{task}", body: { status: "paused" } },
  { method: "DELETE", path: "/api/v1/schedules/{task}" },
  { method: "POST", path: "/api/v1/schedules/{task}/run" },
  { method: "GET", path: "/api/v1/schedules/{task}/results" },
  { method: "POST", path: "/api/v1/tickets", body: { conversation_id: "{id}" } },
];

type ResourceIds = Pick<typeof adaIds, "id" | "sub" | "task">;

function fillIds(text: string, { id, sub, task }: ResourceIds): string {
  return text.replace("{id}", id).replace("{sub}", sub).replace("{task}", task);
}

async function sendRequest(user: ApiUser, { method, path, body }: ApiRequest, ids: ResourceIds, accept = "*/*") {
  const filled: unknown = body === undefined ? undefined : JSON.parse(fillIds(JSON.stringify(body), ids));
  const response = await user.request(method, fillIds(path, ids), filled, { accept });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

/** Valid ids that do not exist. */
const UNUSED_IDS: ResourceIds = {
  id: `conv-${"0".repeat(32)}`,
  sub: `conv-${"1".repeat(32)}`,
  task: `task-${"2".repeat(32)}`,
};

describe.each(REQUESTS)("[U1] [I37] $method $path", (apiRequest) => {
  test.each(["application/json", "text/event-stream"])(
    "responds to an id of another user as to an unknown id (%s)",
    async (accept) => {
      const foreign = await sendRequest(bob, apiRequest, adaIds, accept);
      const missing = await sendRequest(bob, apiRequest, UNUSED_IDS, accept);
      expect(foreign).toEqual(missing);
      expect(foreign.status).toBe(404);
    },
  );

  test("responds with 401 to a missing or invalid token", async () => {
    const invalidTokens = [
      undefined,
      "nonsense",
      await signToken("ada", { exp: Math.floor(Date.now() / 1000) - 3_600 }),
      await signToken("ada", { nbf: Math.floor(Date.now() / 1000) + 3_600 }),
      await signToken("ada", {}, "another-secret-of-32-characters!!!!"),
      await signToken("ada", {}, SECRET, "HS384"),
      `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada"}')}.`.replaceAll("=", ""),
    ];
    const answers = await Promise.all(
      invalidTokens.map((token) => sendRequest(createApiUser(runtime.url, token), apiRequest, adaIds)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });
});

test("[U1] Ada's conversation is unchanged after all requests of Bob", async () => {
  expect(await ada.get(`/api/v1/conversations/${adaIds.id}`)).toMatchObject({ user_id: "ada", status: "completed" });
  expect((await ada.history(adaIds.id)).at(-1)).toMatchObject({ event: "done", data: { thread_id: adaIds.thread } });
  expect(await ada.get(`/api/v1/tasks/${adaIds.task}`)).toMatchObject({ status: "completed" });
});

test("[F76] [U1] each user lists only their own conversations", async () => {
  const list = async (user: ApiUser) =>
    (await user.get<{ conversations: ConversationInfo[] }>(LIST_PATH)).conversations;
  expect((await list(ada)).map(({ conversation_id: id }) => id)).toEqual(
    expect.arrayContaining([adaIds.id, adaIds.sub]),
  );
  expect((await list(bob)).filter(({ user_id: user }) => user !== "bob")).toEqual([]);
});

test("[U1] a conversation that Bob creates with Ada's id is a separate one", async () => {
  const created = await bob.request("POST", "/api/v1/messages", { message: "hello", conversation_id: adaIds.id });
  expect(await created.json()).toMatchObject({ conversation_id: adaIds.id, seq: 2 });
  expect((await ada.history(adaIds.id)).some(({ data }) => JSON.stringify(data).includes("hello"))).toBe(false);
  await bob.request("DELETE", `/api/v1/conversations/${adaIds.id}`);
  expect(await ada.get(`/api/v1/conversations/${adaIds.id}`)).toMatchObject({ user_id: "ada" });
});

test("[U1] registering or disabling an agent affects only the own user", async () => {
  const agent = await startA2AAgent("secret-parrot", "1.0", async function* (query) {
    yield await Promise.resolve(query);
  });
  try {
    await ada.request("POST", "/api/v1/agents", { url: agent.url });
    await ada.request("PATCH", "/api/v1/agents/assistant", { enabled: false });
    expect((await ada.request("GET", "/api/v1/agents/secret-parrot")).status).toBe(200);
    expect((await bob.request("GET", "/api/v1/agents/secret-parrot")).status).toBe(404);
    expect((await bob.request("DELETE", "/api/v1/agents/secret-parrot")).status).toBe(404);
    expect(await bob.get("/api/v1/agents/assistant")).toMatchObject({ enabled: true });
    expect((await bob.sendAndWait("hello", { agent: "secret-parrot" })).frames.map(({ event }) => event)).toContain(
      "plan_failed",
    );
    expect(agent.messages).toEqual([]);
  } finally {
    await ada.request("PATCH", "/api/v1/agents/assistant", { enabled: true });
    await agent.close();
  }
});

describe("[U1] socket of a conversation", () => {
  const createTicket = async (user: ApiUser, id: string): Promise<string> => {
    const response = await user.request("POST", "/api/v1/tickets", { conversation_id: id });
    return ((await response.json()) as { ticket: string }).ticket;
  };
  /** Resolves with the response to an upgrade request with an Authorization header. */
  const readRefusal = (id: string, token: string): Promise<object> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, upgrade: "websocket", connection: "upgrade" };
      const asking = httpGet(`${runtime.url}/api/v1/conversations/${id}/ws`, { headers }, (response) => {
        let body = "";
        response.on("data", (piece: Buffer) => (body += piece.toString()));
        response.on("end", () => resolve({ status: response.statusCode, body }));
      });
      asking.on("error", reject).on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("The socket was opened."));
      });
    });
  const canOpen = (query: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${runtime.url.replace("http", "ws")}/api/v1/conversations/${adaIds.id}/ws${query}`);
      socket.addEventListener("open", () => {
        resolve(true);
        socket.close();
      });
      socket.addEventListener("error", () => resolve(false));
    });

  test("opens once with a ticket of this conversation", async () => {
    const ticket = await createTicket(ada, adaIds.id);
    expect(await canOpen(`?ticket=${ticket}`)).toBe(true);
    expect(await canOpen(`?ticket=${ticket}`)).toBe(false);
    const other = (await ada.send("hello")).conversation_id;
    expect(await canOpen(`?ticket=${await createTicket(ada, other)}`)).toBe(false);
  });

  test("does not open without a token or ticket or with an unknown ticket", async () => {
    expect(await canOpen("")).toBe(false);
    expect(await canOpen(`?ticket=${"0".repeat(64)}`)).toBe(false);
  });

  test("responds to another user as for an unknown conversation", async () => {
    const [foreign, missing] = [adaIds.id, UNUSED_IDS.id].map((id) => {
      const line = connect({ url: runtime.url, conversationId: id, token: () => signToken("bob") });
      return line.send("hello").catch((thrown: unknown) => String(thrown));
    });
    expect(await foreign).toEqual(await missing);
    expect(await foreign).toContain("Conversation not found.");
    const token = await signToken("bob");
    expect(await readRefusal(adaIds.id, token)).toEqual(await readRefusal(UNUSED_IDS.id, token));
    expect(await readRefusal(adaIds.id, token)).toMatchObject({ status: 404 });
  });
});

test("[U1] service binding methods act for the user in their arguments", async () => {
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> =>
    (await fetch(`${runtime.getUrl("caller")}/${method}`, { method: "POST", body: JSON.stringify(args) })).json();
  const missing = { ok: false, failure: { code: "not_found" } };
  for (const method of ["readConversation", "deleteConversation", "events", "items", "plans", "tasks", "follow"]) {
    expect(await call(method, ["bob", adaIds.id])).toMatchObject(missing);
    expect(await call(method, ["bob", adaIds.id])).toEqual(await call(method, ["bob", UNUSED_IDS.id]));
  }
  expect(await call("send", ["bob", adaIds.id, { message: "hello" }])).toMatchObject(missing);
  expect(await call("cancel", ["bob", adaIds.id])).toMatchObject(missing);
  expect(await call("resume", ["bob", adaIds.id, { message: "yes" }])).toMatchObject(missing);
  expect(await call("task", ["bob", adaIds.task])).toMatchObject(missing);
  expect(await call("cancelTask", ["bob", adaIds.task])).toMatchObject(missing);
  expect(await call("readConversation", ["ada", adaIds.id])).toMatchObject({ ok: true, value: { user_id: "ada" } });
});
