import { beforeEach, describe, expect, test } from "vitest";
import { putConversation, removeConversation } from "../../src/directory/conversation-directory.ts";
import {
  claimDueTicks,
  countSchedulesOutside,
  findDueSchedules,
  listSchedules,
  putSchedules,
  removeSchedule,
  settleTicks,
  type DueTick,
} from "../../src/directory/schedule-directory.ts";
import {
  clearSchedules,
  findConversation,
  DB,
  listIds,
  createSchedules,
  putAllSchedules,
  readScheduleRow,
  createSchedule,
} from "./schedule-rows.ts";

const LEASE = 30_000;
const NOW = 2_000;

beforeEach(clearSchedules);

async function claimAll(now = NOW): Promise<DueTick[]> {
  return claimDueTicks(DB, await findDueSchedules(DB, now, 1_000), now, LEASE);
}

async function claimOne(): Promise<DueTick> {
  const [tick] = await claimAll();
  if (tick === undefined) throw new Error("Nothing was due");
  return tick;
}

describe("list of schedules", () => {
  test("is paged, newest first, per user", async () => {
    const ownSchedules = ["a", "b", "c", "d", "e"].map((id, i) =>
      createSchedule("ada", id, { created_at: i < 2 ? 7 : i }),
    );
    await putSchedules(DB, [...ownSchedules, createSchedule("bob", "f")]);
    const first = await listSchedules(DB, "ada", 2, null);
    expect(first).toEqual([ownSchedules[1], ownSchedules[0]]);
    const rest = await listSchedules(DB, "ada", 9, { at: 7, id: "a" });
    expect(rest).toEqual([ownSchedules[4], ownSchedules[3], ownSchedules[2]]);
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(5);
    expect(await countSchedulesOutside(DB, "ada", "conv-c")).toBe(4);
    expect(await countSchedulesOutside(DB, "nobody", "conv-0")).toBe(0);
  });

  test("keeps the newest state, whatever the order of writes", async () => {
    await putSchedules(DB, [createSchedule("ada", "a", { title: "new", updated_at: 5, next_run_at: 9_000 })]);
    await putSchedules(DB, [createSchedule("ada", "a", { title: "old", updated_at: 4 })]);
    expect(await listSchedules(DB, "ada", 9, null)).toMatchObject([{ title: "new", next_run_at: 9_000 }]);
    expect(await readScheduleRow("ada", "a")).toMatchObject({ next_run_at: 9_000 });
  });

  test("accepts any number of schedules in values below the size limit", async () => {
    const long = createSchedules("ada", 100, { query: "字".repeat(16_384) });
    const sizes: number[] = [];
    await putSchedules(
      measureValues(DB, (bytes) => sizes.push(bytes)),
      long,
    );
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(100);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect(sizes.length).toBeLessThan(6);
  });

  test("[S3] removes a deleted schedule and those of a deleted conversation, and no others", async () => {
    const ids = { conversation_id: "conv-1", user_id: "ada" };
    await putConversation(DB, { ...ids, status: "active", created_at: 1, updated_at: 1 });
    await putSchedules(DB, [
      createSchedule("ada", "a", { conversation_id: "conv-1" }),
      ...["b", "c"].map((id) => createSchedule("ada", id)),
      ...["a", "c"].map((id) => createSchedule("bob", id, { conversation_id: "conv-1" })),
    ]);
    await removeConversation(DB, "ada", "conv-1");
    await removeSchedule(DB, "ada", "c");
    expect(await findConversation("ada", "conv-1")).toBeUndefined();
    expect(listIds(await listSchedules(DB, "ada", 9, null))).toEqual(["b"]);
    expect(listIds(await listSchedules(DB, "bob", 9, null))).toEqual(["a", "c"]);
  });
});

/** Wraps a database and reports the size of each bound value. */
function measureValues(db: D1Database, report: (bytes: number) => void): D1Database {
  const bind = (query: string) => (value: string) => {
    report(new TextEncoder().encode(value).length);
    return db.prepare(query).bind(value);
  };
  return { prepare: (query: string) => ({ bind: bind(query) }) } as unknown as D1Database;
}

describe("due schedules", () => {
  test("are active and their time has come", async () => {
    const { next_run_at: _, ...paused } = createSchedule("ada", "paused", { status: "paused" });
    const later = createSchedule("ada", "later", { next_run_at: NOW + 1 });
    await putSchedules(DB, [paused, later, createSchedule("ada", "now", { next_run_at: NOW })]);
    expect(await claimAll()).toEqual([
      { user_id: "ada", schedule_id: "now", conversation_id: "conv-now", due_at: NOW },
    ]);
  });

  test("are ordered by one per user first, the longest overdue of each user, even if one user has thousands", async () => {
    const few = Array.from({ length: 10 }, (_, i) => createSchedules(`few-${i}`, 2, { next_run_at: 1_500 + i })).flat();
    await putAllSchedules([...createSchedules("crowd", 3_000), ...few]);
    const due = await findDueSchedules(DB, NOW, 24);
    const userIds = ["crowd", ...Array.from({ length: 10 }, (_, i) => `few-${i}`)];
    expect(due.map(({ user_id }) => user_id)).toEqual([...userIds, ...userIds, "crowd", "crowd"]);
  });

  test("are found without reading other rows", async () => {
    await putAllSchedules([...createSchedules("ada", 500, { next_run_at: NOW + 1 }), ...createSchedules("bob", 3)]);
    let read = 0;
    const metered = countRowsRead(DB, (rows) => (read += rows));
    expect(await findDueSchedules(metered, NOW - 1, 100)).toHaveLength(3);
    expect(read).toBeLessThan(20);
  });
});

/** Wraps a database and reports the number of rows that its queries read. */
function countRowsRead(db: D1Database, report: (rows: number) => void): D1Database {
  const statement = (inner: D1PreparedStatement): object => ({
    bind: (...values: unknown[]) => statement(inner.bind(...values)),
    all: async () => {
      const result = await inner.all();
      report(result.meta.rows_read);
      return result;
    },
  });
  return { prepare: (query: string) => statement(db.prepare(query)) } as unknown as D1Database;
}

describe("claim", () => {
  test("[S1] belongs to one of many concurrent sweeps", async () => {
    await putAllSchedules(createSchedules("ada", 300));
    const due = await findDueSchedules(DB, NOW, 300);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDueTicks(DB, due, NOW, LEASE)));
    expect(listIds(claims.flat())).toEqual(listIds(due));
    // Claimed schedules do not hide unclaimed ones.
    expect(await findDueSchedules(DB, NOW, 300)).toEqual([]);
  });

  test("ends when its lease expires", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toHaveLength(1);
    expect(await claimDueTicks(DB, due, NOW + LEASE - 1, LEASE)).toHaveLength(0);
    expect(await claimAll(NOW + LEASE)).toHaveLength(1);
  });

  test.each([
    [60_000, 0],
    [60_001, 1],
  ])("[S1] that ends %i ms in the future, after the clock was set back, leaves %i ticks free", async (ahead, free) => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    expect(await claimDueTicks(DB, due, NOW + ahead - LEASE, LEASE)).toHaveLength(1);
    expect(await findDueSchedules(DB, NOW, 9)).toHaveLength(free);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toHaveLength(free);
    // A tick that was claimed in spite of it is claimed normally.
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toEqual([]);
    expect(await findDueSchedules(DB, NOW, 9)).toEqual([]);
  });

  test("fails if the schedule has another due time", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    const due = await findDueSchedules(DB, NOW, 9);
    await putSchedules(DB, [createSchedule("ada", "a", { next_run_at: 9_000, updated_at: 2 })]);
    expect(await claimDueTicks(DB, due, NOW, LEASE)).toEqual([]);
  });

  test("[S1] stays valid while the conversation updates the schedule, as long as the due time is the same", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    await claimOne();
    await putSchedules(DB, [createSchedule("ada", "a", { title: "Evening report", updated_at: 2 })]);
    expect(await claimAll()).toEqual([]);
  });

  test("[S2] does not delay the next run", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    await claimOne();
    await putSchedules(DB, [createSchedule("ada", "a", { next_run_at: NOW + 5, updated_at: 2 })]);
    expect(await claimAll(NOW + 5)).toMatchObject([{ due_at: NOW + 5 }]);
  });
});

describe("settleTicks()", () => {
  test("sets the next due time that the conversation returned and releases the claim", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    await settleTicks(DB, [{ kind: "next", tick: await claimOne(), next_run_at: 7_000 }]);
    expect(await readScheduleRow("ada", "a")).toEqual({ next_run_at: 7_000, claimed_until: 0 });
  });

  test("keeps a schedule without a next run in the list", async () => {
    await putSchedules(DB, [createSchedule("ada", "a")]);
    await settleTicks(DB, [{ kind: "next", tick: await claimOne(), next_run_at: null }]);
    expect(await readScheduleRow("ada", "a")).toMatchObject({ next_run_at: null });
    expect(await claimAll(1e12)).toEqual([]);
  });

  test("[S3] removes schedules that no longer exist", async () => {
    await putSchedules(DB, [createSchedule("ada", "a"), createSchedule("bob", "a")]);
    const ticks = await claimAll();
    const ownTicks = ticks.filter(({ user_id }) => user_id === "ada");
    await settleTicks(
      DB,
      ownTicks.map((tick) => ({ kind: "gone", tick })),
    );
    expect(await readScheduleRow("ada", "a")).toBeNull();
    expect(await readScheduleRow("bob", "a")).not.toBeNull();
  });

  test("[S2] changes nothing if the due time has changed", async () => {
    await putSchedules(DB, [createSchedule("ada", "a"), createSchedule("ada", "b")]);
    const [a, b] = (await claimAll()).toSorted((x, y) => x.schedule_id.localeCompare(y.schedule_id));
    if (a === undefined || b === undefined) throw new Error("Not both were due");
    const newDueTime = { next_run_at: 9_000, updated_at: 2 };
    await putSchedules(DB, [createSchedule("ada", "a", newDueTime), createSchedule("ada", "b", newDueTime)]);
    await settleTicks(DB, [
      { kind: "next", tick: a, next_run_at: 7_000 },
      { kind: "gone", tick: b },
    ]);
    expect(await readScheduleRow("ada", "a")).toMatchObject({ next_run_at: 9_000 });
    expect(await readScheduleRow("ada", "b")).toMatchObject({ next_run_at: 9_000 });
  });

  test("accepts both kinds in one batch", async () => {
    await putAllSchedules(createSchedules("ada", 100));
    const ticks = await claimAll();
    await settleTicks(
      DB,
      ticks.map((tick, i) => (i % 2 === 0 ? { kind: "next", tick, next_run_at: 90_000 } : { kind: "gone", tick })),
    );
    expect(await countSchedulesOutside(DB, "ada", "conv-0")).toBe(50);
    expect(await claimAll(NOW + LEASE)).toEqual([]);
  });
});
