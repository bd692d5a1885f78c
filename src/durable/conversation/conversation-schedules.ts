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

import { computeNextRun, findScheduleProblem } from "../../core/schedules/next-run.ts";
import type { ScheduleTick } from "../../core/turn/turn-context.ts";
import { createControllerEvent, endSchedule } from "../../core/schedules/tick.ts";
import { ensurePresent } from "../../lib/assert.ts";
import { isSameJson } from "../../lib/json-value.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import type { CancelCommand, SendCommand } from "../../protocol/wire/commands.ts";
import { createId } from "../../protocol/wire/ids.ts";
import type {
  ScheduleRunResult,
  ScheduleRunResultList,
  Schedule,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../../protocol/schedules/schedule.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { createMessage, type Message, type MessageKey } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseSchedule } from "../../language/schedules/parse-schedule.ts";
import type { EventLog } from "./event-log.ts";
import { storeThread } from "./accept.ts";
import { findRepeatedCommand } from "./repeated-command.ts";
import { createSystemDraft, createSystemThread, formatForSchedule, type ScheduleChange } from "./schedule-events.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";
import { countQueued, MAX_WAITING_RUNS, type ThreadPosition } from "./threads/thread-queue.ts";
import type { ScheduleStore } from "./storage/schedule-store.ts";
import type { ThreadSupervisor } from "./threads/thread-supervisor.ts";
import type { DeliveryQueue } from "./deliveries/delivery-queue.ts";

/** A tick within this time is not late: a sweep comes every minute and may need another. */
const LATE_TOLERANCE_MS = 150_000;

type ScheduleDirectory = {
  /** Informs the directory soon; `removed` is the id of a deleted schedule. */
  readonly onChanged: (removed?: string) => void;
  /** As `DirectorySync.setReminder`. */
  readonly setReminder: (removed?: string) => Promise<void>;
};

type ScheduleDeps = {
  readonly store: ConversationStore;
  readonly schedules: ScheduleStore;
  readonly threads: ThreadSupervisor;
  readonly deliveries: DeliveryQueue;
};

/** One instance per loaded conversation. Methods with an id throw `not_found` if the schedule does not exist. */
export class ConversationSchedules {
  readonly #log: EventLog;
  readonly #deps: ScheduleDeps;
  readonly #directory: ScheduleDirectory;

  constructor(log: EventLog, deps: ScheduleDeps, directory: ScheduleDirectory) {
    this.#log = log;
    this.#deps = deps;
    this.#directory = directory;
  }

  has(id: string): boolean {
    return this.#deps.schedules.get(id) !== null;
  }

  read(id: string): Schedule {
    const schedule = this.#deps.schedules.get(id);
    if (schedule === null) throw createFault("not_found", "schedule.notFound");
    return schedule;
  }

  /**
   * Handles the stored due time of a schedule; does nothing before that time or while the schedule is paused. Starts
   * the run, or records it as skipped if another run of the schedule has not ended. A due time that passed more than
   * `LATE_TOLERANCE_MS` ago is also skipped if `catch_up` is `skip`; a later due time within the tolerance then runs
   * instead. Returns the next due time (ms since the epoch); null if there is none or the schedule is paused. Throws
   * `too_many_requests`, without any change, if too many runs wait.
   */
  tick(id: string): number | null {
    const schedule = this.read(id);
    const due = schedule.next_run_at;
    if (schedule.status !== "active" || due === undefined) return null;
    const now = Date.now();
    // The stored schedule decides what is due; the due time of the directory may be outdated.
    if (now < due) return due;
    const advanced = advanceSchedule(schedule, due, now);
    if (this.#findRunningThread(id) !== null) this.#recordSkip(advanced, due, "schedule.overlap");
    else if (now - due > LATE_TOLERANCE_MS && schedule.catch_up === "skip") this.#skipMissed(advanced, due, now);
    else this.#startRun(`tick/${id}/${due}`, advanced, due);
    return advanced.next_run_at ?? null;
  }

  /**
   * Starts a run at once and returns its position. Throws `conflict` while a run is in progress. Idempotent by command
   * id.
   */
  runNow(commandId: string, id: string): ThreadPosition {
    const schedule = this.read(id);
    const known = findRepeatedCommand(this.#deps.store, commandId, (_, run) => this.#isRunOf(id, run));
    if (known !== null) return known;
    if (this.#findRunningThread(id) !== null) throw createFault("conflict", "schedule.alreadyRunning");
    return this.#startRun(commandId, schedule, Date.now());
  }

  /**
   * Changes the given fields of a schedule; `webhook: null` removes the webhook. Unless the schedule is paused now, the
   * change resets its failure count, and computes a new due time if the times changed or the schedule was paused
   * before. Resolves when the directory's reminder is stored; the result contains the webhook's secret only if this
   * change sets the webhook. Throws `unprocessable` (`schedule_config`) or `invalid_request` (`webhook.…`).
   */
  async update(id: string, { webhook, ...patch }: UpdateScheduleRequest): Promise<UpdatedSchedule> {
    this.read(id);
    // Await before the schedule is read for the change: it may change or be deleted meanwhile.
    const created =
      webhook === undefined || webhook === null ? null : await this.#deps.deliveries.createEndpoint(webhook);
    const endpoint = created?.endpoint ?? null;
    const { webhook: known, reason, next_run_at: next, last_delivery, ...previous } = this.read(id);
    const config = patch.schedule_config === undefined ? previous.schedule_config : resolveConfig(patch, previous);
    const url = endpoint?.url ?? (webhook === null ? undefined : known?.url);
    const now = Date.now();
    const isRevived = previous.status === "completed" && patch.schedule_config !== undefined;
    const status = patch.status ?? (isRevived ? "active" : previous.status);
    const changed: Schedule = {
      ...previous,
      ...(patch.title === undefined ? {} : { title: patch.title }),
      ...(patch.query === undefined ? {} : { query: patch.query }),
      ...(patch.catch_up === undefined ? {} : { catch_up: patch.catch_up }),
      schedule_config: config,
      status,
      ...(url === undefined ? {} : { webhook: { url } }),
      ...(webhook !== undefined || last_delivery === undefined ? {} : { last_delivery }),
      updated_at: now,
    };
    const isMoved = previous.status !== "active" || patch.schedule_config !== undefined || next === undefined;
    const at = isMoved ? this.#findNextDueTime(id, config, now) : next;
    if (status === "active" && at === undefined && config.run_at !== undefined)
      throw createConfigFault(createMessage("schedule.timePassed", { words: config.run_at }));
    const updated: Schedule =
      status !== "active"
        ? { ...changed, ...(reason === undefined ? {} : { reason }) }
        : { ...changed, failures: 0, ...(at === undefined ? {} : { next_run_at: at }) };
    this.#publishChange(updated, status === "paused" ? "paused" : "set", () => {
      if (webhook !== undefined) this.#deps.deliveries.setEndpoint(id, endpoint);
    });
    await this.#directory.setReminder();
    return { ...updated, ...(created === null ? {} : { webhook_secret: created.secret }) };
  }

  /**
   * Deletes a schedule as `remove` does, and records the client's command in the same transaction. A repeated command
   * changes nothing. Resolves with the ids of the deleted schedules, `[id]`.
   */
  async removeByCommand(request: CancelCommand, id: string, commandId: string): Promise<string[]> {
    const { store } = this.#deps;
    const isNew = findRepeatedCommand(store, commandId, (stored) => isSameJson(stored, request)) === null;
    if (isNew) await this.remove(id, (position) => store.putCommand(commandId, { ...position, request }));
    return [id];
  }

  /**
   * Deletes a schedule with its results and webhook, and cancels its run. `also` adds writes to the transaction; it
   * receives the position of the event that shows the deletion. Resolves when the directory's reminder is stored and
   * the run has ended; it waits for the run as `ThreadSupervisor.cancel` does.
   */
  async remove(id: string, also: (position: ThreadPosition) => void = () => {}): Promise<void> {
    const schedule = this.read(id);
    const running = this.#findRunningThread(id);
    const threadId = createId("th");
    const controller = createControllerEvent(threadId, schedule, "cancelled");
    const drafts = createSystemThread(threadId, "deleted", schedule, controller);
    this.#log.publish(drafts, undefined, ([first]) => {
      this.#deps.schedules.remove(id);
      this.#deps.deliveries.setEndpoint(id, null);
      also({ thread_id: threadId, seq: ensurePresent(first, "the first event of the deletion").seq });
    });
    this.#directory.onChanged(id);
    // No await since `running` was read, so it is still the current run.
    const stopped = running === null ? null : this.#deps.threads.cancel({ thread_id: running });
    await Promise.all([this.#directory.setReminder(id), stopped]);
  }

  /**
   * Returns a page of at most `limit` run results with a due time before `before` (ms since the epoch), newest first.
   * `next` is the `before` of the next page; it is absent if this page has fewer than `limit` results.
   */
  listResults(id: string, limit: number, before: number = Number.MAX_SAFE_INTEGER): ScheduleRunResultList {
    this.read(id);
    const results = this.#deps.schedules.listResults(id, limit, before);
    const last = results.length < limit ? undefined : results.at(-1);
    return { results, ...(last === undefined ? {} : { next: last.due_at }) };
  }

  /** Returns the next due time that has not run yet: after the clock was set back, a due time may occur again. */
  #findNextDueTime(id: string, config: ScheduleConfig, now: number): number | undefined {
    let next = computeNextRun(config, now);
    while (next !== null && this.#deps.store.getCommand(`tick/${id}/${next}`) !== null)
      next = computeNextRun(config, next);
    return next ?? undefined;
  }

  /**
   * Stores schedule, run result and thread in one transaction. Idempotent by command id. Throws `too_many_requests` and
   * stores nothing if `MAX_WAITING_RUNS` runs are open.
   */
  #startRun(commandId: string, schedule: Schedule, due: number): ThreadPosition {
    const { schedule_id, title } = schedule;
    const known = this.#deps.store.getCommand(commandId);
    if (known !== null) return known;
    if (countQueued(this.#log.head).runs >= MAX_WAITING_RUNS) {
      throw createFault("too_many_requests", "conversation.runQueueFull");
    }
    const tick: ScheduleTick = { schedule_id, due_at: due };
    return storeThread(this.#log, this.#deps.store, this.#deps.threads, {
      commandId,
      request: toSendCommand(schedule),
      createDrafts: (threadId) => [createSystemDraft(threadId, title, schedule_id)],
      kind: { tick },
      also: (threadId) => {
        this.#deps.schedules.put(schedule);
        this.#deps.schedules.putResult(createRunResult(tick, threadId, "running"));
        this.#directory.onChanged();
      },
    });
  }

  /** Skips missed due times, but starts the latest one if it is not late. */
  #skipMissed(advanced: Schedule, due: number, now: number): void {
    const latest = computeNextDueTime(advanced.schedule_config, due, now - LATE_TOLERANCE_MS);
    // Start first: it throws if the queue is full, and then nothing is skipped.
    if (latest !== null && latest <= now) this.#startRun(`tick/${advanced.schedule_id}/${latest}`, advanced, latest);
    this.#recordSkip(advanced, due, "schedule.missed");
  }

  #recordSkip(schedule: Schedule, due: number, reason: MessageKey): void {
    const error = formatForSchedule(schedule, createMessage(reason));
    const run = { ...createRunResult({ schedule_id: schedule.schedule_id, due_at: due }, "", "skipped"), error };
    const last_run = { due_at: due, status: "skipped" as const, error };
    this.#publishChange(endSchedule({ ...schedule, last_run }), "skipped", () => this.#deps.schedules.putResult(run));
  }

  #publishChange(schedule: Schedule, how: ScheduleChange, also: () => void): void {
    const threadId = createId("th");
    this.#log.publish(
      createSystemThread(threadId, how, schedule, createControllerEvent(threadId, schedule)),
      undefined,
      () => {
        this.#deps.schedules.put(schedule);
        also();
      },
    );
    this.#directory.onChanged();
  }

  /** True if the thread of a command is a run of this schedule. */
  #isRunOf(id: string, { thread_id, seq }: ThreadPosition): boolean {
    const [first] = this.#log.readThread(thread_id, seq).frames;
    return first?.event === "thread_started" && first.data.metadata?.["schedule_id"] === id;
  }

  #findRunningThread(id: string): string | null {
    return this.#log.head.open.find(({ tick }) => tick?.schedule_id === id)?.thread_id ?? null;
  }
}

function toSendCommand({ query, agent_name, language, schedule_config: { timezone } }: Schedule): SendCommand {
  return {
    message: query,
    agent: agent_name,
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function createRunResult(tick: ScheduleTick, threadId: string, status: ScheduleRunResult["status"]): ScheduleRunResult {
  return { run_id: threadId, ...tick, status, started_at: Date.now() };
}

function advanceSchedule(schedule: Schedule, due: number, now: number): Schedule {
  const { next_run_at: _, ...rest } = schedule;
  const next = computeNextDueTime(schedule.schedule_config, due, now);
  return { ...rest, updated_at: now, ...(next === null ? {} : { next_run_at: next }) };
}

/** Returns the first due time after `now`; null if there is none. Intervals keep their phase from `due`. */
function computeNextDueTime(config: ScheduleConfig, due: number, now: number): number | null {
  if (config.interval_minutes === undefined) return computeNextRun(config, now);
  const interval = config.interval_minutes * 60_000;
  return due + Math.max(1, Math.floor((now - due) / interval) + 1) * interval;
}

function resolveConfig({ schedule_config: given }: UpdateScheduleRequest, before: Schedule): ScheduleConfig {
  const zone = before.schedule_config.timezone;
  const read =
    typeof given === "string" ? parseSchedule(given, zone, Date.now()) : { config: given ?? before.schedule_config };
  if ("problem" in read) throw createConfigFault(read.problem);
  const problem = findScheduleProblem(read.config, zone);
  if (problem !== null) throw createConfigFault(problem);
  // An interval needs no time zone to be due, but its runs show the time in it, and a later change may set a time of
  // day.
  return zone === undefined ? read.config : { timezone: zone, ...read.config };
}

function createConfigFault(problem: Message): Fault {
  const message = createMessage("field.invalid", { field: "schedule_config", problem });
  return createFault("unprocessable", message, { field: "schedule_config" });
}
