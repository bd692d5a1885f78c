// The runs that are ahead of a schedule.

import type { ScheduleConfig } from "../../protocol/schedule.ts";
import { nextRun } from "./arithmetic.ts";

const MOST_RUNS = 5;

type Standing = {
  readonly schedule_config: ScheduleConfig;
  readonly status: "active" | "paused";
  readonly next_run_at?: number | undefined;
};

/**
 * When a schedule runs next and after that, as `nextRun` has it; all times in milliseconds since the epoch. A run that
 * is due and has not begun is the first of them; others that were missed with it are left out.
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

/** From where on the runs after one that is due count: an interval keeps its pace, however late it is. */
function passed({ interval_minutes: minutes }: ScheduleConfig, due: number, now: number): number {
  if (now < due) return due;
  return minutes === undefined ? now : now - ((now - due) % (minutes * 60_000));
}
