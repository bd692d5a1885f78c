// Who may open a socket: tickets, tokens and where the page comes from.

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { SocketTicket } from "../../src/protocol/wire/http-responses.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { ask, call, DOWN, must, newConversation, ORIGIN, refused, settled, talk, type Ask } from "./support.ts";
import { as, bearer, BY_SECRET, signed } from "./tokens.ts";

const ALLOWING = { ...BY_SECRET, ALLOWED_ORIGINS: "https://chat.example" };

async function ticketFor(id: string, user = "ada"): Promise<string> {
  const { ticket } = await ask<SocketTicket>("POST", "/api/v1/tickets", {
    ...(await as(user)),
    body: { conversation_id: id },
  });
  return ticket;
}

async function open(path: string, { headers = {}, env = BY_SECRET }: Ask = {}): Promise<Response> {
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
  ({ conversation_id: id } = await newConversation(await as("ada")));
});

describe("tickets", () => {
  test("one opens one socket, without a token", async () => {
    const ticket = await ticketFor(id);
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(101);
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
  });

  test("two at once: one gets in", async () => {
    const ticket = await ticketFor(id);
    const path = `/api/v1/conversations/${id}/ws?ticket=${ticket}`;
    const answers = await Promise.all([open(path), open(path), open(path)]);
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(["101", "401", "401"]);
  });

  test("it is for half a minute", async () => {
    const ticket = await ticketFor(id);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_001 });
    try {
      expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test("[S8] it lets in no longer than the token that asked for it", async () => {
    const expiry = Math.floor(Date.now() / 1_000) - 20;
    const headers = { authorization: `Bearer ${await signed({ sub: "ada", exp: expiry })}` };
    const asked = { env: BY_SECRET, headers, body: { conversation_id: id } };
    const { ticket, expires_at: until } = await ask<SocketTicket>("POST", "/api/v1/tickets", asked);
    expect(until).toBe((expiry + 30) * 1_000);
    vi.useFakeTimers({ toFake: ["Date"], now: until + 1 });
    try {
      expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test("it is for its conversation, and a try at another uses it up", async () => {
    const { conversation_id: other } = await newConversation(await as("ada"));
    const ticket = await ticketFor(id);
    expect((await open(`/api/v1/conversations/${other}/ws?ticket=${ticket}`)).status).toBe(401);
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
  });

  test("[U1] it shows its own user's conversation, even where another's has the same name", async () => {
    await ask("POST", "/api/v1/messages", { ...(await as("eve")), body: { conversation_id: id, message: "hello" } });
    const response = await call("GET", `/api/v1/conversations/${id}/ws?ticket=${await ticketFor(id, "eve")}`, {
      env: BY_SECRET,
      headers: { upgrade: "websocket" },
    });
    const socket = must(response.webSocket);
    const first = new Promise<unknown>((resolve) =>
      socket.addEventListener("message", ({ data }) => resolve(JSON.parse(String(data))), { once: true }),
    );
    socket.accept();
    expect(await first).toMatchObject({ type: "ready", conversation: { user_id: "eve" } });
    socket.close();
  });

  test.each(["", "x", "x".repeat(10_000), "%00", "用户"])(
    "nothing is a ticket that was not given out: %#",
    async (ticket) => {
      expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(401);
    },
  );

  test("a bad ticket beside a good token is still bad", async () => {
    const { headers } = await as("ada");
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=x`, { headers })).status).toBe(401);
  });

  test("there is none for a conversation that does not exist", async () => {
    const options = { ...(await as("ada")), body: { conversation_id: "conv-none" } };
    expect(await refused("POST", "/api/v1/tickets", options)).toMatchObject({ code: "not_found" });
  });

  test("without the directory there are none, and that is said", async () => {
    const { headers } = await as("ada");
    const env = { ...BY_SECRET, ...DOWN };
    expect(await refused("POST", "/api/v1/tickets", { env, headers, body: { conversation_id: id } })).toMatchObject({
      code: "unavailable",
    });
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=x`, { env })).status).toBe(503);
    expect((await open(`/api/v1/conversations/${id}/ws`, { env, headers })).status).toBe(101);
  });
});

describe("[F48] the socket of a task's conversation", () => {
  type Said = { type?: string; event?: string; id?: string; code?: string; data?: object };

  async function listen(path: string, options: Ask) {
    const response = await call("GET", path, { env: BY_SECRET, headers: { upgrade: "websocket", ...options.headers } });
    const socket = must(response.webSocket);
    const said: Said[] = [];
    socket.addEventListener("message", ({ data }) => said.push(JSON.parse(String(data)) as Said));
    socket.accept();
    const until = (isEnough: (one: Said) => boolean) => vi.waitFor(() => must(said.find(isEnough)));
    await until(({ type }) => type === "caught_up");
    return { socket, said, until };
  }

  test("[L2] tells what was of it, takes no command, and shows it to nobody else", async () => {
    const [cyd, eve] = [await as("cyd"), await as("eve")];
    const { conversation_id: parent } = await talk("首先查询现在时间然后计算678乘以8776的结果", cyd);
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${parent}/tasks`, cyd);
    const { conversation_id: sub, title } = must(tasks[0]);
    const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${sub}/events`, cyd);
    const { ticket } = await ask<SocketTicket>("POST", "/api/v1/tickets", { ...cyd, body: { conversation_id: sub } });
    const { socket, said, until } = await listen(`/api/v1/conversations/${sub}/ws?ticket=${ticket}`, {});
    const { seq } = must((await settled(parent, 1, cyd)).at(-1));
    expect(said[0]).toMatchObject({ type: "ready", conversation: { conversation_id: sub, title }, seq, pending: [] });
    expect(said.slice(1, -1)).toEqual(events);
    for (const command of [{ type: "send", message: "hello" }, { type: "resume", message: "yes" }, { type: "cancel" }])
      socket.send(JSON.stringify({ ...command, id: command.type }));
    for (const id of ["send", "resume", "cancel"])
      expect(await until((one) => one.id === id)).toMatchObject({ type: "error", code: "conflict" });
    const late = `/api/v1/conversations/${sub}/ws?after=${must(events[0]).seq}`;
    const rest = await listen(late, cyd);
    expect(rest.said.slice(1, -1)).toEqual(events.slice(1));
    // What happens besides is told to who hears everything, and not here.
    const whole = await listen(`/api/v1/conversations/${parent}/ws?after=${seq}`, cyd);
    await ask("POST", `/api/v1/conversations/${parent}/messages`, { ...cyd, body: { message: "hello" } });
    await whole.until(({ event }) => event === "done");
    expect(rest.said).toHaveLength(events.length + 1);
    expect((await open(late, eve)).status).toBe(404);
    const nobody = `/api/v1/conversations/${sub.slice(0, -16)}${"0".repeat(16)}/ws`;
    expect((await open(nobody, cyd)).status).toBe(404);
  });
});

describe("origins", () => {
  test.each([
    ["a program, which has none", undefined, 101],
    ["our own", ORIGIN, 101],
    ["an allowed one", "https://chat.example", 101],
    ["a foreign one", "https://evil.example", 403],
    ["none of a page's own", "null", 403],
    ["an empty one", "", 403],
    ["one that looks like ours", `${ORIGIN}.evil.example`, 403],
    ["ours with another port", `${ORIGIN}:8443`, 403],
    ["ours without protection", ORIGIN.replace("https:", "http:"), 403],
    ["an allowed one without protection", "http://chat.example", 403],
    ["several", "https://chat.example, https://evil.example", 403],
  ])("%s", async (_, origin, status) => {
    const { headers } = await as("ada");
    const all = origin === undefined ? headers : { ...headers, origin };
    expect((await open(`/api/v1/conversations/${id}/ws`, { env: ALLOWING, headers: all })).status).toBe(status);
  });

  test("a foreign page learns nothing and uses up nothing", async () => {
    const ticket = await ticketFor(id);
    const headers = { origin: "https://evil.example" };
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`, { headers })).status).toBe(403);
    expect((await open(`/api/v1/conversations/none/ws?ticket=x`, { headers })).status).toBe(403);
    expect((await open(`/api/v1/conversations/${id}/ws?ticket=${ticket}`)).status).toBe(101);
  });
});

describe("the way in", () => {
  test("only a WebSocket opens it", async () => {
    const options = await as("ada");
    expect(await refused("GET", `/api/v1/conversations/${id}/ws`, options)).toMatchObject({ code: "invalid_request" });
  });

  test.each(["-1", "NaN", "1.5", "9007199254740992", ""])("after=%s is refused", async (after) => {
    const { headers } = await as("ada");
    expect((await open(`/api/v1/conversations/${id}/ws?after=${after}`, { headers })).status).toBe(400);
  });

  test("[S8] a socket is known until its token expires, whether it came with it or with a ticket", async () => {
    const exp = Math.floor(Date.now() / 1_000) + 100;
    const token = bearer(await signed({ sub: "ada", exp }));
    const asked: string[] = [];
    const object = {
      fetch(url: URL) {
        asked.push(url.searchParams.get("expires_at") ?? "never");
        return Promise.resolve(new Response());
      },
    };
    const CONVERSATION = { getByName: () => object };
    const { ticket } = await ask<SocketTicket>("POST", "/api/v1/tickets", {
      env: BY_SECRET,
      ...token,
      body: { conversation_id: id },
    });
    const env = { ...BY_SECRET, CONVERSATION };
    const path = `/api/v1/conversations/${id}/ws`;
    const upgrade = { upgrade: "websocket" };
    const forged = ticket.replace(/\d+$/, (time) => String(Number(time) + 1));
    expect((await call("GET", `${path}?ticket=${forged}`, { env, headers: upgrade })).status).toBe(401);
    await call("GET", `${path}?ticket=${ticket}`, { env, headers: upgrade });
    await call("GET", path, { env, headers: { ...upgrade, ...token.headers } });
    await call("GET", path, { env, headers: { ...upgrade, ...bearer(await signed({ sub: "ada" })).headers } });
    await call("GET", path, { env: { CONVERSATION }, headers: upgrade });
    const end = String((exp + 30) * 1_000);
    expect(asked).toEqual([end, end, "never", "never"]);
  });

  test("what is ready says how far it is", async () => {
    const { headers } = await as("ada");
    expect((await open(`/api/v1/conversations/${id}/ws?after=1`, { headers })).status).toBe(101);
    expect((await open(`/api/v1/conversations/none/ws`, { headers })).status).toBe(404);
  });
});
