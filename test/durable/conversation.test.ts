// The Conversation object in the Workers runtime, with the embedded model and the built-in agent.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { listConversations } from "../../src/directory/conversation-directory.ts";
import { formatObjectName, unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Env } from "../../src/env.ts";
import { readFrames } from "../support/read-frames.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { EMPTY_VIEW, foldFrames } from "../../src/protocol/wire/view.ts";

const { CONVERSATION, DB } = env as unknown as Env;

function openConversation(user = "ada", id = createId("conv")) {
  const stub = CONVERSATION.getByName(formatObjectName(user, id));
  return { id, stub, api: stub as unknown as ConversationApi };
}

async function send(api: ConversationApi, message: string, commandId: string = createId("cmd")) {
  return unwrapResult(await api.send(commandId, { message }, { create: true }));
}

async function waitForDone(api: ConversationApi, threads = 1): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const { events } = unwrapResult(await api.events(0, 10_000));
      expect(events.filter((frame) => frame.event === "done")).toHaveLength(threads);
      return events;
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** Opens a socket that records its frames. */
async function connect(stub: ReturnType<typeof openConversation>["stub"], after = 0) {
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

describe("Conversation", () => {
  test("[U1] returns not_found without creating tables if it does not exist", async () => {
    const { api, stub } = openConversation();
    expect(await api.read()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.events(0, 10)).toMatchObject({ ok: false, failure: { code: "not_found" } });
    const tables = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT name FROM sqlite_master WHERE name IN ('head', 'log', 'step')`).toArray(),
    );
    expect(tables).toEqual([]);
  });

  test("[F01] [F02] [L1] creates one thread per message, with thread_started first, done last and no gaps in seq", async () => {
    const { api } = openConversation();
    const accepted = await send(api, "hello");
    expect(accepted.seq).toBe(2);
    const events = await waitForDone(api);
    expect(events[0]?.event).toBe("conversation_started");
    expect(events[1]).toMatchObject({
      event: "thread_started",
      data: { role: "user", thread_id: accepted.thread_id, payload: { content: "hello" } },
    });
    expect(events.at(-1)?.event).toBe("done");
    expect(unwrapResult(await api.read())).toMatchObject({ status: "completed", user_id: "ada" });
    const second = await send(api, "thanks");
    expect(second.seq).toBe((events.at(-1)?.seq ?? 0) + 1);
    expect((await waitForDone(api, 2)).filter((frame) => frame.event === "conversation_started")).toHaveLength(1);
  });

  test("[T1] queues later messages and keeps their order", async () => {
    const { api } = openConversation();
    const threads: string[] = [];
    for (const message of ["现在几点了", "hello", "compute 2 + 3"]) threads.push((await send(api, message)).thread_id);
    const events = await waitForDone(api, 3);
    const done = events.filter((frame) => frame.event === "done").map((frame) => frame.data.thread_id);
    expect(done).toEqual(threads);
    const working = events
      .filter((f) => f.event !== "thread_started" && "thread_id" in f.data)
      .map((f) => ("thread_id" in f.data ? f.data.thread_id : ""));
    expect(working).toEqual(working.toSorted((a, b) => threads.indexOf(a ?? "") - threads.indexOf(b ?? "")));
  });

  test("[F38] [F39] runs a two-part request in order and passes the result on unchanged", async () => {
    const { api } = openConversation();
    await send(api, "首先查询现在时间然后计算678乘以8776的结果");
    const events = await waitForDone(api);
    expect(unwrapResult(await api.plans())[0]?.tasks).toHaveLength(2);
    expect(unwrapResult(await api.tasks({})).map((task) => task.status)).toEqual(["completed", "completed"]);
    expect(JSON.stringify(events)).toContain("5950128");
    expect(unwrapResult(await api.read()).title).toBe(unwrapResult(await api.plans())[0]?.tasks[0]?.title);
  });

  test("[F80] takes its title from the first message if there is no task", async () => {
    const { api } = openConversation();
    await send(api, "hello there!");
    await waitForDone(api);
    expect(unwrapResult(await api.read()).title).toBe("Hello there");
    await send(api, "thanks");
    await waitForDone(api, 2);
    expect(unwrapResult(await api.read()).title).toBe("Hello there");
  });

  test("[F80] takes its title from the first message until a task exists or the user renames it", async () => {
    const openAskingConversation = async () => {
      const { api } = openConversation();
      await send(api, "every day at 9 tell me the time");
      await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toBe("require_user_input"));
      expect(unwrapResult(await api.read()).title).toBe("Every day at 9 tell me the time");
      return api;
    };
    const answered = await openAskingConversation();
    unwrapResult(await answered.resume("c2", { message: "yes" }));
    await waitForDone(answered);
    const [task] = unwrapResult(await answered.plans())[0]?.tasks ?? [];
    expect(task?.title).toBe("Tell me the time");
    expect(unwrapResult(await answered.read()).title).toBe(task?.title);
    const renamed = await openAskingConversation();
    unwrapResult(await renamed.update({ title: "Mornings" }));
    unwrapResult(await renamed.resume("c2", { message: "yes" }));
    await waitForDone(renamed);
    expect(unwrapResult(await renamed.read()).title).toBe("Mornings");
  });

  test("[L2] replays the same view as the live stream after an eviction", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "告诉我现在时间、生成一个随机数、计算123加456" }));
    await next("done");
    const live = foldFrames(EMPTY_VIEW, frames);
    await evictDurableObject(stub, { webSockets: "close" });
    const back = await connect(stub);
    await back.next("caught_up");
    const replayed = foldFrames(EMPTY_VIEW, back.frames);
    expect(replayed.items).toEqual(live.items);
    expect(replayed.plans).toEqual(live.plans);
    expect(replayed.threads).toEqual(live.threads);
    expect(replayed.seq).toBe(live.seq);
  });

  test("[F48] lists the final status of a task that waited through an eviction", async () => {
    const { api, stub, id } = openConversation("sleeper");
    await send(api, "分析一下班级成绩");
    const listStatuses = async () => {
      const conversations = await listConversations(DB, "sleeper", 10, null);
      return conversations.map((one) => `${one.parent_id === id ? "task" : "whole"} ${one.status}`).toSorted();
    };
    const until = (rows: readonly string[]) =>
      vi.waitFor(async () => expect(await listStatuses()).toEqual(rows), { timeout: 10_000, interval: 50 });
    await until(["task require_user_input", "whole require_user_input"]);
    await evictDurableObject(stub);
    unwrapResult(await api.resume(createId("cmd"), { message: "Form 1A" }));
    await waitForDone(api);
    await until(["task completed", "whole completed"]);
  });

  test("serves a hibernated socket after an eviction", async () => {
    const { api, stub } = openConversation();
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

  test("[I25] has no alarm when it is idle", async () => {
    const { api, stub } = openConversation();
    await send(api, "hello");
    await waitForDone(api);
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    await vi.waitFor(async () => expect(await alarm()).toBeNull(), { timeout: 15_000, interval: 200 });
  });

  test("[I33] answers every malformed socket message with an error and keeps the socket open", async () => {
    const { api, stub } = openConversation();
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

  test("accepts a message of the maximum size, however long its JSON is", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.create());
    const { socket, frames, next } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "quotes", message: '"'.repeat(65_536) }));
    await next("done");
    expect(frames).toContainEqual(expect.objectContaining({ type: "ack", id: "quotes" }));
  });

  test("follow() returns all frames of a thread and its end", async () => {
    const { api } = openConversation();
    const { thread_id, seq } = await send(api, "hello");
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

  test("[L2] follow() returns a history of 12 MB and continues with new events", async () => {
    const { api, stub } = openConversation();
    const { thread_id } = await send(api, "hello");
    await waitForDone(api);
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
      if (seq === 110) await send(api, "hello again");
      if (seq > 220) break;
    }
    expect(seqs).toEqual(Array.from({ length: 121 }, (_, n) => 101 + n));
  });

  test("[F79] [S3] is removed completely, and its id can be used again", async () => {
    const { api } = openConversation();
    await send(api, "告诉我现在时间、生成一个随机数、计算123加456");
    unwrapResult(await api.remove());
    expect(await api.read()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await api.items()).toMatchObject({ ok: false });
    expect((await send(api, "hello")).seq).toBe(2);
    await waitForDone(api);
  });

  test("[F78] returns items that equal the folded events, in order, with times", async () => {
    const { api } = openConversation();
    await send(api, "计算123加456");
    const events = await waitForDone(api);
    const items = unwrapResult(await api.items());
    expect(items.map((item) => item.seq)).toEqual(items.map((item) => item.seq).toSorted((a, b) => a - b));
    expect(items.every((item) => typeof item.created_at === "number")).toBe(true);
    expect(new Set(items.map((item) => item.item_id))).toEqual(new Set(foldFrames(EMPTY_VIEW, events).items.keys()));
  });

  test("[L4] writes at most six log rows for a direct answer", async () => {
    const { api, stub } = openConversation();
    await send(api, "hello");
    await waitForDone(api);
    const counted = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT count(*) AS n FROM log`).one(),
    );
    expect(Number(counted["n"])).toBeLessThanOrEqual(6);
  });
});
