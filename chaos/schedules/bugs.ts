// Faults that simulated days have to find: each breaks one promise of schedules.

import type { Bug } from "../bugs.ts";

const patchOf = (file: string) => (from: string, to: string) => ({ file, from, to });
const schedules = patchOf("src/durable/schedules.ts");
const conversation = patchOf("src/durable/conversation.ts");

export const BUGS_OF_SCHEDULES: readonly Bug[] = [
  {
    name: "move past a due time after its run was stored",
    patches: [
      schedules(
        `this.#store.put(schedule);
      this.#store.putRun(`,
        `setTimeout(() => this.#store.put(schedule), 30);
      this.#store.putRun(`,
      ),
    ],
  },
  {
    name: "run what the directory says",
    patches: [
      conversation(`schedules.tick(scheduleId)`, `schedules.tick(scheduleId, _dueAt)`),
      schedules(`tick(id: string): number | null {`, `tick(id: string, dueAt: number): number | null {`),
      schedules(`if (now < due) return due;`, `if (now < dueAt) return due;`),
      schedules("this.#begin(`tick/${id}/${due}`, advanced, due);", `this.#begin(mint("cmd"), advanced, dueAt);`),
    ],
  },
  {
    name: "make up for every run that was missed",
    patches: [
      schedules(
        `return due + Math.max(1, Math.floor((now - due) / interval) + 1) * interval;`,
        `return due + interval;`,
      ),
    ],
  },
  {
    name: "run late what was to be skipped",
    patches: [schedules(`now - due > GRACE_MS && schedule.catch_up === "skip"`, `now - due > 10 * 3_600_000`)],
  },
  {
    name: "keep a claim for an hour",
    patches: [
      patchOf("src/http/cron.ts")(`leaseMs: 30_000`, `leaseMs: 3_600_000`),
      // Whoever finds a claim that far ahead takes it for one of a clock that was set back.
      patchOf("src/directory/schedules.ts")(
        "(claimed_until <= ?1 OR claimed_until > ?1 + 60000)",
        "claimed_until <= ?1",
      ),
    ],
  },
  {
    name: "drop a time that the clocks skip",
    patches: [
      patchOf("src/core/schedules/arithmetic.ts")(`fixedTimeRule: "no-wildcard",`, `fixedTimeRule: "single-value",`),
    ],
  },
  {
    name: "lose what is on time after what was missed",
    patches: [schedules(`if (latest !== null && latest <= now) this`, `if (latest === 0) this`)],
  },
];
