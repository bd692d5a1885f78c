import { beforeEach, describe, expect, test } from "vitest";
import { putConversation, removeConversation } from "../../src/directory/conversation-directory.ts";
import {
  claimDueTicks,
  countSchedulesOutside,
  findDueSchedules,
  listSchedules,
  putSchedules,
  removeSchedules,
  settleTicks,
  type DueTick,
} from "../../src/directory/schedule-directory.ts";
import { clear, conversationOf, DB, idsOf, many, putAll, rowOf, schedule } from "./rows.ts";

const LEASE = 30_000;
const NOW = 2_000;

beforeEach(clear);

async function claimAll(now = NOW): Promise<DueTick[]> {
  return claimDueTicks(DB, await findDueSchedules(DB, now, 1_000), now, LEASE);
}

async function claimOne(): Promise<DueTick> {
  const [tick] = await claimAll();
  if (tick === undefined) throw new Error("Nothing was due");
  return tick;
}

describe("the list", () => {
  test("is paged, the newest first, and each user has their own", async () => {
    const mine = ["a", "b", "c", "d", "e"].map((id, i) => schedule("ada", id, { created_at: i < 2 ? 7 : i }));
    await putSchedules(DB, [...mine, schedule("bob", "f")]);
    const first = await listSchedules(DB, "ada", 2, null);
    expect(first).toEqual([mine[1], mine[0]]);
    const rest = await listSchedules(DB, "ada", 9, { createdAt: 7, scheduleId: "a" });
    expect(rest).toEqual([mine[4], mine[3], mine[2]]);
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(5);
    expect(await countSchedulesOutside(DB, "ada", "conv-c")).toBe(4);
    expect(await countSchedulesOutside(DB, "nobody", "conv-0")).toBe(0);
  });

  test("keeps the newest word, in whatever order it comes", async () => {
    await putSchedules(DB, [schedule("ada", "a", { title: "new", updated_at: 5, next_run_at: 9_000 })]);
    await putSchedules(DB, [schedule("ada", "a", { title: "old", updated_at: 4 })]);
    expect(await listSchedules(DB, "ada", 9, null)).toMatchObject([{ title: "new", next_run_at: 9_000 }]);
    expect(await rowOf("ada", "a")).toMatchObject({ next_run_at: 9_000 });
  });

  test("takes any number at once, in values that a row has room for", async () => {
    const long = many("ada", 100, { query: "字".repeat(16_384) });
    const sizes: number[] = [];
    await putSchedules(
      sized(DB, (bytes) => sizes.push(bytes)),
      long,
    );
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(100);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect(sizes.length).toBeLessThan(6);
  });

  test("forgets one schedule, or those of a conversation, and nobody else's", async () => {
    const inOne = { conversation_id: "conv-1" };
    await putSchedules(DB, [schedule("ada", "a"), schedule("ada", "b", inOne), schedule("ada", "c", inOne)]);
    await putSchedules(DB, [schedule("bob", "b", inOne)]);
    await removeSchedules(DB, "ada", { schedule_id: "a" });
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(2);
    await removeSchedules(DB, "ada", inOne);
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(0);
    expect(await countSchedulesOutside(DB, "bob", "conv-0")).toBe(1);
  });

  test("[S3] a deleted conversation takes its schedules along", async () => {
    const ids = { conversation_id: "conv-1", user_id: "ada" };
    await putConversation(DB, { ...ids, status: "active", created_at: 1, updated_at: 1 });
    await putSchedules(DB, [schedule("ada", "a", { conversation_id: "conv-1" }), schedule("ada", "b")]);
    await removeConversation(DB, "ada", "conv-1");
    expect(await conversationOf("ada", "conv-1")).toBeUndefined();
    expect(idsOf(await listSchedules(DB, "ada", 9, null))).toEqual(["b"]);
  });
});

/** A database that tells how large the values are that it is given. */
function sized(db: D1Database, tell: (bytes: number) => void): D1Database {
  const bind = (query: string) => (value: string) => {
    tell(new TextEncoder().encode(value).length);
    return db.prepare(query).bind(value);
  };
  return { prepare: (query: string) => ({ bind: bind(query) }) } as unknown as D1Database;
}

describe("what is due", () => {
  test("is what is active and whose time has come", async () => {
    const { next_run_at: _, ...paused } = schedule("ada", "paused", { status: "paused" });
    const later = schedule("ada", "later", { next_run_at: NOW + 1 });
    await putSchedules(DB, [paused, later, schedule("ada", "now", { next_run_at: NOW })]);
    expect(await claimAll()).toEqual([
      { user_id: "ada", schedule_id: "now", conversation_id: "conv-now", due_at: NOW },
    ]);
  });

  test("comes one of each user first, the longest overdue of each, whoever has thousands", async () => {
    const few = Array.from({ length: 10 }, (_, i) => many(`few-${i}`, 2, { next_run_at: 1_500 + i })).flat();
    await putAll([...many("crowd", 3_000), ...few]);
    const due = await findDueSchedules(DB, NOW, 24);
    const everybody = ["crowd", ...Array.from({ length: 10 }, (_, i) => `few-${i}`)];
    expect(due.map(({ user_id }) => user_id)).toEqual([...everybody, ...everybody, "crowd", "crowd"]);
  });

  test("is looked up without reading what is not", async () => {
    await putAll([...many("ada", 500, { next_run_at: NOW + 1 }), ...many("bob", 3)]);
    let read = 0;
    const metered = watched(DB, (rows) => (read += rows));
    expect(await findDueSchedules(metered, NOW - 1, 100)).toHaveLength(3);
    expect(read).toBeLessThan(20);
  });
});

/** A database that tells how many rows its queries read. */
function watched(db: D1Database, tell: (rows: number) => void): D1Database {
  const statement = (of: D1PreparedStatement): object => ({
    bind: (...values: unknown[]) => statement(of.bind(...values)),
    all: async () => {
      const result = await of.all();
      tell(result.meta.rows_read);
      return result;
    },
  });
  return { prepare: (query: string) => statement(db.prepare(query)) } as unknown as D1Database;
}

describe("a claim", () => {
  test("[S1] is one sweep's alone, however many ask at once", async () => {
    await putAll(many("ada", 300));
    const due = await findDueSchedules(DB, NOW, 300);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDueTicks(DB, due, NOW, LEASE)));
    expect(idsOf(claims.flat())).toEqual(idsOf(due));
    // Nor does what is claimed take the place of what is not.
    expect(await findDueSchedules(DB, NOW, 300)).toEqual([]);
  });

  test("lets go when its lease is over", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toHaveLength(1);
    expect(await claimDueTicks(DB, due, NOW + LEASE - 1, LEASE)).toHaveLength(0);
    expect(await claimAll(NOW + LEASE)).toHaveLength(1);
  });

  test.each([
    [60_000, 0],
    [60_001, 1],
  ])("[S1] that stands %i ms ahead, as after the clock was set back, leaves %i ticks to take", async (ahead, free) => {
    await putSchedules(DB, [schedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    expect(await claimDueTicks(DB, due, NOW + ahead - LEASE, LEASE)).toHaveLength(1);
    expect(await findDueSchedules(DB, NOW, 9)).toHaveLength(free);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toHaveLength(free);
    // What was taken from the future is claimed as everything is.
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toEqual([]);
    expect(await findDueSchedules(DB, NOW, 9)).toEqual([]);
  });

  test("is refused once the schedule has moved on", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    await putSchedules(DB, [schedule("ada", "a", { next_run_at: 9_000, updated_at: 2 })]);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toEqual([]);
  });

  test("[S1] stands when the conversation writes meanwhile, as long as the same run is due", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    await claimOne();
    await putSchedules(DB, [schedule("ada", "a", { title: "Evening report", updated_at: 2 })]);
    expect(await claimAll()).toEqual([]);
  });

  test("[S2] is worth nothing for the next run: that one is not a minute late", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    await claimOne();
    await putSchedules(DB, [schedule("ada", "a", { next_run_at: NOW + 5, updated_at: 2 })]);
    expect(await claimAll(NOW + 5)).toMatchObject([{ due_at: NOW + 5 }]);
  });
});

describe("settling", () => {
  test("moves a schedule on to what its conversation answered, and lets go of it", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    await settleTicks(DB, [{ kind: "next", tick: await claimOne(), next_run_at: 7_000 }]);
    expect(await rowOf("ada", "a")).toEqual({ next_run_at: 7_000, claimed_until: 0 });
  });

  test("leaves a schedule that wants no run in the list", async () => {
    await putSchedules(DB, [schedule("ada", "a")]);
    await settleTicks(DB, [{ kind: "next", tick: await claimOne(), next_run_at: null }]);
    expect(await rowOf("ada", "a")).toMatchObject({ next_run_at: null });
    expect(await claimAll(1e12)).toEqual([]);
  });

  test("[S3] removes what is gone", async () => {
    await putSchedules(DB, [schedule("ada", "a"), schedule("bob", "a")]);
    const ticks = await claimAll();
    const mine = ticks.filter(({ user_id }) => user_id === "ada");
    await settleTicks(
      DB,
      mine.map((tick) => ({ kind: "gone", tick })),
    );
    expect(await rowOf("ada", "a")).toBeNull();
    expect(await rowOf("bob", "a")).not.toBeNull();
  });

  test("[S2] changes nothing once the schedule is due at another time", async () => {
    await putSchedules(DB, [schedule("ada", "a"), schedule("ada", "b")]);
    const [a, b] = (await claimAll()).toSorted((x, y) => x.schedule_id.localeCompare(y.schedule_id));
    if (a === undefined || b === undefined) throw new Error("Not both were due");
    const moved = { next_run_at: 9_000, updated_at: 2 };
    await putSchedules(DB, [schedule("ada", "a", moved), schedule("ada", "b", moved)]);
    await settleTicks(DB, [
      { kind: "next", tick: a, next_run_at: 7_000 },
      { kind: "gone", tick: b },
    ]);
    expect(await rowOf("ada", "a")).toMatchObject({ next_run_at: 9_000 });
    expect(await rowOf("ada", "b")).toMatchObject({ next_run_at: 9_000 });
  });

  test("takes a page of both kinds at once", async () => {
    await putAll(many("ada", 100));
    const ticks = await claimAll();
    await settleTicks(
      DB,
      ticks.map((tick, i) => (i % 2 === 0 ? { kind: "next", tick, next_run_at: 90_000 } : { kind: "gone", tick })),
    );
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(50);
    expect(await claimAll(NOW + LEASE)).toEqual([]);
  });
});
