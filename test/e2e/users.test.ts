// Two people on one server with tokens: neither can tell whether the other's conversation exists (U1).

import { SignJWT } from "jose";
import { get as httpGet } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect } from "../../src/client/connect.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { startA2AAgent } from "../support/a2a-agent.ts";
import { personAt, type Person } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";

let runtime: Runtime;
let ada: Person;
let bob: Person;
/** Ada's conversation, its task, and the task's own conversation. */
let hers: { readonly id: string; readonly task: string; readonly sub: string; readonly thread: string };

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { AUTH_SECRET: SECRET, ALLOW_PRIVATE_AGENTS: "1" },
    beside: { caller: { config: "test/e2e/caller/wrangler.toml", entry: "test/e2e/caller/caller.ts" } },
  });
  ada = personAt(runtime.url, await tokenFor("ada"));
  bob = personAt(runtime.url, await tokenFor("bob"));
  const { conversationId: id, threadId: thread } = await ada.say("计算 6 乘以 7");
  const [task] = (await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
  hers = { id, thread, task: task?.task_id ?? "", sub: task?.conversation_id ?? "" };
  // The directory hears of it a moment later.
  await vi.waitFor(async () =>
    expect((await knock(ada, { method: "GET", path: DIRECTORY }, hers)).text).toContain(hers.sub),
  );
});
afterAll(() => runtime.stop());

type Claims = { readonly exp?: number | string; readonly nbf?: number };

function tokenFor(user: string, { exp = "5m", nbf }: Claims = {}, secret = SECRET, alg = "HS256"): Promise<string> {
  const token = new SignJWT({}).setProtectedHeader({ alg }).setSubject(user).setExpirationTime(exp);
  return (nbf === undefined ? token : token.setNotBefore(nbf)).sign(new TextEncoder().encode(secret));
}

const DIRECTORY = "/api/v1/conversations?limit=100";

type Door = { readonly method: string; readonly path: string; readonly body?: unknown };
/** Every way to a conversation or a task; `{id}`, `{sub}` and `{task}` stand for somebody's. */
const DOORS: readonly Door[] = [
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

type Place = Pick<typeof hers, "id" | "sub" | "task">;

function fill(text: string, { id, sub, task }: Place): string {
  return text.replace("{id}", id).replace("{sub}", sub).replace("{task}", task);
}

async function knock(person: Person, { method, path, body }: Door, place: Place, accept = "*/*") {
  const filled: unknown = body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body), place));
  const response = await person.request(method, fill(path, place), filled, { accept });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

/** Ids of the right form that nobody has ever used. */
const NOWHERE: Place = {
  id: `conv-${"0".repeat(32)}`,
  sub: `conv-${"1".repeat(32)}`,
  task: `task-${"2".repeat(32)}`,
};

describe.each(DOORS)("[U1] [I37] $method $path", (door) => {
  test.each(["application/json", "text/event-stream"])(
    "another's is answered as one that never was (%s)",
    async (accept) => {
      const foreign = await knock(bob, door, hers, accept);
      const missing = await knock(bob, door, NOWHERE, accept);
      expect(foreign).toEqual(missing);
      expect(foreign.status).toBe(404);
    },
  );

  test("without a token, or with one that is not good, nothing is answered", async () => {
    const bad = [
      undefined,
      "nonsense",
      await tokenFor("ada", { exp: Math.floor(Date.now() / 1000) - 3_600 }),
      await tokenFor("ada", { nbf: Math.floor(Date.now() / 1000) + 3_600 }),
      await tokenFor("ada", {}, "another-secret-of-32-characters!!!!"),
      await tokenFor("ada", {}, SECRET, "HS384"),
      `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada"}')}.`.replaceAll("=", ""),
    ];
    const answers = await Promise.all(bad.map((token) => knock(personAt(runtime.url, token), door, hers)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });
});

test("[U1] what was hers before is hers after all that", async () => {
  expect(await ada.get(`/api/v1/conversations/${hers.id}`)).toMatchObject({ user_id: "ada", status: "completed" });
  expect((await ada.history(hers.id)).at(-1)).toMatchObject({ event: "done", data: { thread_id: hers.thread } });
  expect(await ada.get(`/api/v1/tasks/${hers.task}`)).toMatchObject({ status: "completed" });
});

test("[F76] [U1] everybody lists their own", async () => {
  const list = async (person: Person) =>
    (await person.get<{ conversations: ConversationInfo[] }>(DIRECTORY)).conversations;
  expect((await list(ada)).map(({ conversation_id: id }) => id)).toEqual(expect.arrayContaining([hers.id, hers.sub]));
  expect((await list(bob)).filter(({ user_id: user }) => user !== "bob")).toEqual([]);
});

test("[U1] a conversation that bob names like hers is another one", async () => {
  const named = await bob.request("POST", "/api/v1/messages", { message: "hello", conversation_id: hers.id });
  expect(await named.json()).toMatchObject({ conversation_id: hers.id, seq: 2 });
  expect((await ada.history(hers.id)).some(({ data }) => JSON.stringify(data).includes("hello"))).toBe(false);
  await bob.request("DELETE", `/api/v1/conversations/${hers.id}`);
  expect(await ada.get(`/api/v1/conversations/${hers.id}`)).toMatchObject({ user_id: "ada" });
});

test("[U1] an agent that ada registers or switches off is so for her alone", async () => {
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
    expect((await bob.say("hello", { agent: "secret-parrot" })).frames.map(({ event }) => event)).toContain(
      "plan_failed",
    );
    expect(agent.asked).toEqual([]);
  } finally {
    await ada.request("PATCH", "/api/v1/agents/assistant", { enabled: true });
    await agent.close();
  }
});

describe("[U1] the socket", () => {
  const ticketOf = async (person: Person, id: string): Promise<string> => {
    const response = await person.request("POST", "/api/v1/tickets", { conversation_id: id });
    return ((await response.json()) as { ticket: string }).ticket;
  };
  /** What a program that may set headers is answered when it asks for the socket. */
  const refusal = (id: string, token: string): Promise<object> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, upgrade: "websocket", connection: "upgrade" };
      const asking = httpGet(`${runtime.url}/api/v1/conversations/${id}/ws`, { headers }, (response) => {
        let body = "";
        response.on("data", (piece: Buffer) => (body += piece.toString()));
        response.on("end", () => resolve({ status: response.statusCode, body }));
      });
      asking.on("error", reject).on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("It was opened."));
      });
    });
  const opens = (query: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${runtime.url.replace("http", "ws")}/api/v1/conversations/${hers.id}/ws${query}`);
      socket.addEventListener("open", () => {
        resolve(true);
        socket.close();
      });
      socket.addEventListener("error", () => resolve(false));
    });

  test("opens with her ticket, once, and for its conversation alone", async () => {
    const ticket = await ticketOf(ada, hers.id);
    expect(await opens(`?ticket=${ticket}`)).toBe(true);
    expect(await opens(`?ticket=${ticket}`)).toBe(false);
    const other = (await ada.tell("hello")).conversation_id;
    expect(await opens(`?ticket=${await ticketOf(ada, other)}`)).toBe(false);
  });

  test("does not open without a token or a ticket, nor with a made-up one", async () => {
    expect(await opens("")).toBe(false);
    expect(await opens(`?ticket=${"0".repeat(64)}`)).toBe(false);
  });

  test("of hers is to bob as one that never was", async () => {
    const [foreign, missing] = [hers.id, NOWHERE.id].map((id) => {
      const line = connect({ url: runtime.url, conversationId: id, token: () => tokenFor("bob") });
      return line.send("hello").catch((thrown: unknown) => String(thrown));
    });
    expect(await foreign).toEqual(await missing);
    expect(await foreign).toContain("There is no such conversation.");
    const token = await tokenFor("bob");
    expect(await refusal(hers.id, token)).toEqual(await refusal(NOWHERE.id, token));
    expect(await refusal(hers.id, token)).toMatchObject({ status: 404 });
  });
});

test("[U1] over a service binding, whoever is named is who asks", async () => {
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> =>
    (await fetch(`${runtime.urlOf("caller")}/${method}`, { method: "POST", body: JSON.stringify(args) })).json();
  const missing = { ok: false, failure: { code: "not_found" } };
  for (const method of ["readConversation", "deleteConversation", "events", "items", "plans", "tasks", "follow"]) {
    expect(await call(method, ["bob", hers.id])).toMatchObject(missing);
    expect(await call(method, ["bob", hers.id])).toEqual(await call(method, ["bob", NOWHERE.id]));
  }
  expect(await call("send", ["bob", hers.id, { message: "hello" }])).toMatchObject(missing);
  expect(await call("cancel", ["bob", hers.id])).toMatchObject(missing);
  expect(await call("resume", ["bob", hers.id, { message: "yes" }])).toMatchObject(missing);
  expect(await call("task", ["bob", hers.task])).toMatchObject(missing);
  expect(await call("cancelTask", ["bob", hers.task])).toMatchObject(missing);
  expect(await call("readConversation", ["ada", hers.id])).toMatchObject({ ok: true, value: { user_id: "ada" } });
});
