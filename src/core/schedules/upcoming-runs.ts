// Lists the next runs of a schedule.

import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { computeNextRun } from "./next-run.ts";

const MAX_UPCOMING_RUNS = 5;

/** The fields of a schedule that decide its upcoming runs. */
type ScheduleTiming = {
  readonly schedule_config: ScheduleConfig;
  readonly status: "active" | "paused";
  readonly next_run_at?: number | undefined;
};

/**
 * Returns up to 5 upcoming runs in ascending order, in milliseconds since the epoch; empty if the schedule is paused or
 * has no next run. A run that is due but has not started comes first; other missed runs are omitted.
 */
export function listUpcomingRuns(
  { schedule_config: config, status, next_run_at }: ScheduleTiming,
  now: number,
): number[] {
  if (status === "paused" || next_run_at === undefined) return [];
  const runs = [next_run_at];
  let next = computeNextRun(config, getStartTime(config, next_run_at, now));
  while (next !== null && runs.length < MAX_UPCOMING_RUNS) {
    runs.push(next);
    next = computeNextRun(config, next);
  }
  return runs;
}

/** Returns the time from which the runs after `due` are computed. An interval keeps its phase, however late it is. */
function getStartTime({ interval_minutes: minutes }: ScheduleConfig, due: number, now: number): number {
  if (now < due) return due;
  return minutes === undefined ? now : now - ((now - due) % (minutes * 60_000));
}
