// Ends an instance: decides success or failure, runs the verification, and builds the last events of its thread.

import { createMessage, type Message } from "../../language/messages.ts";
import { ensurePresent } from "../../lib/assert.ts";
import type { Verification } from "../../protocol/plans/verification.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { EventDraft } from "../ports.ts";
import type { TurnContext } from "../turn/turn-context.ts";
import { createTerminalEvent } from "../turn/task-events.ts";
import { createSystemFailure } from "../turn/turn-outcome.ts";
import { buildVerificationContext, createVerificationEvent } from "../verify/verification-events.ts";
import { toCheckedOutcome } from "../verify/verification-outcome.ts";
import { verifyTasks } from "../verify/verify-tasks.ts";
import { readListenerEvidence, renderListenerCriterion } from "./run-checked-listener.ts";
import { getListenerTask } from "./run-listener.ts";
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
import { resolveInstanceLanguage } from "./start-instance.ts";

/** The outcome of an instance with its last events, without `done`. Not published yet. */
export type EndedInstance = { readonly status: "completed" | "failed"; readonly closing: readonly EventDraft[] };

/**
 * Ends an instance that has no further changes. It has failed if it has halted, if its main task is not `Done`, or if
 * the verification (run only if `needsVerification` and nothing else failed) found a task that is not done. Rejects
 * with the signal's reason if it aborts during the verification.
 */
export async function endInstance(
  turn: TurnContext,
  instance: WorkflowInstance,
  state: InstanceState,
  needsVerification: boolean,
): Promise<EndedInstance> {
  const failure = findInstanceFailure(instance, state);
  if (failure !== null || !needsVerification) return buildInstanceEnd(turn, instance, state, failure);
  const targets = await collectVerificationTargets(turn, instance, state);
  const language = resolveInstanceLanguage(turn.request);
  const verification = await verifyTasks(turn, targets, getVerificationSubject(instance, state), language);
  turn.signal.throwIfAborted();
  return buildInstanceEnd(turn, instance, state, findVerificationFailure(instance, verification), verification);
}

/**
 * Builds the last events of a started instance, without publishing them. `failure` is null for a success. With a
 * verification, they include its event and its values in the main task's context.
 */
export function buildInstanceEnd(
  { ports, threadId }: Pick<TurnContext, "ports" | "threadId">,
  instance: WorkflowInstance,
  state: InstanceState,
  failure: InstanceHalt | null,
  verification?: Verification,
): EndedInstance {
  const { hold: _, error: __, ...running } = buildInstanceHead(instance, state);
  const head = {
    ...running,
    ...(failure === null ? ({ status: "done" } as const) : ({ status: "error", error: failure.content } as const)),
    ...(verification === undefined ? {} : { verification }),
    ended_at: Math.max(ports.now(), state.at),
  };
  const closing: EventDraft[] = [
    createHeadEvent(instance, head),
    ...createCancelledTaskEvents(instance, state, ports.formatMessage(createMessage("workflow.taskNotRun"))),
  ];
  if (verification !== undefined) {
    const { mainTaskId } = instance.compiled;
    const main = getTaskState(state, mainTaskId);
    const updated = { ...main, context: { ...main.context, ...buildVerificationContext(verification) } };
    closing.unshift(
      ...createTaskComponentEvents(instance, mainTaskId, main, updated),
      createVerificationEvent(ports, threadId, verification),
    );
  }
  if (failure === null) return { status: "completed", closing };
  return { status: "failed", closing: [...closing, createSystemFailure(threadId, failure)] };
}

/**
 * Creates `task_cancelled` for each task without a terminal event. Listeners in `state.active` count as ended, so it
 * must contain only those whose task has published its terminal event.
 */
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

/** Returns the reason for the failure of a resting instance; null if it has not halted and its main task is `Done`. */
function findInstanceFailure({ compiled, formatMessage }: WorkflowInstance, state: InstanceState): InstanceHalt | null {
  if (state.halt !== undefined) return state.halt;
  const main = getTaskState(state, compiled.mainTaskId);
  const task = ensurePresent(compiled.tasks.get(compiled.mainTaskId), compiled.mainTaskId).name;
  if (main.status === "Done") return null;
  if (main.status === "Error") {
    const reason = main.status_trace.at(-1)?.reason ?? "";
    const content = formatMessage(createMessage("workflow.endedInError", { task, reason })).trim();
    return { content, code: "plan_error" };
  }
  const sentences = [...compiled.listeners].flatMap(([id, listener]) => {
    const { status } = getListenerState(state, id);
    if (status === "cancelled") return [createMessage("workflow.listenerCancelled", { listener: id })];
    return status === "idle" ? [describeIdleListener(listener, state)] : [];
  });
  const described = sentences.slice(0, MAX_DESCRIBED_LISTENERS);
  if (sentences.length > MAX_DESCRIBED_LISTENERS)
    described.push(createMessage("workflow.moreListeners", { count: sentences.length - MAX_DESCRIBED_LISTENERS }));
  const stuck = createMessage("workflow.stuck", { task, status: main.status });
  return { content: formatMessage([stuck, ...described]), code: "plan_not_done" };
}

/** The maximum number of idle listeners that a failure message describes. */
const MAX_DESCRIBED_LISTENERS = 10;

/** Describes an idle listener: its conditions and the current status of its trigger tasks. */
function describeIdleListener({ listener, triggers }: CompiledListener, { tasks }: InstanceState): Message {
  const { listener_id: id, trigger_condition: trigger, action_condition: action } = listener;
  const conditions = [getConditionText(trigger, "Any"), getConditionText(action, "true")]
    .filter((text) => text !== "true")
    .map((text) => `“${truncateForDisplay(text)}”`);
  const statuses = triggers.map((task) => `${task} (${tasks.get(task)?.status ?? "?"})`);
  return createMessage("workflow.listenerWaiting", { listener: id, conditions, statuses });
}

/** Returns the agents with the tasks that they set to `Done`, once per pair. A criterion has decided its target. */
async function collectVerificationTargets(
  turn: TurnContext,
  instance: WorkflowInstance,
  state: InstanceState,
): Promise<readonly VerificationTarget[]> {
  const { compiled } = instance;
  const { listeners, tasks } = state;
  const targets = new Map<string, VerificationTarget>();
  for (const [id, { listener }] of compiled.listeners) {
    const { listener_type: type, agent_id: agent, success_output: output } = listener;
    const { task_id, status } = output;
    const task = tasks.get(task_id);
    const isDone = listeners.get(id)?.status === "done" && status === "Done" && task?.status === "Done";
    if (type !== "agent" || agent === undefined || agent === null || !isDone) continue;
    const task_name = compiled.tasks.get(task_id)?.name ?? task_id;
    const { attempts, response, tools } = getListenerState(state, id);
    const calls = tools.map(({ tool, arguments: args = "" }) => `${tool} ${args}`);
    const facts = { ...removeErrorValues(task.context), ...(calls.length === 0 ? {} : { task_calls: calls }) };
    const target = { agent_name: agent, task_id, task_name, facts };
    const planTask = getListenerTask(instance, id);
    const criterion = renderListenerCriterion(turn, instance, state, planTask, listener);
    const outcome =
      criterion === null
        ? {}
        : {
            outcome: toCheckedOutcome(
              turn.ports,
              await readListenerEvidence(turn, planTask, criterion, attempts),
              response ?? "",
            ),
          };
    targets.set(JSON.stringify([agent, task_id]), { ...target, ...outcome });
  }
  return [...targets.values()];
}

/** Returns the subject of the verification: the values of the main task. */
function getVerificationSubject({ compiled }: WorkflowInstance, { tasks }: InstanceState): WorkflowTaskContext {
  return removeErrorValues(tasks.get(compiled.mainTaskId)?.context ?? {});
}

/** Returns the failure that a verification causes; null unless a task was explicitly found not done. */
function findVerificationFailure(
  { formatMessage }: WorkflowInstance,
  { checklist, summary }: Verification,
): InstanceHalt | null {
  if (!summary.has_explicit_failure) return null;
  const failed = checklist.filter(({ verified }) => verified === false);
  const tasks = failed.map(({ agent_id, task_id, task_name }) => `${agent_id} (${task_id} ${task_name})`);
  return {
    content: formatMessage(createMessage("workflow.verificationFailed", { tasks })),
    code: "verification_failed",
  };
}
