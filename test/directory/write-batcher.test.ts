import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WriteBatcher } from "../../src/directory/write-batcher.ts";
import type { Env } from "../../src/env.ts";

const { LIBRARY } = env as unknown as Env;

afterEach(() => void vi.useRealTimers());

/** Creates writes that the test completes, in the order in which they started. */
function createControlledWrites() {
  const started: { rows: readonly string[]; end: () => void; fail: (thrown: Error) => void }[] = [];
  const write = (rows: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    started.push({ rows, end: resolve, fail: reject });
    return promise;
  };
  const waitForWrite = async (n: number) => {
    await vi.waitFor(() => expect(started.length).toBeGreaterThan(n));
    return started[n] as (typeof started)[number];
  };
  return { started, write, waitForWrite };
}

describe("WriteBatcher", () => {
  test("writes rows that arrive during a write with the next one", async () => {
    const { started, write, waitForWrite } = createControlledWrites();
    const batcher = new WriteBatcher<string>();
    const puts = [batcher.write(["a"], write)];
    const first = await waitForWrite(0);
    puts.push(batcher.write(["b"], write), batcher.write(["c"], write));
    first.end();
    const second = await waitForWrite(1);
    puts.push(batcher.write(["d", "e"], write));
    second.end();
    await Promise.all(puts.slice(0, 3));
    (await waitForWrite(2)).end();
    await Promise.all(puts);
    expect(started.map(({ rows }) => rows)).toEqual([["a"], ["b", "c"], ["d", "e"]]);
  });

  test("resolves only after the row is written", async () => {
    const { write, waitForWrite } = createControlledWrites();
    const batcher = new WriteBatcher<string>();
    const done: string[] = [];
    const put = (row: string) => batcher.write([row], write).then(() => done.push(row));
    const puts = [put("a")];
    const first = await waitForWrite(0);
    puts.push(put("b"), put("c"));
    first.end();
    const second = await waitForWrite(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toEqual(["a"]);
    second.end();
    await Promise.all(puts);
    expect(done.toSorted()).toEqual(["a", "b", "c"]);
  });

  test("retries a failed batch row by row, so that only the invalid row fails", async () => {
    const written: string[] = [];
    const write = async (rows: readonly string[]) => {
      await Promise.resolve();
      if (rows.includes("bad")) throw new Error("A bad row");
      written.push(...rows);
    };
    const batcher = new WriteBatcher<string>();
    const ends = await Promise.allSettled(["a", "b", "bad", "c"].map((row) => batcher.write([row], write)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(written.toSorted()).toEqual(["a", "b", "c"]);
    await expect(batcher.write(["bad"], write)).rejects.toThrow("A bad row");
    await batcher.write(["d"], write);
    expect(written.toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("continues without a writer that never returns, also for later rows", async () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const write = (rows: readonly string[]) => Promise.resolve(void written.push(...rows));
    const batcher = new WriteBatcher<string>();
    void batcher.write(["gone"], () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(0);
    const puts = ["a", "b"].map((row) => batcher.write([row], write));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    await Promise.all(puts);
    await batcher.write(["c"], write);
    expect(written.toSorted()).toEqual(["a", "b", "c"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("delays others only for seconds if an object is reset during its write", async () => {
    const written: string[] = [];
    const write = (rows: readonly string[]) => Promise.resolve(void written.push(...rows));
    const batcher = new WriteBatcher<string>();
    const lost = LIBRARY.getByName("together-lost");
    await runInDurableObject(lost, () => void batcher.write(["gone"], () => new Promise(() => {})));
    const waiting = ["a", "b"].map((row) =>
      runInDurableObject(LIBRARY.getByName(`together-${row}`), () => batcher.write([row], write)),
    );
    await runInDurableObject(lost, (_, state) => state.abort("The object is reset")).catch(() => undefined);
    await Promise.all(waiting);
    expect(written.toSorted()).toEqual(["a", "b"]);
  });

  test("writes hundreds of concurrent rows in few batches, each row once", async () => {
    const writes: (readonly string[])[] = [];
    const write = async (rows: readonly string[]) => {
      await Promise.resolve();
      writes.push(rows);
    };
    const batcher = new WriteBatcher<string>();
    const rows = Array.from({ length: 500 }, (_, n) => `row ${n}`);
    await Promise.all(rows.map((row) => batcher.write([row], write)));
    expect(writes.flat()).toEqual(rows);
    expect(writes.length).toBeLessThan(10);
  });
});
