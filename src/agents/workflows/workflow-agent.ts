// A released plan template as an agent. It extracts the inputs from the request, starts an instance, follows it,
// passes its questions to the person and summarizes the result.
//
// The state of a run is stored with its questions and checkpoints: values being asked, instance being followed, or
// question passed on. Commands to the runtime have ids made from the message, so a repeated run starts no second
// instance. A cancelled task cancels its instance; a task whose reader only disconnected does not. Failures end the
// run with a `failed` event.

import { listRequiredInputs } from "../../core/listeners/validate-template.ts";
import { toAgentCard } from "../../directory/template-directory.ts";
import type { AgentReply } from "../../protocol/agents/agent.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { sleep } from "../../lib/retry.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { AgentRunEvent, ModelAgentDefinition } from "../kit/agent.ts";
import { ask, parseState } from "../kit/ask.ts";
import { toFailedEvent } from "../kit/run-failure.ts";
import { DEFAULT_LIMITS } from "../kit/agent-limits.ts";
import { createStartQuestion, decideStart } from "./start-approval.ts";
import { formatSummary } from "./format-summary.ts";
import { followInstance, createCheckpoint, type FollowOutcome } from "./follow-instance.ts";
import {
  createCommandId,
  createRunContext,
  requestRuntime,
  type WorkflowRunContext,
  type WorkflowOwner,
  workflowStateSchema,
  type InstancePosition,
  type WorkflowAgentState,
} from "./workflow-context.ts";
import { getContextValues, extractValues } from "./extract-values.ts";
import {
  computeInstanceConversationId,
  type WorkflowInstanceDetails,
} from "../../protocol/workflows/workflow-instance.ts";

/**
 * Creates the agent of a released template. A run continues from the state in its reply or checkpoint. If the task is
 * cancelled, the instance is cancelled too, for which `waitUntil` keeps the Worker alive after the reader disconnected.
 */
export function createWorkflowAgent(
  owner: WorkflowOwner,
  waitUntil: (work: Promise<unknown>) => void,
): ModelAgentDefinition {
  return {
    card: toAgentCard(owner.template),
    async *run(request, context) {
      const ctx = createRunContext(owner, request, context);
      const running: RunningInstance = { position: null };
      const finished = Promise.withResolvers<void>();
      waitUntil(finished.promise);
      try {
        yield* runWorkflow(ctx, running);
      } catch (thrown) {
        context.signal.throwIfAborted();
        yield toFailedEvent(thrown, request, new AbortController().signal, DEFAULT_LIMITS);
      } finally {
        if (context.signal.aborted && running.position !== null) await cancelWithTask(ctx, running.position);
        finished.resolve();
      }
    },
    async dismiss(request) {
      const state = parseState(request, workflowStateSchema);
      if (state.at === "question") await cancelWithTask({ ...owner, request }, state.place);
    },
  };
}

type RunningInstance = { position: InstancePosition | null };

async function* runWorkflow(ctx: WorkflowRunContext, running: RunningInstance): AsyncGenerator<AgentRunEvent> {
  const { request } = ctx;
  const isContinuation = request.reply !== undefined || request.checkpoint !== undefined;
  const state = isContinuation ? parseState(request, workflowStateSchema) : null;
  const position = yield* resolvePosition(ctx, state);
  if (position === null) return;
  running.position = position;
  yield createCheckpoint(position);
  yield* createFinalEvents(ctx, yield* followInstance(ctx, position));
}

/**
 * Returns the position of the running instance and starts it if needed. Returns null after a question or a final
 * event.
 */
async function* resolvePosition(
  ctx: WorkflowRunContext,
  state: WorkflowAgentState | null,
): AsyncGenerator<AgentRunEvent, InstancePosition | null> {
  const { request } = ctx;
  switch (state?.at) {
    case undefined:
      return yield* startInstance(ctx, getContextValues(ctx, listRequiredInputs(ctx.template)), null);
    case "values":
      return yield* startInstance(ctx, state.context, request.reply?.answer.message ?? null);
    case "approval":
      return yield* startApproved(ctx, state.context, request.reply);
    case "instance":
      return state.place;
    case "question":
      return request.reply === undefined ? state.place : yield* forwardReply(ctx, state, request.reply);
  }
}

async function* startInstance(
  ctx: WorkflowRunContext,
  knownValues: WorkflowTaskContext,
  answer: string | null,
): AsyncGenerator<AgentRunEvent, InstancePosition | null> {
  const { template, language } = ctx;
  const needed = listRequiredInputs(template).filter((name) => !(name in knownValues));
  const context = { ...knownValues, ...(yield* extractValues(ctx, needed, answer)) };
  const missing = needed.filter((name) => !(name in context));
  if (missing.length > 0) {
    const state: WorkflowAgentState = { at: "values", context, missing };
    const question = createMessage("workflow.missingValues", { name: template.name, values: missing });
    yield ask(formatMessage(language, question), { state });
    return null;
  }
  const question = createStartQuestion(ctx, context);
  if (question !== null) {
    yield question;
    return null;
  }
  return await startWithValues(ctx, context);
}

/** Starts the instance with values that the person has approved or changed; asks again after an unclear answer. */
async function* startApproved(
  ctx: WorkflowRunContext,
  askedContext: WorkflowTaskContext,
  reply: AgentReply | undefined,
): AsyncGenerator<AgentRunEvent, InstancePosition | null> {
  const decision = decideStart(askedContext, reply);
  switch (decision.kind) {
    case "start":
      return await startWithValues(ctx, decision.context);
    case "refused":
      yield createStoppedEvent(ctx);
      return null;
    case "unclear":
      yield createStartQuestion(ctx, askedContext, true) ?? createStoppedEvent(ctx);
      return null;
  }
}

async function startWithValues(ctx: WorkflowRunContext, context: WorkflowTaskContext): Promise<InstancePosition> {
  const { api, userId, template, request, language } = ctx;
  const { timezone } = request.metadata;
  const start = { context, language, ...(timezone === undefined ? {} : { timezone }) };
  const command = createCommandId(ctx, "start");
  const started = await requestRuntime(ctx, () =>
    api.startPlanInstance(userId, template.plan_id, start, command),
  ).catch((thrown: unknown) => findStarted(ctx, command, thrown));
  const { plan_instance_id, conversation_id, thread_id } = started;
  return { plan_instance_id, conversation_id, thread_id, after: 0 };
}

/**
 * Returns the instance that an interrupted attempt has started with other values: a repeated model call may read the
 * request differently. Throws the given error if it is another one.
 */
async function findStarted(
  ctx: WorkflowRunContext,
  command: string,
  thrown: unknown,
): Promise<WorkflowInstanceDetails> {
  if (!isReusedId(thrown)) throw thrown;
  const instance = deriveId(await computeInstanceConversationId(command), "inst");
  return requestRuntime(ctx, () => ctx.api.planInstance(ctx.userId, instance));
}

/** True if the runtime has accepted a command with this id and other values. */
function isReusedId(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === "unprocessable" && thrown.field === "id";
}

/** Sends the person's reply to the instance that asked. Returns its position, or null if the person stopped it. */
async function* forwardReply(
  ctx: WorkflowRunContext,
  { place: position, request_id, held: holdsInstance, missing }: Extract<WorkflowAgentState, { at: "question" }>,
  { answer }: AgentReply,
): AsyncGenerator<AgentRunEvent, InstancePosition | null> {
  const { api, userId } = ctx;
  const { plan_instance_id, conversation_id } = position;
  const command = createCommandId(ctx, "resume");
  const { message, arguments: editedArguments } = answer;
  if (holdsInstance && isStopReply(message)) {
    await ignoreConflict(api.cancelPlanInstance(userId, plan_instance_id).then(unwrapResult));
    yield createStoppedEvent(ctx);
    return null;
  }
  if (holdsInstance) {
    const context = isRetryReply(message) ? {} : yield* extractMissingValues(ctx, missing, message);
    await ignoreConflict(
      requestRuntime(ctx, () => api.resumePlanInstance(userId, plan_instance_id, { context }, command)),
    );
    return position;
  }
  const reply = { message, request_id, ...(editedArguments === undefined ? {} : { arguments: editedArguments }) };
  await ignoreConflict(requestRuntime(ctx, () => api.resume(userId, conversation_id, reply, command)));
  return position;
}

function createStoppedEvent({ language }: WorkflowRunContext): AgentRunEvent {
  const reason = formatMessage(language, createMessage("workflow.stopped"));
  return { type: "failed", reason, code: "plan_cancelled" };
}

/**
 * Waits for a request and ignores a conflict: someone may have answered in the conversation of the instance, or an
 * interrupted attempt with other values. The instance then continues anyway.
 */
async function ignoreConflict(request: Promise<unknown>): Promise<void> {
  await request.catch((thrown: unknown) => {
    if (isReusedId(thrown) || (thrown instanceof Fault && /^(conflict|question_)/.test(thrown.code))) return;
    throw thrown;
  });
}

async function* extractMissingValues(
  ctx: WorkflowRunContext,
  missing: readonly { readonly task_id: string; readonly name: string }[],
  message: string,
): AsyncGenerator<AgentRunEvent, Record<string, WorkflowTaskContext>> {
  const names = [...new Set(missing.map(({ name }) => name))];
  const values = yield* extractValues(ctx, names, message);
  const context: Record<string, WorkflowTaskContext> = {};
  for (const { task_id, name } of missing) {
    const value = values[name];
    if (value !== undefined) context[task_id] = { ...context[task_id], [name]: value };
  }
  return context;
}

function* createFinalEvents(
  { language, template }: WorkflowRunContext,
  outcome: FollowOutcome,
): Generator<AgentRunEvent> {
  switch (outcome.kind) {
    case "late": {
      const message = createMessage("workflow.stillRunning", { name: template.name });
      return void (yield { type: "text", text: formatMessage(language, message) });
    }
    case "asks": {
      const { pending, instance, position } = outcome;
      const { prompt, request_id, options, approval } = pending;
      const holdsInstance = instance.hold?.request_id === request_id;
      const missing = holdsInstance ? (instance.hold?.missing ?? []) : [];
      const state: WorkflowAgentState = { at: "question", place: position, request_id, held: holdsInstance, missing };
      const ownOptions =
        holdsInstance && missing.length === 0
          ? [createMessage("workflow.retryAnswer"), createMessage("workflow.stopAnswer")].map((option) =>
              formatMessage(language, option),
            )
          : options;
      const question = {
        prompt,
        state: JSON.stringify(state),
        ...(ownOptions === undefined ? {} : { options: ownOptions }),
      };
      yield { type: "input_required", ...question, ...(approval === undefined ? {} : { approval }) };
      return;
    }
    case "ended": {
      const { instance } = outcome;
      const summary = formatSummary(instance, language);
      if (instance.status === "done") return void (yield { type: "text", text: summary });
      const reason = instance.error === undefined ? summary : `${summary}\n${instance.error}`;
      yield { type: "failed", reason, code: instance.status === "cancelled" ? "plan_cancelled" : "plan_failed" };
    }
  }
}

/** Number of checks for the cancellation of the task: it becomes visible a moment after the signal aborts. */
const MAX_CANCEL_CHECKS = 5;
const CANCEL_CHECK_INTERVAL_MS = 400;
const CANCEL_CHECK_TIMEOUT_MS = 5_000;

/**
 * Cancels the instance if the task was cancelled. If the reader disconnected or the question expired, the instance
 * continues. Never rejects.
 */
async function cancelWithTask(ended: EndedRun, position: InstancePosition): Promise<void> {
  for (let check = 0; check < MAX_CANCEL_CHECKS; check++) {
    if (await withTimeout(CANCEL_CHECK_TIMEOUT_MS, cancelIfTaskCancelled(ended, position)).catch(logCancelError))
      return;
    await sleep(CANCEL_CHECK_INTERVAL_MS);
  }
}

function logCancelError(thrown: unknown): false {
  console.error("An instance that was left behind could not be stopped yet", thrown);
  return false;
}

type EndedRun = WorkflowOwner & Pick<WorkflowRunContext, "request">;

async function cancelIfTaskCancelled(
  { api, userId, request }: EndedRun,
  { plan_instance_id }: InstancePosition,
): Promise<boolean> {
  const task = await api.task(userId, request.task_id);
  const isCancelled = task.ok && task.value.status === "cancelled";
  return isCancelled && (await api.cancelPlanInstance(userId, plan_instance_id)).ok;
}

/** Returns the runtime's API. Throws a `Fault` (`unavailable`) if this deployment has no binding `ORRERY`. */
export function getRuntimeApi(env: Readonly<Record<string, unknown>>): WorkflowOwner["api"] {
  const api = env["ORRERY"];
  if (api === undefined) throw createFault("unavailable", "workflow.unavailable");
  return api as WorkflowOwner["api"];
}

/** True if a reply only asks to stop, in English or Chinese. */
export function isStopReply(message: string): boolean {
  return /^(stop|cancel|abort|no|停止|取消|终止|不要)[\s.!。！]*$/i.test(message.trim());
}

/** True if a reply only asks to try again or to continue, in English or Chinese, and contains no value. */
export function isRetryReply(message: string): boolean {
  return /^(try again|retry|again|go on|continue|yes|ok(ay)?|重试|再试(一次)?|继续|好的?|是的?)[\s.!。！]*$/i.test(
    message.trim(),
  );
}
