// The authorization of sockets: tickets, tokens, and the origin of the page.

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { SocketTicket } from "../../src/protocol/wire/http-responses.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import {
  callRoute,
  call,
  BROKEN_DB,
  assertPresent,
  createConversation,
  ENV,
  ORIGIN,
  callForProblem,
  sendAndWait,
  type ApiRequest,
} from "./support.ts";
import { authenticateAs, createBearer, WITH_SECRET, signToken } from "./tokens.ts";

const WITH_ORIGIN = { ...WITH_SECRET, ALLOWED_ORIGINS: "https://chat.example" };

async function createTicket(id: string, user = "ada"): Promise<string> {
  const { ticket } = await callRoute<SocketTicket>("POST", "/api/v1/tickets", {
    ...(await authenticateAs(user)),
    body: { conversation_id: id },
  });
  return ticket;
}

async function createConversationOf(user: string): Promise<string> {
  return (await createConversation(await authenticateAs(user))).conversation_id;
}

async function openSocket(path: string, { headers = {}, env = WITH_SECRET }: ApiRequest = {}): Promise<Response> {
  const response = await call("GET", path, { env, headers: { upgrade: "websocket", ...headers } });
  const socket = response.webSocket;
  if (socket !== null) {
    socket.accept();
    socket.close();
  }
  return response;
}

let id: string;
beforeAll(async () => {
  ({ conversation_id: id } = await createConversation(await authenticateAs("ada")));
});

describe("a ticket", () => {
  test("opens one socket without a token", async () => {
    const ticket = await createTicket(id);
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(101);
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
  });

  test("opens one socket when used concurrently", async () => {
    const ticket = await createTicket(id);
    const path = `/api/v1/conversations/${id}/ws?ticket=${ticket}`;
    const answers = await Promise.all([openSocket(path), openSocket(path), openSocket(path)]);
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(["101", "401", "401"]);
  });

  test("expires after 30 s", async () => {
    const ticket = await createTicket(id);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_001 });
    try {
      expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test("[S8] expires with the token that created it", async () => {
    const expiry = Math.floor(Date.now() / 1_000) - 20;
    const headers = { authorization: `Bearer ${await signToken({ sub: "ada", exp: expiry })}` };
    const ticketRequest = { env: WITH_SECRET, headers, body: { conversation_id: id } };
    const { ticket, expires_at: expiresAt } = await callRoute<SocketTicket>("POST", "/api/v1/tickets", ticketRequest);
    expect(expiresAt).toBe((expiry + 30) * 1_000);
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt + 1 });
    try {
      expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is valid for its conversation only", async () => {
    const { conversation_id: other } = await createConversation(await authenticateAs("ada"));
    const ticket = await createTicket(id);
    expect((await openSocket(`/api/v1/conversations/${other}/ws?ticket=${ticket}`)).status).toBe(401);
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(101);
  });

  test("is valid for its user only", async () => {
    const [ofAda, ofEve] = [await createTicket(id), await createTicket(await createConversationOf("eve"), "eve")];
    const foreign = [ofAda.split(".")[0], ofEve.split(".")[1]].join(".");
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${foreign}`)).status).toBe(401);
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ofAda}`)).status).toBe(101);
  });

  test("works for a user with any characters, after its conversation was deleted not any more", async () => {
    const user = "用户 a/b+c?=&é@example.com";
    const conversation = await createConversationOf(user);
    const path = `/api/v1/conversations/${conversation}`;
    expect((await openSocket(`${path}/ws?ticket=${await createTicket(conversation, user)}`)).status).toBe(101);
    const left = await createTicket(conversation, user);
    await callRoute("DELETE", path, await authenticateAs(user));
    expect((await openSocket(`${path}/ws?ticket=${left}`)).status).toBe(401);
  });

  test("is rejected when it was never issued, also together with a valid token", async () => {
    const { headers } = await authenticateAs("ada");
    for (const ticket of ["", "x", "x".repeat(10_000), "%00", "用户"]) {
      const path = `/api/v1/conversations/${id}/ws?ticket=${ticket}`;
      for (const more of [{}, headers]) expect((await openSocket(path, { headers: more })).status).toBe(401);
    }
  });

  test("opens a socket while the directory is down", async () => {
    const { headers } = await authenticateAs("ada");
    const env = { ...WITH_SECRET, ...BROKEN_DB };
    const request = { env, headers, body: { conversation_id: id } };
    const { ticket } = await callRoute<SocketTicket>("POST", "/api/v1/tickets", request);
    const path = `/api/v1/conversations/${id}/ws`;
    expect((await openSocket(`${path}?ticket=${ticket}`, { env })).status).toBe(101);
    expect((await openSocket(`${path}?ticket=${ticket}`, { env })).status).toBe(401);
    expect((await openSocket(path, { env, headers })).status).toBe(101);
  });
});

test("[F48] the socket of a task's conversation rejects commands", async () => {
  const cyd = await authenticateAs("cyd");
  const { conversation_id: parent } = await sendAndWait("首先查询现在时间然后计算678乘以8776的结果", cyd);
  const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${parent}/tasks`, cyd);
  const ticket = await createTicket(assertPresent(tasks[0]).conversation_id, "cyd");
  const path = `/api/v1/conversations/${assertPresent(tasks[0]).conversation_id}/ws?ticket=${ticket}`;
  const response = await call("GET", path, { env: WITH_SECRET, headers: { upgrade: "websocket" } });
  const socket = assertPresent(response.webSocket);
  const errors: object[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as { type?: string };
    if (message.type === "error") errors.push(message);
  });
  socket.accept();
  for (const command of [{ type: "send", message: "hello" }, { type: "resume", message: "yes" }, { type: "cancel" }])
    socket.send(JSON.stringify({ ...command, id: command.type }));
  await vi.waitFor(() => expect(errors).toHaveLength(3));
  expect(errors).toMatchObject(["send", "resume", "cancel"].map((id) => ({ id, code: "conflict" })));
});

describe("the origin of a socket", () => {
  test.each([
    ["a program without an origin", undefined, 101],
    ["the own origin", ORIGIN, 101],
    ["an allowed origin", "https://chat.example", 101],
    ["a foreign origin", "https://evil.example", 403],
    ["an opaque origin", "null", 403],
    ["an origin with the own host as its prefix", `${ORIGIN}.evil.example`, 403],
    ["the own host without TLS", ORIGIN.replace("https:", "http:"), 403],
    ["an allowed host without TLS", "http://chat.example", 403],
  ])("is checked: %s", async (_, origin, status) => {
    const { headers } = await authenticateAs("ada");
    const all = origin === undefined ? headers : { ...headers, origin };
    expect((await openSocket(`/api/v1/conversations/${id}/ws`, { env: WITH_ORIGIN, headers: all })).status).toBe(
      status,
    );
  });

  test("does not consume a ticket when it is rejected", async () => {
    const ticket = await createTicket(id);
    const headers = { origin: "https://evil.example" };
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`, { headers })).status).toBe(403);
    expect((await openSocket(`/api/v1/conversations/none/ws?ticket=x`, { headers })).status).toBe(403);
    expect((await openSocket(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(101);
  });
});

describe("the socket route", () => {
  test("requires a WebSocket upgrade", async () => {
    const options = await authenticateAs("ada");
    expect(await callForProblem("GET", `/api/v1/conversations/${id}/ws`, options)).toMatchObject({
      code: "invalid_request",
    });
  });

  test("[S8] passes on the expiry of the token, also with a ticket", async () => {
    const exp = Math.floor(Date.now() / 1_000) + 100;
    const token = createBearer(await signToken({ sub: "ada", exp }));
    const expiries: string[] = [];
    const fetchObject = (url: URL) => {
      expiries.push(url.searchParams.get("expires_at") ?? "never");
      return Promise.resolve(new Response());
    };
    const { CONVERSATION: objects } = ENV;
    const CONVERSATION = {
      getByName: (name: string) => ({
        fetch: fetchObject,
        redeemTicket: (key: string) => objects.getByName(name).redeemTicket(key),
      }),
    };
    const { ticket } = await callRoute<SocketTicket>("POST", "/api/v1/tickets", {
      env: WITH_SECRET,
      ...token,
      body: { conversation_id: id },
    });
    const env = { ...WITH_SECRET, CONVERSATION };
    const path = `/api/v1/conversations/${id}/ws`;
    const upgrade = { upgrade: "websocket" };
    const forgedTicket = ticket.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    expect((await call("GET", `${path}?ticket=${forgedTicket}`, { env, headers: upgrade })).status).toBe(401);
    await call("GET", `${path}?ticket=${ticket}`, { env, headers: upgrade });
    await call("GET", path, { env, headers: { ...upgrade, ...token.headers } });
    await call("GET", path, { env, headers: { ...upgrade, ...createBearer(await signToken({ sub: "ada" })).headers } });
    await call("GET", path, { env: { CONVERSATION }, headers: upgrade });
    const end = String((exp + 30) * 1_000);
    expect(expiries).toEqual([end, end, "never", "never"]);
  });
});
