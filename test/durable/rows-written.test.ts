// The storage cost of a turn as the runtime counts it: rows written, including alarms.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { formatObjectName, unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Env } from "../../src/env.ts";
import { createId } from "../../src/protocol/wire/ids.ts";

const { CONVERSATION } = env as unknown as Env;

/** Counts the rows that the object writes from now on. */
function countRows(storage: DurableObjectStorage): { rows: number } {
  const count = { rows: 0 };
  const { sql } = storage;
  const exec = (query: string, ...bindings: unknown[]) => {
    const cursor = sql.exec(query, ...bindings);
    queueMicrotask(() => (count.rows += cursor.rowsWritten));
    return cursor;
  };
  const counted = new Proxy(sql, {
    get: (target, key) => (key === "exec" ? exec : (Reflect.get(target, key) as unknown)),
  });
  Object.defineProperty(storage, "sql", { value: counted });
  for (const name of ["setAlarm", "deleteAlarm"] as const) {
    const alarm = storage[name].bind(storage) as (...args: unknown[]) => Promise<void>;
    const value = (...args: unknown[]) => {
      count.rows += 1;
      return alarm(...args);
    };
    Object.defineProperty(storage, name, { value });
  }
  return count;
}

test("[L4] a direct answer writes at most 20 rows, a turn of two tasks at most 60", async () => {
  const stub = CONVERSATION.getByName(formatObjectName("ada", createId("conv")));
  const api = stub as unknown as ConversationApi;
  const count = await runInDurableObject(stub, (_, { storage }) => countRows(storage));
  const measureRows = async (message: string, threads: number): Promise<number> => {
    const before = count.rows;
    unwrapResult(await api.send(createId("cmd"), { message }, { create: true }));
    await vi.waitFor(async () => {
      const { events } = unwrapResult(await api.events(0, 10_000));
      expect(events.filter((frame) => frame.event === "done")).toHaveLength(threads);
    });
    return count.rows - before;
  };
  expect(await measureRows("hello", 1), "the first turn, with the tables").toBeLessThanOrEqual(24);
  expect(await measureRows("hello", 2)).toBeLessThanOrEqual(20);
  const twoTasks = await measureRows("首先查询现在时间然后计算678乘以8776的结果", 3);
  expect(twoTasks).toBeGreaterThan(20);
  expect(twoTasks).toBeLessThanOrEqual(60);
});
