// The person's schedules as a map in the test process.

import type { PersonSchedules, ScheduleEdit } from "../../src/core/ports.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";

/** Creates a port over `stored`, which it changes. `edits` lists the changes in order. */
export function scriptSchedules(
  stored: Map<string, Schedule>,
  most: number,
): PersonSchedules & { readonly edits: readonly (readonly [string, ScheduleEdit])[] } {
  const edits: [string, ScheduleEdit][] = [];
  return {
    edits,
    count: () => Promise.resolve({ used: stored.size, most }),
    list: () => Promise.resolve([...stored.values()]),
    change({ schedule_id: id }, edit) {
      edits.push([id, edit]);
      const schedule = stored.get(id);
      if (edit.kind === "end") stored.delete(id);
      if (schedule === undefined || edit.kind === "end") return Promise.resolve<Schedule | null>(null);
      const { schedule_config: config, status = schedule.status } = edit.patch;
      const changed = { ...schedule, status, ...(typeof config === "object" ? { schedule_config: config } : {}) };
      stored.set(id, changed);
      return Promise.resolve<Schedule | null>(changed);
    },
  };
}
