// The schedules of a conversation: ticks, changes by the person, and results.
//
// Owns no state: schedules and results are in the schedule store, runs in the queue. Every change is stored in the
// transaction of the event that shows it; the directory is informed afterwards, and again by a reminder if the host
// dies.
//
// Invariants:
//   S1. A tick is a schedule and a due time. The schedule advances past the due time in the transaction that stores its
//       run, so no due time runs twice.
//   S2. Missed due times cause one late run or none, as the schedule's `catch_up` says.
//   S3. Once a schedule is deleted, nothing of it runs.

import type { Draft } from "../core/ports.ts";
import { nextRun, problemWith } from "../core/schedules/arithmetic.ts";
import type { Tick } from "../core/scene.ts";
import { controllerDraft } from "../core/tick.ts";
import { must } from "../protocol/assert.ts";
import { Fault } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import type { Item } from "../protocol/items.ts";
import {
  RESULT,
  type RunResult,
  type RunResults,
  type Schedule,
  type UpdatedSchedule,
  type UpdateSchedule,
} from "../protocol/recurring.ts";
import type { ScheduleConfig } from "../protocol/schedule.ts";
import { readScheduleText } from "../protocol/words/schedule-text.ts";
import type { Log } from "./log.ts";
import { commandOf, systemDraft, type Begun } from "./queue.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { Threads } from "./threads.ts";
import type { Deliveries } from "./webhooks.ts";

/** A tick within this time is not late: a sweep comes every minute and may need another. */
const GRACE_MS = 150_000;

type Directory = {
  /** Informs the directory soon; `removed` is the id of a deleted schedule. */
  readonly changed: (removed?: string) => void;
  /** As `DirectorySync.setReminder`. */
  readonly remind: (removed?: string) => Promise<void>;
};

/** One instance per loaded conversation. Methods with an id throw `not_found` if the schedule does not exist. */
export class Schedules {
  readonly #log: Log;
  readonly #store: ScheduleStore;
  readonly #threads: Threads;
  readonly #deliveries: Deliveries;
  readonly #directory: Directory;

  constructor(log: Log, store: ScheduleStore, threads: Threads, deliveries: Deliveries, directory: Directory) {
    this.#log = log;
    this.#store = store;
    this.#threads = threads;
    this.#deliveries = deliveries;
    this.#directory = directory;
  }

  read(id: string): Schedule {
    const schedule = this.#store.get(id);
    if (schedule === null) throw new Fault("not_found", "There is no such schedule.");
    return schedule;
  }

  /**
   * Handles a tick: starts a run, or skips it if the previous run is in progress or it comes too late. Returns the next
   * due time (ms since the epoch); null if there is none for now. Throws `too_many_requests` if too many runs wait.
   */
  tick(id: string): number | null {
    const schedule = this.read(id);
    const due = schedule.next_run_at;
    if (schedule.status === "paused" || due === undefined) return null;
    const now = Date.now();
    // The stored schedule decides what is due; the due time of the directory may be outdated.
    if (now < due) return due;
    const advanced = advance(schedule, due, now);
    if (this.#runOf(id) !== null) this.#skip(advanced, due, "The run before it was still going on.");
    else if (now - due > GRACE_MS && schedule.catch_up === "skip") this.#pass(advanced, due, now);
    else this.#begin(`tick/${id}/${due}`, advanced, due);
    return advanced.next_run_at ?? null;
  }

  /** Starts a run at once. Throws `conflict` while a run is in progress. Idempotent by command id. */
  runNow(commandId: string, id: string): Begun {
    const schedule = this.read(id);
    const known = this.#threads.inbox.known(commandId);
    if (known !== null) return known;
    if (this.#runOf(id) !== null) throw new Fault("conflict", "A run of this schedule is going on.");
    return this.#begin(commandId, schedule, Date.now());
  }

  /**
   * Changes a schedule. Throws a `Fault` that names the invalid field. The result contains the webhook's secret only if
   * this change sets the webhook.
   */
  async update(id: string, { webhook, ...patch }: UpdateSchedule): Promise<UpdatedSchedule> {
    const { webhook: known, reason, next_run_at: next, last_delivery, ...before } = this.read(id);
    const config = patch.schedule_config === undefined ? before.schedule_config : configOf(patch, before);
    const endpoint = webhook === undefined || webhook === null ? null : this.#deliveries.endpointOf(webhook);
    const url = endpoint?.url ?? (webhook === null ? undefined : known?.url);
    const now = Date.now();
    const status = patch.status ?? before.status;
    const changed: Schedule = {
      ...before,
      ...(patch.title === undefined ? {} : { title: patch.title }),
      ...(patch.query === undefined ? {} : { query: patch.query }),
      ...(patch.catch_up === undefined ? {} : { catch_up: patch.catch_up }),
      schedule_config: config,
      status,
      ...(url === undefined ? {} : { webhook: { url } }),
      ...(webhook !== undefined || last_delivery === undefined ? {} : { last_delivery }),
      updated_at: now,
    };
    const isMoved = before.status === "paused" || patch.schedule_config !== undefined || next === undefined;
    const at = isMoved ? this.#nextNew(id, config, now) : next;
    const stands: Schedule =
      status === "paused"
        ? { ...changed, ...(reason === undefined ? {} : { reason }) }
        : { ...changed, failures: 0, ...(at === undefined ? {} : { next_run_at: at }) };
    this.#control(stands, status === "paused" ? "paused" : "set", () => {
      if (webhook !== undefined) this.#deliveries.connect(id, endpoint);
    });
    await this.#directory.remind();
    return { ...stands, ...(endpoint === null ? {} : { webhook_secret: endpoint.secret }) };
  }

  /** Deletes a schedule by a command. A repeated command deletes nothing more. */
  async cancel(id: string, commandId: string): Promise<string[]> {
    const { inbox } = this.#threads;
    const isNew = inbox.known(commandOf(commandId)) === null;
    if (isNew) await this.remove(id, (begun) => inbox.note(commandId, begun, { task_id: id }));
    return [id];
  }

  /** Deletes a schedule and cancels its run. `also` adds writes to the transaction. */
  async remove(id: string, also: (told: Begun) => void = () => {}): Promise<void> {
    const schedule = this.read(id);
    const running = this.#runOf(id);
    const threadId = mint("th");
    const controller = controllerDraft(threadId, schedule, "cancelled");
    const drafts = talk(threadId, "The schedule was deleted.", schedule, controller);
    this.#log.publish(drafts, undefined, ([first]) => {
      this.#store.remove(id);
      this.#deliveries.connect(id, null);
      also({ thread_id: threadId, seq: must(first, "what is told of the end").seq });
    });
    this.#directory.changed(id);
    // No await since `running` was read, so it is still the current run.
    const stopped = running === null ? null : this.#threads.cancel({ thread_id: running });
    await Promise.all([this.#directory.remind(id), stopped]);
  }

  /** Returns results due before `before`, newest first. `next` is the `before` of the next page, absent on the last. */
  results(id: string, limit: number, before: number = Number.MAX_SAFE_INTEGER): RunResults {
    this.read(id);
    const results = this.#store.runs(id, limit, before);
    const last = results.length < limit ? undefined : results.at(-1);
    return { results, ...(last === undefined ? {} : { next: last.due_at }) };
  }

  /** Returns the next due time that has not run yet: after the clock was set back, a due time may occur again. */
  #nextNew(id: string, config: ScheduleConfig, now: number): number | undefined {
    let next = nextRun(config, now);
    while (next !== null && this.#threads.inbox.known(`tick/${id}/${next}`) !== null) next = nextRun(config, next);
    return next ?? undefined;
  }

  /** Stores schedule, run result and thread in one transaction. */
  #begin(commandId: string, schedule: Schedule, due: number): Begun {
    const tick: Tick = { schedule_id: schedule.schedule_id, due_at: due };
    return this.#threads.inbox.begin(commandId, tick, schedule, (threadId) => {
      this.#store.put(schedule);
      this.#store.putRun(runOf(tick, threadId, "running"));
      this.#directory.changed();
    });
  }

  /** Skips missed due times, but starts the latest one if it is not late. */
  #pass(advanced: Schedule, due: number, now: number): void {
    const latest = nextAfter(advanced.schedule_config, due, now - GRACE_MS);
    // Start first: it throws if the queue is full, and then nothing is skipped.
    if (latest !== null && latest <= now) this.#begin(`tick/${advanced.schedule_id}/${latest}`, advanced, latest);
    this.#skip(advanced, due, "It was missed.");
  }

  /** Records a skipped run as the last run of the schedule. */
  #skip(schedule: Schedule, due: number, error: string): void {
    const run = { ...runOf({ schedule_id: schedule.schedule_id, due_at: due }, "", "skipped"), error };
    const last_run = { due_at: due, status: "skipped" as const, error };
    this.#control({ ...schedule, last_run }, "skipped", () => this.#store.putRun(run));
  }

  /** Stores a changed schedule and publishes its state. */
  #control(schedule: Schedule, how: "paused" | "set" | "skipped", also: () => void): void {
    const words = { paused: "The schedule was paused.", set: "The schedule was set.", skipped: "A run was skipped." }[
      how
    ];
    const threadId = mint("th");
    this.#log.publish(talk(threadId, words, schedule, controllerDraft(threadId, schedule)), undefined, () => {
      this.#store.put(schedule);
      also();
    });
    this.#directory.changed();
  }

  /** Returns the id of the thread that runs the schedule; null if none does. */
  #runOf(id: string): string | null {
    return this.#log.head.open.find(({ tick }) => tick?.schedule_id === id)?.thread_id ?? null;
  }
}

/** Creates the events of a system thread, which ends as it begins. */
function talk(threadId: string, words: string, { schedule_id }: Schedule, controller: Draft): Draft[] {
  const done: Draft = { event: "done", data: { role: "system", thread_id: threadId, metadata: { schedule_id } } };
  return [systemDraft(threadId, words, schedule_id), controller, done];
}

function runOf(tick: Tick, threadId: string, status: RunResult["status"]): RunResult {
  return { run_id: threadId, ...tick, status, started_at: Date.now() };
}

/** Advances a schedule past a due time and all due times missed since. */
function advance(schedule: Schedule, due: number, now: number): Schedule {
  const { next_run_at: _, ...rest } = schedule;
  const next = nextAfter(schedule.schedule_config, due, now);
  return { ...rest, updated_at: now, ...(next === null ? {} : { next_run_at: next }) };
}

/** Returns the first due time after `now`; null if there is none. Intervals keep their phase from `due`. */
function nextAfter(config: ScheduleConfig, due: number, now: number): number | null {
  if (config.interval_minutes === undefined) return nextRun(config, now);
  const interval = config.interval_minutes * 60_000;
  return due + Math.max(1, Math.floor((now - due) / interval) + 1) * interval;
}

/** Parses a changed configuration, which may be text. Throws `unprocessable` if it is invalid. */
function configOf({ schedule_config: given }: UpdateSchedule, before: Schedule): ScheduleConfig {
  const zone = before.schedule_config.timezone;
  const read = typeof given === "string" ? readScheduleText(given, zone) : { config: given ?? before.schedule_config };
  const problem = "problem" in read ? read.problem : problemWith(read.config, zone);
  if ("problem" in read || problem !== null) {
    throw new Fault("unprocessable", `schedule_config: ${problem}`, { field: "schedule_config" });
  }
  // An interval needs no time zone to be due, but its runs show the time in it, and a later change may set a time of
  // day.
  return zone === undefined ? read.config : { timezone: zone, ...read.config };
}

/**
 * F55. Returns true for items of schedule runs: they are listed with the schedule, not in the conversation's history.
 */
export function isOfSchedule({ event, role, payload }: Item): boolean {
  return (event === "thread_started" && role === "system") || payload["component_type"] === RESULT;
}
