// Daily runs around all clock changes of a year, in the Conversation object. The real sweep finds and delivers due
// runs, often twice or late. The expected runs come from the local time of each zone, without code of the project.

import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { putSchedules } from "../../src/directory/schedule-directory.ts";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { createSql } from "../../src/durable/sql.ts";
import { sweep } from "../../src/http/schedule-sweep.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { createSchedule } from "../directory/schedule-rows.ts";
import { DB, ENV, openConversation, setClock, waitUntil } from "./support.ts";

/** All scheduled times and clock changes are multiples of it. */
const STEP_MS = 15 * 60_000;
/** A sweep with this delay is still on time. */
const LATE_MS = 118_000;

/** Spans of UTC days, each with a clock change in at least one zone. */
const SPANS = [
  [Date.UTC(2027, 2, 12), Date.UTC(2027, 2, 16)],
  [Date.UTC(2027, 2, 26), Date.UTC(2027, 2, 30)],
  [Date.UTC(2027, 3, 2), Date.UTC(2027, 3, 6)],
  [Date.UTC(2027, 9, 1), Date.UTC(2027, 9, 5)],
  [Date.UTC(2027, 9, 29), Date.UTC(2027, 10, 9)],
] as const;

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai"];
const SUBJECTS = ZONES.flatMap((zone) => ["02:30", "09:00"].map((time) => ({ id: createId("task"), zone, time })));
/** Days without 02:30: the run happens at the first instant after the gap. */
const SHIFTED_TIMES = new Map([
  ["Europe/Berlin 2027-03-28 02:30", "03:00"],
  ["America/New_York 2027-03-14 02:30", "03:00"],
]);

afterEach(() => vi.useRealTimers());

test("[S1] a daily schedule runs exactly once per local day at its time, across clock changes and irregular sweeps", async () => {
  const { api, stub, id: conversation } = openConversation();
  setClock(SPANS[0][0]);
  unwrapResult(await api.create());
  const query = { query: "compute 6 * 7", conversation_id: conversation, updated_at: Date.now() };
  await runInDurableObject(stub, (_, { storage }) => {
    const store = new ScheduleStore(createSql(storage));
    for (const { id, zone, time } of SUBJECTS) {
      store.put(createSchedule("ada", id, { ...query, schedule_config: { daily_time: time, timezone: zone } }));
    }
  });
  for (const [from, to] of SPANS) await simulateSpan(api, from, to);
  for (const { id, zone, time } of SUBJECTS) {
    const { results } = unwrapResult(await api.runResults(id, 1_000));
    expect(results.filter(({ status, result }) => status !== "completed" || result?.includes("42") !== true)).toEqual(
      [],
    );
    const days = SPANS.flatMap(([from, to]) => listDays(from, to, zone, time));
    const expected = days.map((day) => `${day} ${SHIFTED_TIMES.get(`${zone} ${day} ${time}`) ?? time}`);
    expect(results.map(({ due_at }) => formatLocalTime(due_at, zone)).toReversed()).toEqual(expected);
  }
  const [berlin] = SUBJECTS;
  const { results } = unwrapResult(await api.runResults(berlin?.id ?? "", 1_000));
  // A repeated local time runs at its first occurrence.
  expect(results.map(({ due_at }) => due_at)).toContain(Date.UTC(2027, 9, 31, 0, 30));
}, 60_000);

/** Simulates a span: the clock moves from due time to due time. */
async function simulateSpan(api: ConversationApi, from: number, to: number): Promise<void> {
  vi.setSystemTime(from);
  const due = new Map<string, number>();
  for (const { id, zone, time } of SUBJECTS) {
    const patch = { schedule_config: { daily_time: time, timezone: zone } };
    const updated = unwrapResult(await api.updateSchedule(id, patch));
    await putSchedules(DB, [updated]);
    due.set(id, updated.next_run_at ?? Infinity);
  }
  for (let sweeps = 0; ; sweeps++) {
    const at = Math.min(...due.values());
    if (at >= to) return;
    vi.setSystemTime(at + (sweeps % 4 === 1 ? LATE_MS : 1_000));
    await Promise.all(Array.from({ length: (sweeps % 3) + 1 }, () => sweep(ENV)));
    for (const [id] of [...due].filter(([, time]) => time === at)) {
      await waitUntil(async () => expect((await readLastRun(api, id))?.status).toBe("completed"));
      due.set(id, unwrapResult(await api.schedule(id)).next_run_at ?? Infinity);
    }
    // Sweep again although nothing is due.
    if (sweeps % 5 === 0) await sweep(ENV);
  }
}

async function readLastRun(api: ConversationApi, id: string) {
  return unwrapResult(await api.runResults(id, 1)).results[0];
}

/** Returns the calendar days of a zone on which a local time lies within the span, excluding its end. */
function listDays(from: number, to: number, zone: string, time: string): string[] {
  const clocks = new Set<string>();
  // A skipped time lies between the times around the gap.
  for (let at = from + STEP_MS; at < to; at += STEP_MS) {
    const [day = "", now = ""] = formatLocalTime(at, zone).split(" ");
    const [, before = ""] = formatLocalTime(at - STEP_MS, zone).split(" ");
    if (now === time || (before < time && time < now)) clocks.add(day);
  }
  return [...clocks];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats an instant as `2027-03-28 02:30`. */
function formatLocalTime(at: number, zone: string): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const options = { timeZone: zone, dateStyle: "short", timeStyle: "short" } as const;
    formats.set(zone, (format = new Intl.DateTimeFormat("sv-SE", options)));
  }
  return format.format(at);
}
