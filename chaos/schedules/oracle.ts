// Compares the expected ticks of a schedule with its results and the log of its conversation.

import type { Frame } from "../../src/protocol/wire/events.ts";
import { SCHEDULE_RESULT_COMPONENT, type ScheduleRunResult } from "../../src/protocol/schedules/schedule.ts";
import type { ScheduleConfig } from "../../src/protocol/schedules/schedule-config.ts";
import type { Reckoning } from "./reckoning.ts";

/** A schedule as it was configured. */
export type Subject = {
  readonly id: string;
  readonly conversationId: string;
  readonly config: ScheduleConfig;
  readonly catchUp: "once" | "skip";
  /** The first due time; `next` computes the following ones independently of the tested code. */
  readonly first: number;
  readonly next: Reckoning;
};

/** A sweep, in simulated time. `isSure`: neither a disturbance nor the effects of an earlier one could affect it. */
export type Sweep = { readonly begin: number; readonly end: number; readonly isSure: boolean };

export type Evidence = {
  readonly subject: Subject;
  readonly rows: readonly ScheduleRunResult[];
  readonly log: readonly Frame[];
  /** In the order of their execution. */
  readonly sweeps: readonly Sweep[];
  /** Due times up to this time are checked. */
  readonly until: number;
};

export type Breach = { readonly rule: string; readonly words: string };

export type Judged = {
  readonly breaches: readonly Breach[];
  readonly due: number;
  readonly runs: number;
  readonly late: number;
  readonly skipped: number;
  /** Ticks that were skipped because the previous run was in progress. */
  readonly overlapped: number;
  /** Missed due times without a result, because an earlier one ran late or was skipped. */
  readonly passed: number;
};

/** A tick within this time after its due time is punctual. */
const GRACE_MS = 150_000;
/** The tolerance between the clock of the run and the clock of the host. */
const SLACK_MS = 50;
const OVERLAPPED = "The previous run was still in progress.";
const MISSED = "The run was missed.";

type Complaint = readonly [rule: string, words: string];

/** Checks each due time in order against the sweeps, the results and the log. */
export function judgeSchedule(evidence: Evidence): Judged {
  const { subject, rows, sweeps, until, log } = evidence;
  const { next, catchUp } = subject;
  const complaints: Complaint[] = [];
  const begun = beginnings(log);
  const left = new Map(rows.map((row) => [row.due_at, row]));
  const totals = { due: 0, runs: 0, late: 0, skipped: 0, overlapped: 0, passed: 0 };
  for (let at = subject.first; at <= until || left.has(at); totals.due += 1) {
    const dueAt = at;
    const row = left.get(at);
    left.delete(at);
    at = next(at);
    const sure = sweeps.findIndex((sweep) => sweep.isSure && sweep.begin >= dueAt + SLACK_MS);
    if (row === undefined) {
      const words = `${iso(dueAt)} was due, a sweep came at ${iso(sweeps[sure]?.begin ?? 0)}, and nothing ran`;
      if (sure >= 0) complaints.push(["S1", words]);
      continue;
    }
    const tickedAt = row.status === "skipped" ? row.started_at : begun.get(row.run_id);
    if (tickedAt === undefined) {
      complaints.push(["T3", `the run of ${iso(dueAt)} has no beginning in the log`]);
      continue;
    }
    const tick = { row, tickedAt, isLate: tickedAt - dueAt > GRACE_MS };
    complaints.push(...wrongWithTime(tick, sweeps, sure));
    complaints.push(...(row.status === "skipped" ? wrongWithSkip(tick, evidence) : wrongWithRun(tick, subject)));
    totals.runs += row.status === "skipped" ? 0 : 1;
    totals.late += row.status !== "skipped" && tick.isLate ? 1 : 0;
    totals.skipped += row.status === "skipped" && row.error === MISSED ? 1 : 0;
    totals.overlapped += row.status === "skipped" && row.error === OVERLAPPED ? 1 : 0;
    // One late run replaces all missed due times; a skipped run replaces only due times that are late.
    for (; at <= tickedAt && (catchUp === "once" || tickedAt - at > GRACE_MS); at = next(at)) totals.passed += 1;
  }
  for (const row of left.values()) complaints.push(["S1", `${iso(row.due_at)} is ${row.status}, and was not due`]);
  complaints.push(...wrongWithLog(evidence).map((words): Complaint => ["S1", words]));
  const breaches = complaints.map(([rule, words]) => ({ rule, words: `${nameOf(subject)}: ${words}` }));
  return { breaches, ...totals };
}

/** The result of a due time, and the time of its tick. */
type Taken = { readonly row: ScheduleRunResult; readonly tickedAt: number; readonly isLate: boolean };

/** `sure` is the index of the sweep that had to make the tick at the latest; -1 if there is none. */
function wrongWithTime({ row: { due_at: due }, tickedAt }: Taken, sweeps: readonly Sweep[], sure: number): Complaint[] {
  const wrong: Complaint[] = [];
  const taker = sweeps.findIndex(({ begin, end }) => tickedAt >= begin - SLACK_MS && tickedAt <= end + SLACK_MS);
  const ran = `${iso(due)} was taken at ${iso(tickedAt)}`;
  if (tickedAt < due) wrong.push(["S1", `${ran}, before it was due`]);
  if (taker < 0) wrong.push(["S1", `${ran}, when there was no sweep`]);
  if (sure >= 0 && taker > sure) wrong.push(["S1", `${ran} and not by the sweep of ${iso(sweeps[sure]?.begin ?? 0)}`]);
  return wrong;
}

function wrongWithSkip({ row, isLate }: Taken, { subject, rows }: Evidence): Complaint[] {
  const skipped = `${iso(row.due_at)} was skipped (${row.error ?? ""})`;
  if (row.error === OVERLAPPED) {
    return rows.some((other) => isGoingOn(other, row)) ? [] : [["S1", `${skipped}, and no run was going on`]];
  }
  const wrong: Complaint[] = [];
  if (row.error !== MISSED) wrong.push(["S2", skipped]);
  if (subject.catchUp === "once") wrong.push(["S2", `${skipped} and not made up for`]);
  if (!isLate) wrong.push(["S2", `${skipped} although it was not late`]);
  return wrong;
}

function wrongWithRun({ row, isLate }: Taken, { catchUp }: Subject): Complaint[] {
  const wrong: Complaint[] = [];
  if (isLate && catchUp === "skip") wrong.push(["S2", `${iso(row.due_at)} ran late and was to be skipped`]);
  if (row.status !== "completed") wrong.push(["T4", `the run of ${iso(row.due_at)} is ${row.status}: ${row.error}`]);
  else if (!/\b42\b/.test(row.result ?? "")) wrong.push(["T4", `the run of ${iso(row.due_at)} brought ${row.result}`]);
  return wrong;
}

/** Each run is one thread with one end and one result, and no other thread of the schedule ran. */
function wrongWithLog({ subject, rows, log }: Evidence): string[] {
  const wrong: string[] = [];
  const ran = new Set(rows.filter(({ status }) => status !== "skipped").map(({ run_id }) => run_id));
  const ends = new Map<string, number>();
  const results = new Map<number, number>();
  for (const { event, data } of log) {
    if (event === "done") ends.set(data.thread_id, (ends.get(data.thread_id) ?? 0) + 1);
    if (event === "component_generator" && data.payload.component_type === SCHEDULE_RESULT_COMPONENT) {
      const { schedule_id, due_at } = JSON.parse(data.payload.content) as { schedule_id: string; due_at: number };
      if (schedule_id === subject.id) results.set(due_at, (results.get(due_at) ?? 0) + 1);
    }
    if (event !== "thread_started" || data.role !== "system") continue;
    const isControl = /^(The schedule was updated|A run was skipped)\./.test(data.payload?.content ?? "");
    if (isControl || ran.has(data.thread_id)) continue;
    wrong.push(`${data.thread_id} ran besides, for ${data.payload?.content ?? ""}`);
  }
  for (const id of ran) if (ends.get(id) !== 1) wrong.push(`${id} has ${ends.get(id) ?? 0} ends`);
  for (const [id, count] of ends) if (count > 1 && !ran.has(id)) wrong.push(`${id} has ${count} ends`);
  for (const { due_at: due, status } of rows) {
    const told = results.get(due) ?? 0;
    if (told !== (status === "skipped" ? 0 : 1)) wrong.push(`the run of ${iso(due)} was told ${told} times`);
  }
  return wrong;
}

function isGoingOn(run: ScheduleRunResult, skipped: ScheduleRunResult): boolean {
  return (
    run.status !== "skipped" && run.due_at < skipped.due_at && (run.ended_at ?? 0) >= skipped.started_at - SLACK_MS
  );
}

/** Returns the time at which each system thread was created. */
function beginnings(log: readonly Frame[]): Map<string, number> {
  const begun = new Map<string, number>();
  for (const { event, data } of log) {
    if (event !== "thread_started" || data.role !== "system") continue;
    const at = data.metadata?.["created_at"];
    if (typeof at === "number") begun.set(data.thread_id, at);
  }
  return begun;
}

function nameOf({ config, catchUp, id }: Subject): string {
  return `${JSON.stringify(config)} (${catchUp}, ${id})`;
}

export function iso(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}
