import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import type { LifecycleJobs } from "agents/lifecycle";
import { removeConversation } from "../../src/directory/conversation-directory.ts";
import { listInstances } from "../../src/directory/instance-directory.ts";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { Conversation } from "../../src/durable/conversation/conversation.ts";
import { DirectorySync } from "../../src/durable/conversation/directory-sync.ts";
import type { ConversationHead } from "../../src/durable/conversation/storage/conversation-head.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";
import { findConversation } from "../directory/schedule-rows.ts";
import { DB, openConversation, runInside, send, setClock, TWO_TASKS, waitUntil } from "./support.ts";

/** Creates the sync of one conversation. `getHead` returns its loaded head, `wakeAt` arranges a flush. */
function createSync(
  db: D1Database = DB,
  getHead: () => ConversationHead | null = () => null,
  wakeAt: (at: number) => Promise<unknown> = () => Promise.resolve(),
): DirectorySync {
  const log = {
    get head() {
      return ensurePresent(getHead(), "the head");
    },
    readThreads: () => Promise.resolve(new Map<never, never>()),
    readThread: () => ({ frames: [], at: 0 }),
  };
  return new DirectorySync(
    db,
    () => [],
    wakeAt,
    () => (getHead() === null ? null : log),
  );
}

const createInfo = (id: string, updatedAt: number, title: string): ConversationInfo => ({
  conversation_id: id,
  user_id: "ada",
  title,
  status: "completed",
  created_at: 1,
  updated_at: updatedAt,
});

const listJobs = (conversation: Conversation) =>
  (conversation as unknown as { readonly lifecycle: { readonly jobs: LifecycleJobs } }).lifecycle.jobs;

/** Kills the host of an object. */
async function crash({ stub }: ReturnType<typeof openConversation>): Promise<void> {
  await runInDurableObject(stub, (_, state) => void setTimeout(() => state.abort("The host dies")));
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Creates a directory that fails while `isDown`. */
function createFailingDirectory(): { db: D1Database; state: { isDown: boolean } } {
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

/** Creates a directory that records its writes and completes the first one when `end` is called. */
function createHeldDirectory(): { db: D1Database; writes: string[]; end: () => void } {
  const writes: string[] = [];
  const first = Promise.withResolvers<void>();
  const bind = (list: string) => ({
    run: () => (writes.push(list) === 1 ? first.promise : Promise.resolve()),
  });
  return { db: { prepare: () => ({ bind }) } as unknown as D1Database, writes, end: first.resolve };
}

describe("DirectorySync", () => {
  test("[I38] repeats failed writes later, with the newest state", async () => {
    const { db, state } = createFailingDirectory();
    const wakes: number[] = [];
    const sync = createSync(db, undefined, (at) => Promise.resolve(wakes.push(at)));
    const id = createId("conv");
    sync.writeNow(createInfo(id, 1, "old"));
    expect(await sync.flush(createInfo(id, 2, "new"), { userId: "ada", conversationId: id })).toMatchObject({
      rescheduleAt: expect.any(Number) as number,
    });
    expect(wakes.length).toBeGreaterThan(0);
    state.isDown = false;
    expect(await sync.flush(createInfo(id, 2, "new"), { userId: "ada", conversationId: id })).toBeUndefined();
    expect((await findConversation("ada", id))?.title).toBe("new");
  });

  test("asks to be rescheduled if no alarm can be set, and does not fail otherwise", async () => {
    const failing = () => Promise.reject(new Error("No alarm can be set"));
    const sync = createSync(createFailingDirectory().db, undefined, failing);
    const id = createId("conv");
    const name = { userId: "ada", conversationId: id };
    expect((await sync.flush(createInfo(id, 1, "t"), name))?.rescheduleAt).toBeGreaterThan(Date.now());
    expect(await sync.remove(name)).toBe(false);
  });

  test("[F79] lists a conversation that is created again under its id during its deletion", async () => {
    const id = createId("conv");
    const recreated = createInfo(id, 2, "anew");
    let head: ConversationHead | null = null;
    const sync = createSync(DB, () => head);
    const removed = sync.remove({ userId: "ada", conversationId: id });
    head = { conversation: recreated, reserved: 0, open: [] };
    sync.writeNow(recreated);
    await removed;
    await vi.waitFor(() => expect(sync.isUpToDate).toBe(true));
    expect(await findConversation("ada", id)).toEqual(recreated);
  });

  test("[F79] lists a conversation that is created again even if the response to its deletion was lost", async () => {
    const id = createId("conv");
    const name = { userId: "ada", conversationId: id };
    const recreated = createInfo(id, 2, "anew");
    let head: ConversationHead | null = null;
    const mayDelete = Promise.withResolvers<void>();
    const batch = async (statements: D1PreparedStatement[]) => {
      await mayDelete.promise;
      await DB.batch(statements);
      throw new Error("Network connection lost.");
    };
    const db = { batch, prepare: (query: string) => DB.prepare(query) } as unknown as D1Database;
    const wakes: number[] = [];
    const sync = createSync(
      db,
      () => head,
      (at) => Promise.resolve(wakes.push(at)),
    );
    const removed = sync.remove(name);
    head = { conversation: recreated, reserved: 0, open: [] };
    sync.writeNow(recreated);
    await vi.waitFor(async () => expect(await findConversation("ada", id)).toEqual(recreated));
    await vi.waitFor(() => expect(sync.isUpToDate).toBe(true));
    mayDelete.resolve();
    expect(await removed).toBe(false);
    expect(wakes).toHaveLength(1);
    expect(await findConversation("ada", id)).toBeUndefined();
    expect(await sync.flush(recreated, name)).toBeUndefined();
    expect(await findConversation("ada", id)).toEqual(recreated);
  });

  test("[S3] repeats a failed deletion, so that no deleted conversation stays listed", async () => {
    const { db, state } = createFailingDirectory();
    const id = createId("conv");
    state.isDown = false;
    const sync = createSync(db);
    await sync.flush(createInfo(id, 1, "t"), { userId: "ada", conversationId: id });
    state.isDown = true;
    expect(await sync.remove({ userId: "ada", conversationId: id })).toBe(false);
    state.isDown = false;
    expect(await sync.flush(null, { userId: "ada", conversationId: id })).toBeUndefined();
    expect(await findConversation("ada", id)).toBeUndefined();
  });

  test("ignores an older state", async () => {
    const id = createId("conv");
    const sync = createSync();
    await sync.flush(createInfo(id, 5, "newer"), { userId: "ada", conversationId: id });
    await sync.flush(createInfo(id, 4, "older"), { userId: "ada", conversationId: id });
    expect((await findConversation("ada", id))?.title).toBe("newer");
  });

  test("[F76] lists a conversation as active shortly after its message", async () => {
    const id = createId("conv");
    const sync = createSync();
    const failed = { ...createInfo(id, 1, "t"), status: "failed" } as const;
    await sync.flush(failed, { userId: "ada", conversationId: id });
    const started = { seq: 9, event: "thread_started", data: {} } as Frame;
    sync.handleEvents([started], { ...failed, status: "active", updated_at: 2 });
    await vi.waitFor(async () => expect((await findConversation("ada", id))?.status).toBe("active"));
  });

  test("loses no update that arrives while a write ends", async () => {
    const id = createId("conv");
    for (let moments = 0; moments < 16; moments += 1) {
      const { db, writes, end } = createHeldDirectory();
      const sync = createSync(db);
      sync.writeNow(createInfo(id, 1, "old"));
      end();
      for (let n = 0; n < moments; n += 1) await Promise.resolve();
      sync.writeNow(createInfo(id, 2, "new"));
      await new Promise((resolve) => setTimeout(resolve));
      expect(writes.at(-1), `after ${moments} moments`).toContain("new");
    }
  });

  test("writes the newest state when a delayed write starts", async () => {
    const id = createId("conv");
    const { db, writes, end } = createHeldDirectory();
    const sync = createSync(db);
    const frame = (event: string) => ({ seq: 9, event, data: {} }) as Frame;
    sync.writeNow(createInfo(id, 1, "t"));
    sync.handleEvents([frame("thread_started")], { ...createInfo(id, 2, "t"), status: "active" });
    sync.handleEvents([frame("done")], createInfo(id, 2, "t"));
    end();
    await vi.waitFor(() => expect(sync.isUpToDate).toBe(true), { timeout: 5_000 });
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.at(-1)).toContain('"status":"completed"');
  });

  test("lists an instance again that is started again after its deletion", async () => {
    const id = createId("conv");
    const instanceFields = { plan_id: "p", plan_version: 1, name: "n", main_task_id: "m", thread_id: "th", seq: 1 };
    const instance = { ...instanceFields, plan_instance_id: deriveId(id, "inst") };
    const started = { ...createInfo(id, 1, "t"), status: "active" } as const;
    const sync = createSync(DB, () => ({ conversation: started, reserved: 0, open: [], instance }));
    const listed = async () => (await listInstances(DB, "ada", 100, null)).map((one) => one.conversation_id);
    const name = { userId: "ada", conversationId: id };
    await sync.flush(started, name);
    expect(await listed()).toContain(id);
    await sync.remove(name);
    expect(await listed()).not.toContain(id);
    await sync.flush(started, name);
    expect(await listed()).toContain(id);
  });

  test("[I38] stores a job before it acknowledges a creation, rename or deletion", async () => {
    const { api, stub } = openConversation();
    const changes = [
      { change: () => api.create("old"), fn: "turns" },
      { change: () => api.update({ title: "new" }), fn: "index" },
      { change: () => api.remove(), fn: "index" },
    ];
    for (const { change, fn } of changes) {
      unwrapResult<unknown>(await change());
      const reminders = await runInside(stub, async (object) => {
        const jobs = listJobs(object);
        const found = jobs.list();
        for (const { id } of found) await jobs.cancel(id);
        return found;
      });
      expect(reminders).toMatchObject([{ fn }]);
    }
  });

  test("[I38] lists a created conversation after a crash before its first write", async () => {
    const id = createId("conv");
    unwrapResult(await openConversation("ada", id).api.create("made"));
    await vi.waitFor(async () => expect(await findConversation("ada", id)).not.toBeNull());
    await removeConversation(DB, "ada", id);
    const [job] = await runInside(openConversation("ada", id).stub, async (object) => listJobs(object).list());
    await crash(openConversation("ada", id));
    await runInside(openConversation("ada", id).stub, (object) => object.onJob({ job } as never));
    expect(await findConversation("ada", id)).toMatchObject({ title: "made" });
  });

  test("writes nothing for a job whose state is already written", async () => {
    const { db, writes, end } = createHeldDirectory();
    end();
    const sync = createSync(db);
    const [id, name] = ["conv-1", { userId: "ada", conversationId: "conv-1" }];
    sync.writeNow(createInfo(id, 1, "t"));
    await vi.waitFor(() => expect(sync.isUpToDate).toBe(true));
    const before = writes.length;
    expect(before).toBeGreaterThan(0);
    expect(await sync.flush(createInfo(id, 1, "t"), name)).toBeUndefined();
    expect(writes).toHaveLength(before);
  });

  test("[F48] lists the conversations of tasks after a crash directly after the thread ended", async () => {
    const id = createId("conv");
    const { api } = openConversation("ada", id);
    await send(api, TWO_TASKS);
    await waitUntil(async () => expect(unwrapResult(await api.read()).status).toBe("completed"));
    const tasks = unwrapResult(await api.tasks({}));
    await crash(openConversation("ada", id));
    await runInside(openConversation("ada", id).stub, (object) => object.onJob({ job: { fn: "index" } } as never));
    const listed = await Promise.all(tasks.map((task) => findConversation("ada", task.conversation_id)));
    expect(listed).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  });

  test("updates a conversation whose clock is set back", async () => {
    const id = createId("conv");
    const { api } = openConversation("ada", id);
    const { updated_at: before } = unwrapResult(await api.create("old"));
    setClock(before - 3_600_000);
    expect(unwrapResult(await api.update({ title: "new" }))).toMatchObject({ title: "new", updated_at: before });
    await vi.waitFor(async () => expect((await findConversation("ada", id))?.title).toBe("new"));
    vi.useRealTimers();
  });

  test("batches the writes of many objects and reports success to each", async () => {
    let statements = 0;
    const counting = new Proxy(DB, {
      get(target, key) {
        if (key === "prepare") statements += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const ids = Array.from({ length: 40 }, () => createId("conv"));
    const syncConversation = (id: string) =>
      runInDurableObject(openConversation("ada", id).stub, async () => {
        const sync = createSync(counting);
        sync.handleEvents([{ seq: 9, event: "done", data: {} } as Frame], createInfo(id, 1, id));
        await vi.waitFor(() => expect(sync.isUpToDate).toBe(true), { timeout: 5_000 });
      });
    await Promise.all(ids.map(syncConversation));
    expect(statements).toBeLessThan(ids.length / 2);
    for (const id of ids) expect((await findConversation("ada", id))?.title).toBe(id);
  });
});
