// The conversation object in the real runtime, with the embedded model and the built-in agent.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { listConversations } from "../../src/directory/conversation-directory.ts";
import { formatObjectName, unwrapResult, type ConversationApi } from "../../src/durable/conversation-api.ts";
import type { Env } from "../../src/env.ts";
import { readFrames } from "../../src/http/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { EMPTY_VIEW, foldFrame } from "../../src/protocol/wire/view.ts";

const { CONVERSATION, DB } = env as unknown as Env;

function open(user = "ada", id = createId("conv")) {
  const stub = CONVERSATION.getByName(formatObjectName(user, id));
  return { id, stub, api: stub as unknown as ConversationApi };
}

async function say(api: ConversationApi, message: string, commandId: string = createId("cmd")) {
  return unwrapResult(await api.send(commandId, { message }, { create: true }));
}

async function settled(api: ConversationApi, threads = 1): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const { events } = unwrapResult(await api.events(0, 10_000));
      expect(events.filter((frame) => frame.event === "done")).toHaveLength(threads);
      return events;
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** A socket with everything it has received. */
async function connect(stub: ReturnType<typeof open>["stub"], after = 0) {
  const response = await stub.fetch(`http://orrery/ws?after=${after}`, { headers: { upgrade: "websocket" } });
  const socket = response.webSocket;
  if (socket === null) throw new Error(`No socket: ${response.status}`);
  const frames: ServerFrame[] = [];
  socket.accept();
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data)) as ServerFrame));
  const next = (type: string) =>
    vi.waitFor(
      () => {
        const found = frames.find((frame) => ("type" in frame ? frame.type : frame.event) === type);
        if (found === undefined) throw new Error(`No ${type} yet`);
        return found;
      },
      { timeout: 10_000, interval: 10 },
    );
  return { socket, frames, next };
}

describe("a conversation", () => {
  test("[U1] one that does not exist is not found and leaves no trace", async () => {
    const { api, stub } = open();
    expect(await api.read()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.events(0, 10)).toMatchObject({ ok: false, failure: { code: "not_found" } });
    const tables = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT name FROM sqlite_master WHERE name IN ('head', 'log', 'step')`).toArray(),
    );
    expect(tables).toEqual([]);
  });

  test("[F01] [F02] [L1] a message makes one thread: started first, done last, numbers without a gap", async () => {
    const { api } = open();
    const accepted = await say(api, "hello");
    expect(accepted.seq).toBe(2);
    const events = await settled(api);
    expect(events[0]?.event).toBe("conversation_started");
    expect(events[1]).toMatchObject({
      event: "thread_started",
      data: { role: "user", thread_id: accepted.thread_id, payload: { content: "hello" } },
    });
    expect(events.at(-1)?.event).toBe("done");
    expect(unwrapResult(await api.read())).toMatchObject({ status: "completed", user_id: "ada" });
    const second = await say(api, "thanks");
    expect(second.seq).toBe((events.at(-1)?.seq ?? 0) + 1);
    expect((await settled(api, 2)).filter((frame) => frame.event === "conversation_started")).toHaveLength(1);
  });

  test("[T2] the same command id makes one thread", async () => {
    const { api } = open();
    const first = await say(api, "hello", "c1");
    const again = await say(api, "hello", "c1");
    expect(again).toMatchObject({ thread_id: first.thread_id, seq: first.seq });
    expect((await settled(api)).filter((frame) => frame.event === "thread_started")).toHaveLength(1);
  });

  test("[T1] later messages wait and keep their order", async () => {
    const { api } = open();
    const threads: string[] = [];
    for (const message of ["现在几点了", "hello", "compute 2 + 3"]) threads.push((await say(api, message)).thread_id);
    const events = await settled(api, 3);
    const done = events.filter((frame) => frame.event === "done").map((frame) => frame.data.thread_id);
    expect(done).toEqual(threads);
    const working = events
      .filter((f) => f.event !== "thread_started" && "thread_id" in f.data)
      .map((f) => ("thread_id" in f.data ? f.data.thread_id : ""));
    expect(working).toEqual(working.toSorted((a, b) => threads.indexOf(a ?? "") - threads.indexOf(b ?? "")));
  });

  test("[F38] [F39] the two-part request runs in order and uses the result literally", async () => {
    const { api } = open();
    await say(api, "首先查询现在时间然后计算678乘以8776的结果");
    const events = await settled(api);
    expect(unwrapResult(await api.plans())[0]?.tasks).toHaveLength(2);
    expect(unwrapResult(await api.tasks({})).map((task) => task.status)).toEqual(["completed", "completed"]);
    expect(JSON.stringify(events)).toContain("5950128");
    expect(unwrapResult(await api.read()).title).toBe(unwrapResult(await api.plans())[0]?.tasks[0]?.title);
  });

  test("[F80] a conversation in which no task came up is called after its first message, once", async () => {
    const { api } = open();
    await say(api, "hello there!");
    await settled(api);
    expect(unwrapResult(await api.read()).title).toBe("Hello there");
    await say(api, "thanks");
    await settled(api, 2);
    expect(unwrapResult(await api.read()).title).toBe("Hello there");
  });

  test("[F80] a conversation that asks first goes by its message, until a task comes up or somebody names it", async () => {
    const asking = async () => {
      const { api } = open();
      await say(api, "every day at 9 tell me the time");
      await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toBe("require_user_input"));
      expect(unwrapResult(await api.read()).title).toBe("Every day at 9 tell me the time");
      return api;
    };
    const answered = await asking();
    unwrapResult(await answered.resume("c2", { message: "yes" }));
    await settled(answered);
    const [task] = unwrapResult(await answered.plans())[0]?.tasks ?? [];
    expect(task?.title).toBe("Tell me the time");
    expect(unwrapResult(await answered.read()).title).toBe(task?.title);
    const renamed = await asking();
    unwrapResult(await renamed.update({ title: "Mornings" }));
    unwrapResult(await renamed.resume("c2", { message: "yes" }));
    await settled(renamed);
    expect(unwrapResult(await renamed.read()).title).toBe("Mornings");
  });

  test("[L2] folding history equals folding the live stream, after an eviction too", async () => {
    const { api, stub } = open();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "告诉我现在时间、生成一个随机数、计算123加456" }));
    await next("done");
    const live = frames.reduce(foldFrame, EMPTY_VIEW);
    await evictDurableObject(stub, { webSockets: "close" });
    const back = await connect(stub);
    await back.next("caught_up");
    const replayed = back.frames.reduce(foldFrame, EMPTY_VIEW);
    expect(replayed.items).toEqual(live.items);
    expect(replayed.plans).toEqual(live.plans);
    expect(replayed.threads).toEqual(live.threads);
    expect(replayed.seq).toBe(live.seq);
  });

  test("[F48] what a task that slept came to is listed", async () => {
    const { api, stub, id } = open("sleeper");
    await say(api, "分析一下班级成绩");
    const listed = async () => {
      const conversations = await listConversations(DB, "sleeper", 10, null);
      return conversations.map((one) => `${one.parent_id === id ? "task" : "whole"} ${one.status}`).toSorted();
    };
    const until = (rows: readonly string[]) =>
      vi.waitFor(async () => expect(await listed()).toEqual(rows), { timeout: 10_000, interval: 50 });
    await until(["task require_user_input", "whole require_user_input"]);
    await evictDurableObject(stub);
    unwrapResult(await api.resume(createId("cmd"), { message: "Form 1A" }));
    await settled(api);
    await until(["task completed", "whole completed"]);
  });

  test("a socket that slept through an eviction is still served", async () => {
    const { api, stub } = open();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    await next("caught_up");
    await evictDurableObject(stub, { webSockets: "hibernate" });
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "hello" }));
    await next("done");
    expect(frames.map((frame) => ("type" in frame ? frame.type : frame.event)).slice(0, 3)).toEqual([
      "ready",
      "conversation_started",
      "caught_up",
    ]);
    expect(frames.some((frame) => "type" in frame && frame.type === "ack" && frame.id === "c1")).toBe(true);
  });

  test("[I25] a conversation that has fallen idle has no alarm", async () => {
    const { api, stub } = open();
    await say(api, "hello");
    await settled(api);
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    await vi.waitFor(async () => expect(await alarm()).toBeNull(), { timeout: 15_000, interval: 200 });
  });

  test("[I33] whatever bytes come in, the sender gets an error and the socket goes on", async () => {
    const { api, stub } = open();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    const bad = [
      "",
      "{",
      "null",
      "[]",
      '{"type":"send"}',
      '{"type":"send","id":"x","message":""}',
      '{"type":"send","id":"y","message":"hi","__proto__":{"a":1}}',
      JSON.stringify({ type: "send", id: "z", message: "x".repeat(70_000) }),
      JSON.stringify({ type: "send", id: "far too long", message: "x".repeat(1_000_000) }),
      ` { "id" : "first", "type":"send", "message":"${"x".repeat(1_000_000)}"}`,
      JSON.stringify({ type: "send", message: '{"type":"send","id":"none"', more: "x".repeat(1_000_000) }),
      JSON.stringify({ type: "send", id: "laden", message: "hi", context: { page: "x".repeat(1_000_000) } }),
      JSON.stringify({ type: "send", id: "quoting", message: `,"context":${"x".repeat(1_000_000)}` }),
      JSON.stringify({ type: "resume", id: "r", message: "yes" }),
      JSON.stringify({ type: "cancel", id: "c" }),
    ];
    for (const text of bad) socket.send(text);
    socket.send(new Uint8Array([1, 2, 3]));
    socket.send(JSON.stringify({ type: "send", id: "good", message: "hello" }));
    await next("done");
    const errors = frames.filter((frame) => "type" in frame && frame.type === "error");
    expect(errors).toHaveLength(bad.length + 1);
    for (const id of ["z", "far too long", "first", "quoting"])
      expect(errors).toContainEqual(expect.objectContaining({ id, code: "too_large", field: "message" }));
    const laden = errors.find((error) => "id" in error && error.id === "laden");
    expect(Object.keys(laden ?? {})).toEqual(["type", "code", "message", "id"]);
    expect(errors).not.toContainEqual(expect.objectContaining({ id: "none" }));
    expect(errors).toContainEqual(expect.objectContaining({ id: "x", code: "invalid_request", field: "message" }));
  });

  test("a message of the largest size is taken, however long it is as JSON", async () => {
    const { api, stub } = open();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "quotes", message: '"'.repeat(65_536) }));
    await next("done");
    expect(frames).toContainEqual(expect.objectContaining({ type: "ack", id: "quotes" }));
  });

  test("a reader that follows a thread gets all of it and the end", async () => {
    const { api } = open();
    const { thread_id, seq } = await say(api, "hello");
    const stream = unwrapResult(await api.follow(seq - 1, thread_id));
    const frames = (await new Response(stream).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Frame);
    expect(frames[0]?.event).toBe("thread_started");
    expect(frames.at(-1)?.event).toBe("done");
    const again = unwrapResult(await api.follow(seq - 1, thread_id));
    expect((await new Response(again).text()).trim().split("\n")).not.toHaveLength(0);
    expect(await api.follow(0, createId("th"))).toMatchObject({ ok: false, failure: { code: "not_found" } });
  });

  test("[L2] a reader gets all of a past of twelve megabytes, and what happens then", async () => {
    const { api, stub } = open();
    const { thread_id } = await say(api, "hello");
    await settled(api);
    await runInDurableObject(stub, (_, { storage }) => {
      const payload = { content: "x".repeat(100_000) };
      for (let seq = 101; seq <= 220; seq += 1) {
        const entries = JSON.stringify([{ seq, event: "message", data: { thread_id, role: "agent", payload } }]);
        storage.sql.exec(
          "INSERT INTO log (seq, last, at, scope, entries) VALUES (?, ?, 0, NULL, ?)",
          seq,
          seq,
          entries,
        );
      }
      storage.sql.exec("UPDATE head SET body = json_set(body, '$.reserved', 220)");
    });
    await evictDurableObject(stub);
    const seqs: number[] = [];
    for await (const { seq } of readFrames(unwrapResult(await api.follow(100)))) {
      seqs.push(seq);
      if (seq === 110) await say(api, "hello again");
      if (seq > 220) break;
    }
    expect(seqs).toEqual(Array.from({ length: 121 }, (_, n) => 101 + n));
  });

  test("[F79] [S3] a deleted conversation is gone, and its id can be used again", async () => {
    const { api } = open();
    await say(api, "告诉我现在时间、生成一个随机数、计算123加456");
    unwrapResult(await api.remove());
    expect(await api.read()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await api.items()).toMatchObject({ ok: false });
    expect((await say(api, "hello")).seq).toBe(2);
    await settled(api);
  });

  test("[F78] items are the fold of the events, in order, with times", async () => {
    const { api } = open();
    await say(api, "计算123加456");
    const events = await settled(api);
    const items = unwrapResult(await api.items());
    expect(items.map((item) => item.seq)).toEqual(items.map((item) => item.seq).toSorted((a, b) => a - b));
    expect(items.every((item) => typeof item.created_at === "number")).toBe(true);
    expect(new Set(items.map((item) => item.item_id))).toEqual(
      new Set(events.reduce(foldFrame, EMPTY_VIEW).items.keys()),
    );
  });

  test("[L4] a direct answer writes few rows", async () => {
    const { api, stub } = open();
    await say(api, "hello");
    await settled(api);
    const counted = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT count(*) AS n FROM log`).one(),
    );
    expect(Number(counted["n"])).toBeLessThanOrEqual(6);
  });
});
