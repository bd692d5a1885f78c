import { describe, expect, test, vi } from "vitest";
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import type { LifecycleJobs } from "agents/lifecycle";
import { removeConversation } from "../../src/directory/conversation-directory.ts";
import { listInstances } from "../../src/directory/instance-directory.ts";
import { unwrapResult, type ConversationApi } from "../../src/durable/conversation-api.ts";
import type { Conversation as DurableConversation } from "../../src/durable/conversation.ts";
import { DirectorySync } from "../../src/durable/directory-sync.ts";
import type { ConversationHead } from "../../src/durable/conversation-head.ts";
import type { Env } from "../../src/env.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";
import { conversationOf } from "../directory/rows.ts";

const { CONVERSATION, DB } = env as unknown as Env;

const conversation = (id: string, updatedAt: number, title: string): ConversationInfo => ({
  conversation_id: id,
  user_id: "ada",
  title,
  status: "completed",
  created_at: 1,
  updated_at: updatedAt,
});

type Host = Pick<DurableConversation, "onJob"> & { readonly lifecycle: { readonly jobs: LifecycleJobs } };

/** A log in which nothing was said. */
const logOf = (head: ConversationHead) => ({
  head,
  readThreads: () => new Map<never, never>(),
  readThread: () => ({ frames: [], at: 0 }),
});

/** A directory that fails while `isDown`. */
function fragile(): { db: D1Database; state: { isDown: boolean } } {
  const state = { isDown: true };
  const db = new Proxy(DB, {
    get(target, key) {
      if (state.isDown) throw new Error("D1 is down");
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db, state };
}

/** A directory that notes what it is told, and takes the first of it only when it is to. */
function held(): { db: D1Database; told: string[]; end: () => void } {
  const told: string[] = [];
  const first = Promise.withResolvers<void>();
  const bind = (list: string) => ({
    run: () => (told.push(list) === 1 ? first.promise : Promise.resolve()),
  });
  return { db: { prepare: () => ({ bind }) } as unknown as D1Database, told, end: first.resolve };
}

describe("telling the directory", () => {
  test("[I38] what it could not be told is told later, and the last word counts", async () => {
    const { db, state } = fragile();
    const wakes: number[] = [];
    const indexing = new DirectorySync(
      db,
      () => [],
      (at) => Promise.resolve(wakes.push(at)),
    );
    const id = createId("conv");
    indexing.writeNow(conversation(id, 1, "old"));
    expect(await indexing.flush(conversation(id, 2, "new"), { userId: "ada", conversationId: id })).toMatchObject({
      rescheduleAt: expect.any(Number) as number,
    });
    expect(wakes.length).toBeGreaterThan(0);
    state.isDown = false;
    expect(await indexing.flush(conversation(id, 2, "new"), { userId: "ada", conversationId: id })).toBeUndefined();
    expect((await conversationOf("ada", id))?.title).toBe("new");
  });

  test("who cannot be woken to tell it later is asked to come again, and nothing else fails of it", async () => {
    const indexing = new DirectorySync(
      fragile().db,
      () => [],
      () => Promise.reject(new Error("No alarm can be set")),
    );
    const id = createId("conv");
    const name = { userId: "ada", conversationId: id };
    expect((await indexing.flush(conversation(id, 1, "t"), name))?.rescheduleAt).toBeGreaterThan(Date.now());
    expect(await indexing.remove(name)).toBe(false);
  });

  test("[F79] one that is begun anew under its id while it is deleted is listed", async () => {
    const id = createId("conv");
    const anew = conversation(id, 2, "anew");
    let head: ConversationHead | null = null;
    const indexing = new DirectorySync(
      DB,
      () => [],
      () => Promise.resolve(),
      () => head && logOf(head),
    );
    const removed = indexing.remove({ userId: "ada", conversationId: id });
    head = { conversation: anew, reserved: 0, open: [] };
    indexing.writeNow(anew);
    await removed;
    await vi.waitFor(() => expect(indexing.isUpToDate).toBe(true));
    expect(await conversationOf("ada", id)).toEqual(anew);
  });

  test("[S3] a deletion that it missed is caught up with: no ghost stays listed", async () => {
    const { db, state } = fragile();
    const id = createId("conv");
    state.isDown = false;
    const indexing = new DirectorySync(
      db,
      () => [],
      () => Promise.resolve(),
    );
    await indexing.flush(conversation(id, 1, "t"), { userId: "ada", conversationId: id });
    state.isDown = true;
    expect(await indexing.remove({ userId: "ada", conversationId: id })).toBe(false);
    state.isDown = false;
    expect(await indexing.flush(null, { userId: "ada", conversationId: id })).toBeUndefined();
    expect(await conversationOf("ada", id)).toBeUndefined();
  });

  test("older news changes nothing", async () => {
    const id = createId("conv");
    const indexing = new DirectorySync(
      DB,
      () => [],
      () => Promise.resolve(),
    );
    await indexing.flush(conversation(id, 5, "newer"), { userId: "ada", conversationId: id });
    await indexing.flush(conversation(id, 4, "older"), { userId: "ada", conversationId: id });
    expect((await conversationOf("ada", id))?.title).toBe("newer");
  });

  test("[F76] who looks at the list sees that work goes on, a moment after its message", async () => {
    const id = createId("conv");
    const indexing = new DirectorySync(
      DB,
      () => [],
      () => Promise.resolve(),
    );
    const failed = { ...conversation(id, 1, "t"), status: "failed" } as const;
    await indexing.flush(failed, { userId: "ada", conversationId: id });
    const started = { seq: 9, event: "thread_started", data: {} } as Frame;
    indexing.handleEvents([started], { ...failed, status: "active", updated_at: 2 });
    await vi.waitFor(async () => expect((await conversationOf("ada", id))?.status).toBe("active"));
  });

  test("what is told in the very moment in which a write ends is not lost", async () => {
    const id = createId("conv");
    for (let moments = 0; moments < 16; moments += 1) {
      const { db, told, end } = held();
      const indexing = new DirectorySync(
        db,
        () => [],
        () => Promise.resolve(),
      );
      indexing.writeNow(conversation(id, 1, "old"));
      end();
      for (let n = 0; n < moments; n += 1) await Promise.resolve();
      indexing.writeNow(conversation(id, 2, "new"));
      await new Promise((resolve) => setTimeout(resolve));
      expect(told.at(-1), `after ${moments} moments`).toContain("new");
    }
  });

  test("what goes at the beat is how things stand then", async () => {
    const id = createId("conv");
    const { db, told, end } = held();
    const indexing = new DirectorySync(
      db,
      () => [],
      () => Promise.resolve(),
    );
    const frame = (event: string) => ({ seq: 9, event, data: {} }) as Frame;
    indexing.writeNow(conversation(id, 1, "t"));
    indexing.handleEvents([frame("thread_started")], { ...conversation(id, 2, "t"), status: "active" });
    indexing.handleEvents([frame("done")], conversation(id, 2, "t"));
    end();
    await vi.waitFor(() => expect(indexing.isUpToDate).toBe(true), { timeout: 5_000 });
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toContain('"status":"completed"');
  });

  test("an instance that is started again after its deletion is listed again", async () => {
    const id = createId("conv");
    const wanted = { plan_id: "p", plan_version: 1, name: "n", main_task_id: "m", thread_id: "th", seq: 1 };
    const instance = { ...wanted, plan_instance_id: deriveId(id, "inst") };
    const started = { ...conversation(id, 1, "t"), status: "active" } as const;
    const indexing = new DirectorySync(
      DB,
      () => [],
      () => Promise.resolve(),
      () => logOf({ conversation: started, reserved: 0, open: [], instance }),
    );
    const listed = async () => (await listInstances(DB, "ada", 100, null)).map((one) => one.conversation_id);
    const name = { userId: "ada", conversationId: id };
    await indexing.flush(started, name);
    expect(await listed()).toContain(id);
    await indexing.remove(name);
    expect(await listed()).not.toContain(id);
    await indexing.flush(started, name);
    expect(await listed()).toContain(id);
  });

  test("[I38] a conversation, its new name and its deletion would be told also if the host died at once", async () => {
    const stub = CONVERSATION.getByName(`ada/${createId("conv")}`);
    const api = stub as unknown as ConversationApi;
    const changes = [
      { change: () => api.create("old"), fn: "turns" },
      { change: () => api.update({ title: "new" }), fn: "index" },
      { change: () => api.remove(), fn: "index" },
    ];
    for (const { change, fn } of changes) {
      unwrapResult<unknown>(await change());
      const reminders = await runInDurableObject(stub, async (object) => {
        const { jobs } = (object as unknown as Host).lifecycle;
        const found = jobs.list();
        for (const { id } of found) await jobs.cancel(id);
        return found;
      });
      expect(reminders).toMatchObject([{ fn }]);
    }
  });

  test("[I38] one that was just made is listed also if the host died before it told of it", async () => {
    const id = createId("conv");
    const stubOf = () => CONVERSATION.getByName(`ada/${id}`);
    unwrapResult(await (stubOf() as unknown as ConversationApi).create("made"));
    await vi.waitFor(async () => expect(await conversationOf("ada", id)).not.toBeNull());
    await removeConversation(DB, "ada", id);
    const [job] = await runInDurableObject(stubOf(), (object) => (object as unknown as Host).lifecycle.jobs.list());
    await runInDurableObject(stubOf(), (_, state) => void setTimeout(() => state.abort("The host dies")));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await runInDurableObject(stubOf(), (object) => (object as unknown as Host).onJob({ job } as never));
    expect(await conversationOf("ada", id)).toMatchObject({ title: "made" });
  });

  test("a reminder of what was told since tells nothing", async () => {
    const { db, told, end } = held();
    end();
    const indexing = new DirectorySync(
      db,
      () => [],
      () => Promise.resolve(),
    );
    const [id, name] = ["conv-1", { userId: "ada", conversationId: "conv-1" }];
    indexing.writeNow(conversation(id, 1, "t"));
    await vi.waitFor(() => expect(indexing.isUpToDate).toBe(true));
    const before = told.length;
    expect(before).toBeGreaterThan(0);
    expect(await indexing.flush(conversation(id, 1, "t"), name)).toBeUndefined();
    expect(told).toHaveLength(before);
  });

  test("[F48] the conversations of tasks are listed also if the host died as their message was answered", async () => {
    const id = createId("conv");
    const stubOf = () => CONVERSATION.getByName(`ada/${id}`);
    const api = stubOf() as unknown as ConversationApi;
    unwrapResult(
      await api.send(createId("cmd"), { message: "首先查询现在时间然后计算678乘以8776的结果" }, { create: true }),
    );
    const isDone = async () => expect(unwrapResult(await api.read()).status).toBe("completed");
    await vi.waitFor(isDone, { timeout: 5_000, interval: 5 });
    const tasks = unwrapResult(await api.tasks({}));
    await runInDurableObject(stubOf(), (_, state) => void setTimeout(() => state.abort("The host dies")));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const job = { job: { fn: "index" } } as never;
    await runInDurableObject(stubOf(), (object) => (object as unknown as Host).onJob(job));
    const listed = await Promise.all(tasks.map((task) => conversationOf("ada", task.conversation_id)));
    expect(listed).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  });

  test("a conversation whose clock is set back is told of as before", async () => {
    const id = createId("conv");
    const api = CONVERSATION.getByName(`ada/${id}`) as unknown as ConversationApi;
    const { updated_at: before } = unwrapResult(await api.create("old"));
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(before - 3_600_000);
    expect(unwrapResult(await api.update({ title: "new" }))).toMatchObject({ title: "new", updated_at: before });
    await vi.waitFor(async () => expect((await conversationOf("ada", id))?.title).toBe("new"));
    vi.useRealTimers();
  });

  test("many objects tell it at once in few statements, and each learns that it was told", async () => {
    let statements = 0;
    const counting = new Proxy(DB, {
      get(target, key) {
        if (key === "prepare") statements += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const ids = Array.from({ length: 40 }, () => createId("conv"));
    const tell = (id: string) =>
      runInDurableObject(CONVERSATION.getByName(`ada/${id}`), async () => {
        const indexing = new DirectorySync(
          counting,
          () => [],
          () => Promise.resolve(),
        );
        indexing.handleEvents([{ seq: 9, event: "done", data: {} } as Frame], conversation(id, 1, id));
        await vi.waitFor(() => expect(indexing.isUpToDate).toBe(true), { timeout: 5_000 });
      });
    await Promise.all(ids.map(tell));
    expect(statements).toBeLessThan(ids.length / 2);
    for (const id of ids) expect((await conversationOf("ada", id))?.title).toBe(id);
  });
});
