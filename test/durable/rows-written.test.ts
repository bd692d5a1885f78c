// The storage cost of a turn as the runtime counts it: rows written, including alarms.

import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { openConversation, send, TWO_TASKS, waitForDone } from "./support.ts";

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
  const { api, stub } = openConversation();
  const count = await runInDurableObject(stub, (_, { storage }) => countRows(storage));
  const measureRows = async (message: string, threads: number): Promise<number> => {
    const before = count.rows;
    await send(api, message);
    await waitForDone(api, threads);
    return count.rows - before;
  };
  expect(await measureRows("hello", 1), "the first turn, with the tables").toBeLessThanOrEqual(24);
  expect(await measureRows("hello", 2)).toBeLessThanOrEqual(20);
  const twoTasks = await measureRows(TWO_TASKS, 3);
  expect(twoTasks).toBeGreaterThan(20);
  expect(twoTasks).toBeLessThanOrEqual(60);
});
