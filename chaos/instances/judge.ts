// Checks an instance against the required results of its plan, and the calls that the systems received against its log.

import { isDeepStrictEqual } from "node:util";
import { foldInstance } from "../../src/core/listeners/instance-view.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import {
  workflowInstanceDetailsSchema,
  type WorkflowInstanceDetails,
} from "../../src/protocol/workflows/workflow-instance.ts";
import { EMPTY_VIEW, foldFrames } from "../../src/protocol/wire/view.ts";
import { findViolations, findReusedNumbers } from "../../test/support/invariants.ts";
import type { Breach } from "../breach.ts";
import { lostFrames, wrongPicture } from "../judge.ts";
import { isClosing, PARTING } from "../judge-turn.ts";
import type { Story } from "./conduct.ts";
import type { Action } from "./plans.ts";
import type { Call } from "./systems.ts";
import { rewrittenBreaches } from "./told.ts";

export type Fate = "finished" | "cancelled";

export function fateOf({ instance }: Story): Fate {
  return instance.status === "cancelled" ? "cancelled" : "finished";
}

export function judgeInstance(story: Story, calls: readonly Call[]): Breach[] {
  const { log, readers, instance, ordeal } = story;
  const seen = readers.flatMap((reader) => reader.seen);
  const fate = fateOf(story);
  return [
    ...story.breaches,
    ...findViolations(log).map((words) => breach("L1 T1 T3", words)),
    ...readers.flatMap((reader) => reader.breaches.map((words) => breach("L1", words))),
    ...findReusedNumbers([...seen.map(({ frame }) => frame), ...log]).map((words) => breach("L1", words)),
    ...lostFrames(log, seen),
    ...readers.flatMap((reader, i) => wrongPicture(log, reader, i)),
    ...endBreaches(log),
    ...foldBreaches(story, fate),
    ...resumeBreaches(story),
    ...firedBreaches(story),
    ...rewrittenBreaches(log),
    ...ordeal.actions.flatMap((action) => actionBreaches(action, story, calls, fate)),
    ...repeatBreaches(story, calls),
    ...(fate === "finished" ? demandBreaches(story, calls) : []),
    ...(fate === "cancelled" ? cancelBreaches(story, calls) : []),
  ].map(({ words, ...rest }) => ({ ...rest, words: `${ordeal.subject} (${instance.status}): ${words}` }));
}

function breach(rule: string, words: string, seqs: readonly number[] = []): Breach {
  return { rule, words, seqs };
}

function endBreaches(log: readonly Frame[]): Breach[] {
  const done = log.filter(({ event }) => event === "done");
  return done.length === 1 && log.at(-1)?.event === "done" ? [] : [breach("T3", `${done.length} done`)];
}

/** L2: the instance that the API returns is the fold of its events. */
function foldBreaches({ log, instance }: Story, fate: Fate): Breach[] {
  const items = [...foldFrames(EMPTY_VIEW, log).items.values()];
  const folded = foldInstance(items, fate === "cancelled" ? "cancelled" : "ended");
  if (folded === null && instance.tasks.length === 0) return [];
  const expected = folded === null || fate !== "cancelled" ? folded : { ...folded, ended_at: endOf(instance) };
  const differs = workflowInstanceDetailsSchema
    .keyof()
    .options.filter((part) => !isDeepStrictEqual(expected?.[part], instance[part]));
  return differs.map((part) =>
    breach(
      "L2",
      `GET shows as ${part} ${JSON.stringify(instance[part])}, its events ${JSON.stringify(folded?.[part])}`,
    ),
  );
}

/**
 * Returns the end of a cancelled instance, which no event contains (T5); undefined if it lies before its last event or
 * in the future.
 */
function endOf({ ended_at, started_at, listeners }: WorkflowInstanceDetails): number | undefined {
  const last = Math.max(started_at, ...listeners.map((listener) => listener.ended_at ?? listener.triggered_at ?? 0));
  return ended_at !== undefined && ended_at >= last && ended_at <= Date.now() ? ended_at : undefined;
}

/** Each acknowledged resumption is in the log at its `seq`, and each hold was resumed once. */
function resumeBreaches({ log, resumed }: Story): Breach[] {
  const answers = log.filter(({ event, data }) => event === "message" && data.metadata?.["request_id"] !== undefined);
  const counted = Map.groupBy(answers, ({ data }) => data.metadata?.["request_id"]);
  const twice = [...counted.values()].filter((same) => same.length > 1);
  return [
    ...twice.map((same) =>
      breach(
        "H1",
        "a hold was resumed twice",
        same.map(({ seq }) => seq),
      ),
    ),
    ...resumed.flatMap(({ requestId, seq }) => {
      const [given] = counted.get(requestId) ?? [];
      return given?.seq === seq
        ? []
        : [breach("H1 L3", `the resumption of ${requestId} was acknowledged as ${seq}, and stands at ${given?.seq}`)];
    }),
  ];
}

/** Each listener fires at most once, and its task ends once. */
function firedBreaches({ log, instance, ordeal }: Story): Breach[] {
  const breaches: Breach[] = [];
  for (const { listener_id: id, task_id: taskId, status } of instance.listeners) {
    const fired = instance.log.filter((entry) => entry.type === "LISTENER_TRIGGERED" && entry.listener_id === id);
    if (fired.length > 1) breaches.push(breach("T4", `${id} fired ${fired.length} times`));
    if (fired.length > 0 && !ordeal.fired.has(id)) breaches.push(breach("T4", `${id} fired, and should not`));
    if ((status === "idle") !== (fired.length === 0))
      breaches.push(breach("T4", `${id} is ${status}, fired ${fired.length} times`));
    const ends = log.filter(
      ({ event, data }) =>
        (event === "task_completed" || event === "task_failed" || event === "task_cancelled") &&
        "task_id" in data &&
        data.task_id === taskId,
    );
    if (taskId !== undefined && ends.length !== 1)
      breaches.push(
        breach(
          "T1",
          `the task of ${id} ended ${ends.length} times`,
          ends.map(({ seq }) => seq),
        ),
      );
  }
  return breaches;
}

/**
 * Each action is executed once, after its dependencies, with one key per attempt, by attempts that the instance shows.
 */
function actionBreaches(
  action: Action,
  { ordeal, instance, approved }: Story,
  calls: readonly Call[],
  fate: Fate,
): Breach[] {
  const { name, listenerId } = action;
  const mine = calls.filter((call) => !call.isReading && nameOf(call) === name);
  const done = mine.filter(({ outcome }) => outcome === "done");
  const keys = [...new Set(mine.map(({ key }) => key))];
  const listener = instance.listeners.find(({ listener_id: id }) => id === listenerId);
  const { attempts = 0, task_id: taskId = "", status } = listener ?? {};
  const allowed = Array.from({ length: attempts }, (_, i) => {
    const message = i === 0 ? taskId : `${taskId}#${i + 1}`;
    return action.isGuarded ? `${message}-2` : message;
  });
  const breaches: Breach[] = [];
  if (done.length > 1)
    breaches.push(breach("T4", `${name} was carried out ${done.length} times: ${done.map(({ key }) => key).join()}`));
  const strangers = keys.filter((key) => !allowed.includes(messageOf(key)));
  // The last change of a cancelled instance may not have been published.
  if (strangers.length > (fate === "finished" ? 0 : 1))
    breaches.push(breach("T4", `${name} was tried as ${keys.join()}, and the attempts are ${allowed.join()}`));
  if (action.fails === 0 && keys.length > 1)
    breaches.push(breach("T4", `${name} never failed and was tried as ${keys.join()}`));
  for (const same of Map.groupBy(keys, messageOf).values())
    if (same.length > 1) breaches.push(breach("T4", `one attempt at ${name} came with several keys: ${same.join()}`));
  const leave = approved.get(taskId) ?? Infinity;
  if (action.isGuarded && mine.some(({ at }) => at < leave))
    breaches.push(breach("H1", `${name} came before its leave`));
  const first = done[0];
  if (status === "done" && first === undefined)
    breaches.push(breach("L3", `${listenerId} is done, and ${name} was never carried out`));
  for (const before of action.after) {
    const needed = calls.find((call) => nameOf(call) === before && call.outcome === "done");
    const [earliest] = mine;
    if (earliest !== undefined && !(needed !== undefined && needed.at < earliest.at))
      breaches.push(breach("T4", `${name} was begun before ${before}`));
  }
  const { made, taskId: target } = action;
  const known = instance.tasks.find(({ task_id: id }) => id === target)?.context["made"];
  if (made !== null && status === "done" && known !== made)
    breaches.push(breach("T4", `${ordeal.subject} knows ${JSON.stringify(known)} of ${target}, not ${made}`));
  return breaches;
}

/** Returns the id of the agent message that caused a call: the key without its last part, the number of the call. */
function messageOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}

export function nameOf({ args, tool }: Call): string {
  return typeof args["job"] === "string" ? args["job"] : tool;
}

/** An answered call is not repeated by the same process, and a task that has ended is not started again by any. */
function repeatBreaches({ readers, instance }: Story, calls: readonly Call[]): Breach[] {
  const breaches: Breach[] = [];
  for (const [key, same] of Map.groupBy(calls, ({ key: each }) => each)) {
    const needless = same.some((call, i) =>
      same
        .slice(0, i)
        .some((before) => before.kills === call.kills && before.isAnswered && before.outcome !== "failed"),
    );
    if (needless) breaches.push(breach("T4", `${key} was asked twice though nothing had died`));
  }
  for (const { frame, kills } of readers.flatMap((reader) => reader.seen)) {
    if (frame.event !== "task_completed") continue;
    const again = calls.find((call) => call.key.startsWith(frame.data.task_id) && call.kills > kills);
    const id = instance.listeners.find(({ task_id: task }) => task === frame.data.task_id)?.listener_id;
    if (again !== undefined)
      breaches.push(breach("T4", `${id} was seen to be over, and ${nameOf(again)} was asked again`, [frame.seq]));
  }
  return breaches;
}

/** The instance ends as its plan requires, and its tasks are verified once, after all actions. */
function demandBreaches({ ordeal, instance, log }: Story, calls: readonly Call[]): Breach[] {
  const breaches: Breach[] = [];
  const statuses = Object.fromEntries(instance.tasks.map(({ task_id: id, status }) => [id, status]));
  const wrong = Object.entries(ordeal.statuses).filter(([id, status]) => statuses[id] !== status);
  for (const [id, status] of wrong) breaches.push(breach("T4", `${id} is ${statuses[id]}, and has to be ${status}`));
  if (instance.status !== ordeal.end) breaches.push(breach("T3", `it had to be ${ordeal.end}: ${instance.error}`));
  for (const { listener_id: id, status } of instance.listeners)
    if ((status !== "idle") !== ordeal.fired.has(id)) breaches.push(breach("T4", `${id} is ${status}`));
  const verified = log.filter(({ event }) => event === "verification_completed").length;
  if (verified !== (ordeal.end === "done" ? 1 : 0)) breaches.push(breach("T4", `it was verified ${verified} times`));
  const checklist = new Map(instance.verification?.checklist.map((entry) => [entry.task_id, entry]));
  for (const [task, canLook] of ordeal.verified) {
    const entry = checklist.get(task);
    if (entry?.verified !== (canLook ? true : "unable_to_verify"))
      breaches.push(breach("T4", `${task} was verified: ${JSON.stringify(entry)}`));
  }
  if (checklist.size !== ordeal.verified.size)
    breaches.push(breach("T4", `verified were ${[...checklist.keys()].join()}`));
  const looked = new Set(calls.filter(({ isReading }) => isReading).map(({ key }) => key));
  const lookers = [...ordeal.verified.values()].filter(Boolean).length;
  if (looked.size !== lookers) breaches.push(breach("T4", `${lookers} pairs were verified by ${looked.size} requests`));
  const asked = calls.filter(({ isReading }) => !isReading).map(({ at }) => at);
  const checks = calls.filter(({ isReading }) => isReading).map(({ at }) => at);
  if (Math.max(...asked, 0) > Math.min(...checks, Infinity))
    breaches.push(breach("T4", "something was done after it was verified"));
  return breaches;
}

/** T5: after an acknowledged cancellation, the log does not change and no system is called. */
function cancelBreaches({ cancelled, log }: Story, calls: readonly Call[]): Breach[] {
  if (cancelled === null) return [breach("T5", "it is cancelled, and nobody was told so")];
  const breaches: Breach[] = [];
  if (cancelled.log !== JSON.stringify(log))
    breaches.push(breach("T5", "its log went on after the cancellation was acknowledged"));
  const later = calls.filter(({ at }) => at > cancelled.at);
  if (later.length > 0)
    breaches.push(breach("T5", `${later.map(nameOf).join()} after the cancellation was acknowledged`));
  const first = log.findIndex((frame) => frame.event === "task_cancelled" && frame.data.payload.content === CANCELLED);
  const other = first < 0 ? undefined : log.slice(first).find((frame) => !isLastWord(frame));
  if (other !== undefined) breaches.push(breach("T5", `${other.event} after the cancellation`, [other.seq]));
  return breaches;
}

const CANCELLED = "You stopped this.";

/** True for events that may follow a cancellation: retractions, closing events and ends. */
function isLastWord(frame: Frame): boolean {
  return PARTING.has(frame.event) || isClosing(frame);
}
