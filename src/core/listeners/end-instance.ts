// Ends an instance: decides success or failure, runs the verification, and builds the last events of its thread.

import type { Language } from "../../protocol/language/detect-language.ts";
import { ensurePresent } from "../../protocol/assert.ts";
import type { Verification } from "../../protocol/plans/verification.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { EventDraft } from "../ports.ts";
import type { TurnContext } from "../turn-context.ts";
import { createTerminalEvent } from "../task-events.ts";
import { buildVerificationContext, createVerificationEvent } from "../verify/verification-events.ts";
import { verifyTasks } from "../verify/verify-tasks.ts";
import type { VerificationTarget } from "../verify/verification-request.ts";
import { getConditionText, type CompiledListener } from "./compile-template.ts";
import {
  createHeadEvent,
  buildInstanceHead,
  truncateForDisplay,
  createTaskComponentEvents,
  type WorkflowInstance,
} from "./instance-components.ts";
import { getListenerState, getTaskState, type InstanceHalt, type InstanceState } from "./instance-state.ts";
import { removeErrorValues } from "./instance-recovery.ts";
import { resolveLanguage, INSTANCE_MESSAGES } from "./instance-messages.ts";

/** The outcome of an instance with its last events, without `done`. */
export type EndedInstance = { readonly status: "completed" | "failed"; readonly closing: readonly EventDraft[] };

/**
 * Ends an instance that has no further changes. It has failed if its main task is not `Done`, or if the verification
 * (only if `isVerified`) found a task that is not done. Throws the signal's reason if it aborts during verification.
 */
export async function endInstance(
  turn: TurnContext,
  instance: WorkflowInstance,
  state: InstanceState,
  isVerified: boolean,
): Promise<EndedInstance> {
  const language = resolveLanguage(turn.request);
  const failure = findInstanceFailure(instance, state, language);
  if (failure !== null || !isVerified) return buildInstanceEnd(turn, instance, state, failure);
  const targets = collectVerificationTargets(instance, state);
  const verification = await verifyTasks(turn, targets, getVerificationSubject(instance, state), language);
  turn.signal.throwIfAborted();
  return buildInstanceEnd(turn, instance, state, findVerificationFailure(verification, language), verification);
}

/** Builds the last events of a started instance. `halt` is the reason of a failure; null means success. */
export function buildInstanceEnd(
  { ports, request, threadId }: Pick<TurnContext, "ports" | "request" | "threadId">,
  instance: WorkflowInstance,
  state: InstanceState,
  halt: InstanceHalt | null,
  verification?: Verification,
): EndedInstance {
  const failure = halt === null ? null : { ...halt, content: ports.translate(halt.content) };
  const { hold: _, error: __, ...running } = buildInstanceHead(instance, state);
  const head = {
    ...running,
    ...(failure === null ? ({ status: "done" } as const) : ({ status: "error", error: failure.content } as const)),
    ...(verification === undefined ? {} : { verification }),
    ended_at: Math.max(ports.now(), state.at),
  };
  const closing: EventDraft[] = [
    createHeadEvent(instance, head),
    ...createCancelledTaskEvents(instance, state, ports.translate("The plan ended without it.")),
  ];
  if (verification !== undefined) {
    const { mainTaskId } = instance.compiled;
    const main = getTaskState(state, mainTaskId);
    const updated = { ...main, context: { ...main.context, ...buildVerificationContext(verification) } };
    closing.unshift(
      ...createTaskComponentEvents(instance, mainTaskId, main, updated),
      createVerificationEvent(threadId, verification, resolveLanguage(request)),
    );
  }
  if (failure === null) return { status: "completed", closing };
  const data = { role: "system", thread_id: threadId, payload: failure } as const;
  return { status: "failed", closing: [...closing, { event: "system_failed", data }] };
}

/** Creates `task_cancelled` for each task without a terminal event. */
export function createCancelledTaskEvents(
  instance: WorkflowInstance,
  state: InstanceState,
  reason: string,
): EventDraft[] {
  return instance.plan.tasks.flatMap((task) => {
    const id = String(task.metadata["listener_id"]);
    const { status } = getListenerState(state, id);
    const isOver = state.active.has(id) || status === "done" || status === "cancelled" || status === "failed";
    return isOver ? [] : [createTerminalEvent(task, { status: "cancelled", error: reason }, [])];
  });
}

/** Returns the reason for the failure of a resting instance; null if its main task is `Done`. */
function findInstanceFailure(
  { compiled }: WorkflowInstance,
  state: InstanceState,
  language: Language,
): InstanceHalt | null {
  if (state.halt !== undefined) return state.halt;
  const words = INSTANCE_MESSAGES[language];
  const main = getTaskState(state, compiled.mainTaskId);
  const name = ensurePresent(compiled.tasks.get(compiled.mainTaskId), compiled.mainTaskId).name;
  if (main.status === "Done") return null;
  if (main.status === "Error") {
    const reason = main.status_trace.at(-1)?.reason ?? "";
    return { content: words.ended(name, reason), code: "plan_error" };
  }
  const idleListeners = [...compiled.listeners].flatMap(([id, listener]) => {
    const { status } = getListenerState(state, id);
    if (status === "cancelled") return [words.cancelled(id)];
    return status === "idle" ? [describeIdleListener(listener, state, language)] : [];
  });
  const listed =
    idleListeners.length > MAX_DESCRIBED_LISTENERS
      ? [...idleListeners.slice(0, MAX_DESCRIBED_LISTENERS), words.more(idleListeners.length - MAX_DESCRIBED_LISTENERS)]
      : idleListeners;
  return { content: words.stuck(name, main.status, listed), code: "plan_not_done" };
}

/** The maximum number of idle listeners that a failure message describes. */
const MAX_DESCRIBED_LISTENERS = 10;

/** Describes an idle listener: its conditions and the current status of its trigger tasks. */
function describeIdleListener(
  { listener, triggers }: CompiledListener,
  { tasks }: InstanceState,
  language: Language,
): string {
  const { listener_id: id, trigger_condition: trigger, action_condition: action } = listener;
  const conditions = [getConditionText(trigger, "Any"), getConditionText(action, "true")].filter(
    (text) => text !== "true",
  );
  const statuses = triggers.map((task) => [task, tasks.get(task)?.status ?? "unknown"] as const);
  return INSTANCE_MESSAGES[language].waits(id, conditions.map(truncateForDisplay), statuses);
}

/** Returns the agents with the tasks that they set to `Done`, once per pair. */
function collectVerificationTargets(
  { compiled }: WorkflowInstance,
  { listeners, tasks }: InstanceState,
): readonly VerificationTarget[] {
  const targets = new Map<string, VerificationTarget>();
  for (const [id, { listener }] of compiled.listeners) {
    const { listener_type: type, agent_id: agent, success_output: output } = listener;
    const { task_id, status } = output;
    const task = tasks.get(task_id);
    const isDone = listeners.get(id)?.status === "done" && status === "Done" && task?.status === "Done";
    if (type !== "agent" || agent === undefined || agent === null || !isDone) continue;
    const task_name = compiled.tasks.get(task_id)?.name ?? task_id;
    targets.set(JSON.stringify([agent, task_id]), {
      agent_name: agent,
      task_id,
      task_name,
      facts: removeErrorValues(task.context),
    });
  }
  return [...targets.values()];
}

/** Returns the subject of the verification: the values of the main task. */
function getVerificationSubject({ compiled }: WorkflowInstance, { tasks }: InstanceState): WorkflowTaskContext {
  return removeErrorValues(tasks.get(compiled.mainTaskId)?.context ?? {});
}

/** Returns the failure that a verification causes; null unless a task was explicitly found not done. */
function findVerificationFailure({ checklist, summary }: Verification, language: Language): InstanceHalt | null {
  if (!summary.has_explicit_failure) return null;
  const failed = checklist.filter(({ verified }) => verified === false);
  const names = failed.map(({ agent_id, task_id, task_name }) => `${agent_id} (${task_id} ${task_name})`);
  return { content: INSTANCE_MESSAGES[language].unverified(names), code: "verification_failed" };
}
