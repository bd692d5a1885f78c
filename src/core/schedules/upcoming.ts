// Lists the next runs of a schedule.

import type { ScheduleConfig } from "../../protocol/schedule.ts";
import { nextRun } from "./arithmetic.ts";

const MOST_RUNS = 5;

/** The fields of a schedule that decide its upcoming runs. */
type Standing = {
  readonly schedule_config: ScheduleConfig;
  readonly status: "active" | "paused";
  readonly next_run_at?: number | undefined;
};

/**
 * Returns up to 5 upcoming runs in ascending order, in milliseconds since the epoch; empty if the schedule is paused or
 * has no next run. A run that is due but has not started comes first; other missed runs are omitted.
 */
export function upcomingRuns({ schedule_config: config, status, next_run_at }: Standing, now: number): number[] {
  if (status === "paused" || next_run_at === undefined) return [];
  const runs = [next_run_at];
  let next = nextRun(config, passed(config, next_run_at, now));
  while (next !== null && runs.length < MOST_RUNS) {
    runs.push(next);
    next = nextRun(config, next);
  }
  return runs;
}

/** Returns the time from which the runs after `due` are computed. An interval keeps its phase, however late it is. */
function passed({ interval_minutes: minutes }: ScheduleConfig, due: number, now: number): number {
  if (now < due) return due;
  return minutes === undefined ? now : now - ((now - due) % (minutes * 60_000));
}
