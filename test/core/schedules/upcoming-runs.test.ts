// The upcoming runs equal the due times of the ticks, computed one after another for a schedule that runs on time.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeNextRun, listUpcomingRuns } from "../../../src/core/schedules/next-run.ts";
import type { ScheduleConfig } from "../../../src/protocol/schedules/schedule-config.ts";

const parseInstant = (text: string) => Date.parse(text);
const toMinutes = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16));

function listRuns(schedule_config: ScheduleConfig, next: string, now = next): string[] {
  const schedule = { schedule_config, status: "active" as const, next_run_at: parseInstant(next) };
  return toMinutes(listUpcomingRuns(schedule, parseInstant(now) - (now === next ? 1 : 0)));
}

describe("listUpcomingRuns()", () => {
  test("continues an interval from the next run", () => {
    expect(listRuns({ interval_minutes: 90 }, "2026-11-21T23:00Z")).toEqual([
      "2026-11-21T23:00",
      "2026-11-22T00:30",
      "2026-11-22T02:00",
      "2026-11-22T03:30",
      "2026-11-22T05:00",
    ]);
  });

  test("keeps the local time when clocks are set back", () => {
    expect(listRuns({ daily_time: "09:00", timezone: "Europe/Berlin" }, "2026-10-24T07:00Z")).toEqual([
      "2026-10-24T07:00",
      "2026-10-25T08:00",
      "2026-10-26T08:00",
      "2026-10-27T08:00",
      "2026-10-28T08:00",
    ]);
  });

  test("moves a run in a skipped hour to the first instant after it, once", () => {
    const runs = listRuns({ daily_time: "02:30", timezone: "America/New_York" }, "2026-03-07T07:30Z");
    expect(runs.slice(0, 3)).toEqual(["2026-03-07T07:30", "2026-03-08T07:00", "2026-03-09T06:30"]);
  });

  test("skips days that do not match", () => {
    expect(listRuns({ cron: "30 18 * * 1-5", timezone: "Asia/Shanghai" }, "2026-11-26T10:30Z")).toEqual([
      "2026-11-26T10:30",
      "2026-11-27T10:30",
      "2026-11-30T10:30",
      "2026-12-01T10:30",
      "2026-12-02T10:30",
    ]);
  });

  test("returns nothing for a paused schedule or without a next run", () => {
    const schedule_config = { interval_minutes: 5 };
    expect(listUpcomingRuns({ schedule_config, status: "paused", next_run_at: 1 }, 0)).toEqual([]);
    expect(listUpcomingRuns({ schedule_config, status: "active" }, 0)).toEqual([]);
  });

  test("skips missed runs after a late one and keeps the rhythm", () => {
    const late = "2026-11-21T10:17Z";
    expect(listRuns({ interval_minutes: 5 }, "2026-11-21T10:00Z", late).slice(0, 3)).toEqual([
      "2026-11-21T10:00",
      "2026-11-21T10:20",
      "2026-11-21T10:25",
    ]);
    expect(listRuns({ cron: "*/10 * * * *" }, "2026-11-21T10:00Z", late).slice(0, 3)).toEqual([
      "2026-11-21T10:00",
      "2026-11-21T10:20",
      "2026-11-21T10:30",
    ]);
  });

  test("returns the due times of ticks that are on time", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe"];
    const configs = fc.oneof(
      fc.record({ interval_minutes: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({
        cron: fc.constantFrom("*/7 * * * *", "0 2 * * *", "30 1 * * 0", "0 0 29 2 *", "15 2,3 * 3,10 *"),
        timezone: fc.constantFrom(...zones),
      }),
    );
    const moments = fc.integer({ min: parseInstant("2026-01-01T00:00Z"), max: parseInstant("2028-01-01T00:00Z") });
    fc.assert(
      fc.property(configs, moments, (schedule_config, now) => {
        const ticks: number[] = [];
        for (
          let due = computeNextRun(schedule_config, now);
          due !== null && ticks.length < 5;
          due = computeNextRun(schedule_config, due)
        )
          ticks.push(due);
        const schedule = { schedule_config, status: "active" as const, next_run_at: ticks[0] };
        expect(listUpcomingRuns(schedule, now)).toEqual(ticks);
        expect(ticks).toHaveLength(5);
        expect(ticks.toSorted((a, b) => a - b)).toEqual(ticks);
      }),
      { numRuns: 200 },
    );
  });
});
