// Runs a task on its agent in segments.
//
// A segment is one journaled step: from the start of the task, or from the answer to its last question, to its end or
// its next question. Step names are `task:ID`, `task:ID#ATTEMPT` and `task:ID…:SEGMENT`.
// - An interrupted segment starts over with the same message id, from the agent's last checkpoint if there is one (T4).
// - After the task's signal aborts, nothing of the agent is published any more; the outcome is `cancelled` (T5).
// - Each task has exactly one terminal event. It is stored with the value of its last segment (T3).

import { unreachable } from "../protocol/assert.ts";
import type { AgentRequest } from "../protocol/agent.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { agentOf, talkWithAgent, usedIn, type Asks, type Kept, type Talk } from "./agent-talk.ts";
import type { Draft, Emit, StepOutcome, StepSpec } from "./ports.ts";
import { askedDraft, expiryWords, question } from "./questions.ts";
import { ASKED, SPENT, type TaskEnd, type Waiting } from "./task-end.ts";
import { connecting, entering, lastWord, leaving, placeOf, retrying } from "./task-events.ts";
import { requestOf, type SpecialRequest } from "./task-request.ts";
import { stage } from "./stage.ts";
import { reasonOf } from "./stop.ts";
import type { Scene } from "./scene.ts";
import { Voice } from "./voice.ts";

/** Optional behaviour of a task segment. */
export type Special = SpecialRequest & {
  /** A further attempt follows a failure, so a failure publishes `task_retrying` instead of `task_failed`. */
  readonly isRetried?: boolean;
  /** The outcome contains the used tools. */
  readonly keepsTools?: boolean;
  /** A question of the agent becomes a failure with the code `QUESTION_REFUSED`. */
  readonly asksNobody?: boolean;
};

/**
 * Runs one segment of a task as a step. `from` is the answered or closed question to continue from; null at the start.
 * `outcomes` contains the outcomes of the finished tasks. A task whose dependency did not complete, or whose signal is
 * aborted, ends as `cancelled` without a call to its agent. Resolves with the outcome, or with `waiting` if the agent
 * asked. Rejects only for errors of the journal.
 */
export function runLeg(
  scene: Scene,
  plan: Plan,
  task: Task,
  from: Waiting | null,
  ends: ReadonlyMap<string, TaskEnd>,
  special: Special = {},
): Promise<TaskEnd | Waiting> {
  return stage<TaskEnd | Waiting, Kept>(scene, legStep(task, from, special), async (tell, budget, memo) => {
    const signal = AbortSignal.any([scene.signal, scene.taskSignal(task.task_id)]);
    const emit: Emit = (...drafts) => {
      if (!signal.aborted) tell(...drafts);
    };
    const start = from === null ? beginning(plan, task, ends, signal) : continuation(scene, from, signal);
    if (start.kind === "over") {
      if (from !== null) void dismiss(scene, task, from.remote_task_id, from.state);
      return ended(scene, task, start.end, from === null && memo.kept === null ? [] : leaving(task), special);
    }
    const heading = from === null && memo.kept === null ? [...entering(task), connecting(task)] : [];
    emit(...heading);
    const voice = new Voice(placeOf(task), emit);
    const tools = special.keepsTools === true ? [...(memo.kept?.tools ?? [])] : undefined;
    const talk: Talk = {
      scene,
      task,
      emit,
      voice,
      budget,
      signal,
      memo,
      heading,
      tools,
      isConnected: heading.length === 0,
      hasShown: from !== null || memo.kept?.has_shown === true,
    };
    const heard = await talkWithAgent(talk, {
      ...requestOf(scene, plan, task, ends, from, special),
      ...(memo.kept === null ? start.request : { checkpoint: memo.kept.state }),
    });
    if (heard.status === "asks") {
      if (!signal.aborted && special.asksNobody !== true) return posed(scene, task, heard, from, voice.end());
      void dismiss(scene, task, heard.remote_task_id, heard.asked.state);
    }
    const over: TaskEnd =
      heard.status === "asks" ? { status: "failed", error: heard.asked.prompt, code: ASKED, ...usedIn(talk) } : heard;
    const end: TaskEnd = signal.aborted ? { status: "cancelled", error: reasonOf(signal) } : over;
    return ended(scene, task, end, [...voice.end(), ...leaving(task)], special);
  });
}

/** Builds the step of a segment. Its name is stored in the journal and must not change. */
function legStep(task: Task, from: Waiting | null, { attempt = 1 }: Special): StepSpec {
  const { task_id: scope, agent_name: agentName } = task;
  const name = attempt === 1 ? `task:${scope}` : `task:${scope}#${attempt}`;
  if (from === null) return { name, scope, agentName };
  return { name: `${name}:${from.legs + 1}`, scope, agentName, continues: from.request_id };
}

/** The start of a segment: a request to run, or the outcome of a task that ends without one. */
type Start =
  | { readonly kind: "over"; readonly end: TaskEnd }
  | { readonly kind: "run"; readonly request: Pick<AgentRequest, "reply"> };

/** Returns the start of a task's first segment. */
function beginning(plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>, signal: AbortSignal): Start {
  const stopped = signal.aborted ? reasonOf(signal) : blockedBy(plan, task, ends);
  return stopped === null
    ? { kind: "run", request: {} }
    : { kind: "over", end: { status: "cancelled", error: stopped } };
}

/** Returns the start of a segment after a question: the reply, or the outcome of an expired or withdrawn question. */
function continuation(scene: Scene, from: Waiting, signal: AbortSignal): Start {
  if (signal.aborted) return { kind: "over", end: { status: "cancelled", error: reasonOf(signal) } };
  const standing = scene.standing(from.request_id);
  switch (standing.state) {
    case "answered": {
      const { remote_task_id, state } = from;
      const kept = {
        ...(remote_task_id === undefined ? {} : { remote_task_id }),
        ...(state === undefined ? {} : { state }),
      };
      return { kind: "run", request: { reply: { answer: standing.answer, ...kept } } };
    }
    case "expired":
      return { kind: "over", end: { status: "failed", error: expiryWords(from.prompt), code: "question_expired" } };
    case "open":
    case "cancelled":
      return { kind: "over", end: { status: "cancelled", error: "The question was withdrawn." } };
    default:
      return unreachable(standing);
  }
}

/** Returns a sentence about the first dependency that did not complete; null if all did. */
function blockedBy(plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>): string | null {
  const culprit = plan.tasks.find(
    (other) => task.depends_on.includes(other.task_id) && ends.get(other.task_id)?.status !== "completed",
  );
  if (culprit === undefined) return null;
  const end = ends.get(culprit.task_id);
  return `“${culprit.title}”, which this depends on, ${end?.status === "cancelled" ? "was cancelled" : "failed"}.`;
}

/**
 * Notifies the task's agent that its question gets no answer. Does nothing if the agent or its remote task is unknown.
 * `state` is the checkpoint that the agent sent with the question.
 */
export async function dismiss(
  scene: Scene,
  task: Task,
  remote: string | undefined,
  state: string | undefined,
): Promise<void> {
  const agent = agentOf(scene, task);
  const left = { task_id: task.task_id, ...(state === undefined ? {} : { checkpoint: state }) };
  if (agent !== undefined && remote !== undefined) await scene.ports.agents.cancel(agent, remote, left);
}

/** Creates the step outcome that asks the person. The task waits after the step is stored. */
function posed(
  scene: Scene,
  task: Task,
  { asked, remote_task_id }: Asks,
  from: Waiting | null,
  before: readonly Draft[],
): StepOutcome<Waiting> {
  const { prompt, options, approval, state } = asked;
  const asks = question(scene, placeOf(task), { stage: "executing", prompt, options, approval, query: task.query });
  const value: Waiting = {
    status: "waiting",
    request_id: asks.request_id,
    prompt,
    legs: (from?.legs ?? 0) + 1,
    ...(remote_task_id === undefined ? {} : { remote_task_id }),
    ...(state === undefined ? {} : { state }),
  };
  return { value, closing: [...before, askedDraft(asks)], asks };
}

/** Creates the step outcome of a finished task, with its terminal event, or with `task_retrying` if it is retried. */
function ended(
  scene: Scene,
  task: Task,
  over: TaskEnd,
  before: readonly Draft[],
  { attempt = 1, isRetried = false }: Special,
): StepOutcome<TaskEnd> {
  const end = "error" in over ? { ...over, error: scene.ports.say(over.error) } : over;
  if (isRetried && end.status === "failed" && end.code !== SPENT) {
    return { value: end, closing: [...before, retrying(task, end.error, attempt + 1)] };
  }
  const spent = scene.budget.spent.filter((call) => call.task_id === task.task_id);
  return { value: end, closing: [...before, lastWord(task, end, spent)] };
}
