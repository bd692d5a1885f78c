// Faults that simulated days must find. Each fault breaks one invariant of schedules. `from` and `to` use identifiers
// of `src`: after a rename there, update them.

import { createPatcher, type Bug } from "../bugs.ts";

const patchConversationSchedules = createPatcher("src/durable/conversation/conversation-schedules.ts");
const patchOperations = createPatcher("src/durable/conversation/operations.ts");
const patchScheduleSweep = createPatcher("src/http/schedule-sweep.ts");
const patchScheduleDirectory = createPatcher("src/directory/schedule-directory.ts");
const patchNextRun = createPatcher("src/core/schedules/next-run.ts");

export const BUGS_OF_SCHEDULES: readonly Bug[] = [
  {
    name: "advance a schedule after storing its run",
    patches: [
      patchConversationSchedules(
        `this.#deps.schedules.put(schedule);
        this.#deps.schedules.putResult(`,
        `setTimeout(() => this.#deps.schedules.put(schedule), 30);
        this.#deps.schedules.putResult(`,
      ),
    ],
  },
  {
    name: "trust the due time of the directory",
    patches: [
      patchOperations(`schedules.tick(scheduleId)`, `schedules.tick(scheduleId, _dueAt)`),
      patchConversationSchedules(
        `tick(id: string): number | null {`,
        `tick(id: string, dueAt: number): number | null {`,
      ),
      patchConversationSchedules(`if (now < due) return due;`, `if (now < dueAt) return due;`),
      patchConversationSchedules(
        "this.#startRun(`tick/${id}/${due}`, advanced, due);",
        `this.#startRun(createId("cmd"), advanced, dueAt);`,
      ),
    ],
  },
  {
    name: "run every missed due time",
    patches: [
      patchConversationSchedules(
        `return due + Math.max(1, Math.floor((now - due) / interval) + 1) * interval;`,
        `return due + interval;`,
      ),
    ],
  },
  {
    name: "run a late due time that must be skipped",
    patches: [
      patchConversationSchedules(
        `now - due > LATE_TOLERANCE_MS && schedule.catch_up === "skip"`,
        `now - due > 10 * 3_600_000`,
      ),
    ],
  },
  {
    name: "keep a claim for one hour",
    patches: [
      patchScheduleSweep(`leaseMs: 30_000`, `leaseMs: 3_600_000`),
      // A claim that ends so late otherwise counts as set by a clock that was ahead, and is ignored.
      patchScheduleDirectory("(claimed_until <= ?1 OR claimed_until > ?1 + 60000)", "claimed_until <= ?1"),
    ],
  },
  {
    name: "drop a due time in the gap of a clock change",
    patches: [patchNextRun(`fixedTimeRule: "no-wildcard",`, `fixedTimeRule: "single-value",`)],
  },
  {
    name: "drop a punctual due time after missed ones",
    patches: [patchConversationSchedules(`if (latest !== null && latest <= now) this`, `if (latest === 0) this`)],
  },
];
