// The Conversation object in the Workers runtime, with the embedded model and the built-in agent.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { listConversations } from "../../src/directory/conversation-directory.ts";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import { readFrames } from "../support/read-frames.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { EMPTY_VIEW, foldFrames } from "../../src/protocol/wire/view.ts";
import { connect, DB, openConversation, queryStorage, send, waitForDone, waitUntil } from "./support.ts";

describe("Conversation", () => {
  test("[U1] returns not_found without creating tables if it does not exist", async () => {
    const { api, stub } = openConversation();
    expect(await api.read()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.events(0, 10)).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.instance()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    const tables = `SELECT name FROM sqlite_master WHERE name IN ('head', 'log', 'step')`;
    expect(await queryStorage(stub, tables)).toEqual([]);
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
    expect(unwrapResult(await api.read()).title, "[F80] without a task, the first message").toBe("Hello");
    const second = await send(api, "thanks");
    expect(second.seq).toBe((events.at(-1)?.seq ?? 0) + 1);
    expect((await waitForDone(api, 2)).filter((frame) => frame.event === "conversation_started")).toHaveLength(1);
    expect(unwrapResult(await api.read()).title).toBe("Hello");
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

  test("[F80] takes its title from the first message until a task exists or the user renames it", async () => {
    const openAskingConversation = async () => {
      const { api } = openConversation();
      await send(api, "every day at 9 tell me the time");
      await waitUntil(async () => expect(unwrapResult(await api.read()).status).toBe("require_user_input"));
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
    const { socket, listFrames, waitFor } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "告诉我现在时间、生成一个随机数、计算123加456" }));
    await waitFor("done");
    const live = foldFrames(EMPTY_VIEW, listFrames());
    await evictDurableObject(stub, { webSockets: "close" });
    const back = await connect(stub);
    await back.waitFor("caught_up");
    const replayed = foldFrames(EMPTY_VIEW, back.listFrames());
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
    const until = (rows: readonly string[]) => waitUntil(async () => expect(await listStatuses()).toEqual(rows));
    await until(["task require_user_input", "whole require_user_input"]);
    await evictDurableObject(stub);
    unwrapResult(await api.resume(createId("cmd"), { message: "Form 1A" }));
    await waitForDone(api);
    await until(["task completed", "whole completed"]);
  });

  test("serves a hibernated socket after an eviction", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.create());
    const { socket, listFrames, listTypes, waitFor } = await connect(stub);
    await waitFor("caught_up");
    await evictDurableObject(stub, { webSockets: "hibernate" });
    socket.send(JSON.stringify({ type: "send", id: "c1", message: "hello" }));
    await waitFor("done");
    expect(listTypes().slice(0, 3)).toEqual(["ready", "conversation_started", "caught_up"]);
    expect(listFrames()).toContainEqual(expect.objectContaining({ type: "ack", id: "c1" }));
  });

  test("[I33] answers every malformed socket message with an error and keeps the socket open", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.create());
    const { socket, listFrames, waitFor } = await connect(stub);
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
    await waitFor("done");
    const errors = listFrames().filter((frame) => "type" in frame && frame.type === "error");
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
    const { socket, listFrames, waitFor } = await connect(stub);
    socket.send(JSON.stringify({ type: "send", id: "quotes", message: '"'.repeat(65_536) }));
    await waitFor("done");
    expect(listFrames()).toContainEqual(expect.objectContaining({ type: "ack", id: "quotes" }));
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
});
