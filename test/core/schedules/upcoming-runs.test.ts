// The runs ahead are those that the ticks will be: reckoned one after another, as a schedule that runs in time moves on.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeNextRun } from "../../../src/core/schedules/next-run.ts";
import { listUpcomingRuns } from "../../../src/core/schedules/upcoming-runs.ts";
import type { ScheduleConfig } from "../../../src/protocol/schedules/schedule-config.ts";

const at = (text: string) => Date.parse(text);
const shown = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16));

function runsOf(schedule_config: ScheduleConfig, next: string, now = next): string[] {
  const schedule = { schedule_config, status: "active" as const, next_run_at: at(next) };
  return shown(listUpcomingRuns(schedule, at(now) - (now === next ? 1 : 0)));
}

describe("the runs ahead", () => {
  test("of an interval go on from the next one", () => {
    expect(runsOf({ interval_minutes: 90 }, "2026-11-21T23:00Z")).toEqual([
      "2026-11-21T23:00",
      "2026-11-22T00:30",
      "2026-11-22T02:00",
      "2026-11-22T03:30",
      "2026-11-22T05:00",
    ]);
  });

  test("of a time of day keep to the person's clock when it is set back", () => {
    expect(runsOf({ daily_time: "09:00", timezone: "Europe/Berlin" }, "2026-10-24T07:00Z")).toEqual([
      "2026-10-24T07:00",
      "2026-10-25T08:00",
      "2026-10-26T08:00",
      "2026-10-27T08:00",
      "2026-10-28T08:00",
    ]);
  });

  test("of an hour that the clocks skip come at the first instant after the gap, once", () => {
    const runs = runsOf({ daily_time: "02:30", timezone: "America/New_York" }, "2026-03-07T07:30Z");
    expect(runs.slice(0, 3)).toEqual(["2026-03-07T07:30", "2026-03-08T07:00", "2026-03-09T06:30"]);
  });

  test("leave out days that are not meant", () => {
    expect(runsOf({ cron: "30 18 * * 1-5", timezone: "Asia/Shanghai" }, "2026-11-26T10:30Z")).toEqual([
      "2026-11-26T10:30",
      "2026-11-27T10:30",
      "2026-11-30T10:30",
      "2026-12-01T10:30",
      "2026-12-02T10:30",
    ]);
  });

  test("are none while it is paused, or where no run ever comes", () => {
    const schedule_config = { interval_minutes: 5 };
    expect(listUpcomingRuns({ schedule_config, status: "paused", next_run_at: 1 }, 0)).toEqual([]);
    expect(listUpcomingRuns({ schedule_config, status: "active" }, 0)).toEqual([]);
  });

  test("after one that is late, leave out what was missed with it and keep the pace", () => {
    const late = "2026-11-21T10:17Z";
    expect(runsOf({ interval_minutes: 5 }, "2026-11-21T10:00Z", late).slice(0, 3)).toEqual([
      "2026-11-21T10:00",
      "2026-11-21T10:20",
      "2026-11-21T10:25",
    ]);
    expect(runsOf({ cron: "*/10 * * * *" }, "2026-11-21T10:00Z", late).slice(0, 3)).toEqual([
      "2026-11-21T10:00",
      "2026-11-21T10:20",
      "2026-11-21T10:30",
    ]);
  });

  test("are those of ticks that come in time", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe"];
    const configs = fc.oneof(
      fc.record({ interval_minutes: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({
        cron: fc.constantFrom("*/7 * * * *", "0 2 * * *", "30 1 * * 0", "0 0 29 2 *", "15 2,3 * 3,10 *"),
        timezone: fc.constantFrom(...zones),
      }),
    );
    const moments = fc.integer({ min: at("2026-01-01T00:00Z"), max: at("2028-01-01T00:00Z") });
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
