import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WriteBatcher } from "../../src/directory/write-batcher.ts";
import type { Env } from "../../src/env.ts";

const { LIBRARY } = env as unknown as Env;

afterEach(() => void vi.useRealTimers());

/** Writes that end when they are told to, in the order in which they were begun. */
function slowly() {
  const begun: { rows: readonly string[]; end: () => void; fail: (thrown: Error) => void }[] = [];
  const write = (rows: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begun.push({ rows, end: resolve, fail: reject });
    return promise;
  };
  const turn = async (n: number) => {
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(n));
    return begun[n] as (typeof begun)[number];
  };
  return { begun, write, turn };
}

describe("writing together", () => {
  test("what comes while a write is under way goes with the next one", async () => {
    const { begun, write, turn } = slowly();
    const together = new WriteBatcher<string>();
    const puts = [together.write(["a"], write)];
    const first = await turn(0);
    puts.push(together.write(["b"], write), together.write(["c"], write));
    first.end();
    const second = await turn(1);
    puts.push(together.write(["d", "e"], write));
    second.end();
    await Promise.all(puts.slice(0, 3));
    (await turn(2)).end();
    await Promise.all(puts);
    expect(begun.map(({ rows }) => rows)).toEqual([["a"], ["b", "c"], ["d", "e"]]);
  });

  test("nobody hears that it is written before it is", async () => {
    const { write, turn } = slowly();
    const together = new WriteBatcher<string>();
    const done: string[] = [];
    const put = (row: string) => together.write([row], write).then(() => done.push(row));
    const puts = [put("a")];
    const first = await turn(0);
    puts.push(put("b"), put("c"));
    first.end();
    const second = await turn(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toEqual(["a"]);
    second.end();
    await Promise.all(puts);
    expect(done.toSorted()).toEqual(["a", "b", "c"]);
  });

  test("what fails for many is tried by each: only whose row is bad suffers", async () => {
    const written: string[] = [];
    const write = async (rows: readonly string[]) => {
      await Promise.resolve();
      if (rows.includes("bad")) throw new Error("A bad row");
      written.push(...rows);
    };
    const together = new WriteBatcher<string>();
    const ends = await Promise.allSettled(["a", "b", "bad", "c"].map((row) => together.write([row], write)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(written.toSorted()).toEqual(["a", "b", "c"]);
    await expect(together.write(["bad"], write)).rejects.toThrow("A bad row");
    await together.write(["d"], write);
    expect(written.toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("the writer may be taken away in the middle: the others write by themselves, and so do those who come later", async () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const write = (rows: readonly string[]) => Promise.resolve(void written.push(...rows));
    const together = new WriteBatcher<string>();
    void together.write(["gone"], () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(0);
    const puts = ["a", "b"].map((row) => together.write([row], write));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    await Promise.all(puts);
    await together.write(["c"], write);
    expect(written.toSorted()).toEqual(["a", "b", "c"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an object that is reset in the middle of its write holds the others up for seconds only", async () => {
    const written: string[] = [];
    const write = (rows: readonly string[]) => Promise.resolve(void written.push(...rows));
    const together = new WriteBatcher<string>();
    const lost = LIBRARY.getByName("together-lost");
    await runInDurableObject(lost, () => void together.write(["gone"], () => new Promise(() => {})));
    const waiting = ["a", "b"].map((row) =>
      runInDurableObject(LIBRARY.getByName(`together-${row}`), () => together.write([row], write)),
    );
    await runInDurableObject(lost, (_, state) => state.abort("The object is reset")).catch(() => undefined);
    await Promise.all(waiting);
    expect(written.toSorted()).toEqual(["a", "b"]);
  });

  test("hundreds at once go in few writes, each row once", async () => {
    const writes: (readonly string[])[] = [];
    const write = async (rows: readonly string[]) => {
      await Promise.resolve();
      writes.push(rows);
    };
    const together = new WriteBatcher<string>();
    const rows = Array.from({ length: 500 }, (_, n) => `row ${n}`);
    await Promise.all(rows.map((row) => together.write([row], write)));
    expect(writes.flat()).toEqual(rows);
    expect(writes.length).toBeLessThan(10);
  });
});
