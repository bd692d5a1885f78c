// The A2A methods of an agent over its generator.
//
// `runTask` owns one run of the generator. It records every event in the run's `AgentTaskRun`, which is shared with
// later requests of the same task, and yields the A2A responses in batches. The task snapshot is always the first
// response. The generator is stopped when the reader stops reading, the reader's request is aborted, or the task is
// cancelled. A run that is left without a final event is marked as cancelled.
//
// There is no event bus: the SDK's own request handler rewrites the whole task on every event, which costs n² work
// for n tokens.

import {
  AgentCard,
  Role,
  TaskState,
  type CancelTaskRequest,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
} from "@a2a-js/sdk";
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { flattenBatches, type EventBatches } from "../../../a2a/sse-response.ts";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../../protocol/agents/a2a-extension.ts";
import type { AgentRequest } from "../../../protocol/agents/agent.ts";
import type { AgentDefinition, RunContext, AgentRunEvent } from "../agent.ts";
import { openTaskRun } from "./open-task-run.ts";
import type { EventQueue } from "../event-queue.ts";
import { startAgent } from "./run-agent.ts";
import { AgentTaskRun, type AgentTaskRuns } from "./agent-task-runs.ts";

/** The agent, its tasks and the Worker functions that one request needs. */
export type TaskHandlerContext = {
  readonly agent: AgentDefinition;
  readonly a2aCard: () => Readonly<Record<string, unknown>>;
  readonly runs: AgentTaskRuns;
  /** Aborted when the reader of this request disconnects. */
  readonly disconnectSignal: AbortSignal;
  readonly context: (message: Message, signal: AbortSignal) => RunContext;
  /** Keeps the Worker alive for work that continues after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Returns the A2A request handler that the SDK calls for A2A 0.3. It offers no extended card, no task list and no
 * push notifications.
 */
export function createTaskHandler(ctx: TaskHandlerContext): A2ARequestHandler {
  return {
    getAgentCard: async () => AgentCard.fromJSON(ctx.a2aCard()),
    getAuthenticatedExtendedAgentCard: rejectUnsupported,
    sendMessageStream: (params) => flattenBatches(streamTask(ctx, params)),
    sendMessage: (params) => sendMessage(ctx, params),
    getTask: async ({ id }) => getRun(ctx.runs, id).snapshot(),
    cancelTask: async (params) => cancelTask(ctx, params),
    resubscribe: throwNotSubscribable,
    listTasks: rejectUnsupported,
    createTaskPushNotificationConfig: rejectPushNotifications,
    getTaskPushNotificationConfig: rejectPushNotifications,
    listTaskPushNotificationConfigs: rejectPushNotifications,
    deleteTaskPushNotificationConfig: rejectPushNotifications,
  };
}

/**
 * Opens a run for the message and returns its A2A responses in batches, the task first. The agent starts with the
 * first read and stops if the reader stops early. Throws at once `RequestMalformedError` for an invalid message, and
 * the errors of `openTaskRun`.
 */
export function streamTask(ctx: TaskHandlerContext, params: SendMessageRequest): EventBatches<StreamResponse> {
  const { run, message } = openMessageRun(ctx, params);
  return runTask(ctx, run, message);
}

/**
 * Starts a run for the message and returns its task: at the end of the run, or at once with `returnImmediately`,
 * while the run continues in `waitUntil`. A run that fails is a task with the state `failed`. Rejects with the errors
 * that `streamTask` throws.
 */
export async function sendMessage(ctx: TaskHandlerContext, params: SendMessageRequest): Promise<Task> {
  const { run, message } = openMessageRun(ctx, params);
  const finished = consumeStream(runTask(ctx, run, message));
  if (params.configuration?.returnImmediately === true) ctx.waitUntil(finished);
  else await finished;
  return run.snapshot();
}

// These errors are created once: capturing a stack trace costs more than the event.
const DISCONNECTED = new Error("The reader has gone.");
const CANCELLED = new Error("The task was cancelled.");
const RUN_ENDED = new Error("The run is over.");

/**
 * Runs the agent and yields the task, then the recorded events. Stops the agent if the reader leaves or the task is
 * cancelled.
 */
async function* runTask(ctx: TaskHandlerContext, run: AgentTaskRun, message: Message): EventBatches<StreamResponse> {
  const stop = new AbortController();
  const onDisconnect = () => stop.abort(DISCONNECTED);
  if (ctx.disconnectSignal.aborted) onDisconnect();
  ctx.disconnectSignal.addEventListener("abort", onDisconnect, { once: true });
  void run.cancelled.then(() => stop.abort(CANCELLED));
  let queue: EventQueue | undefined;
  try {
    // Start the agent and let it issue its first requests before the task is sent, because the receiver stores the
    // task first.
    queue = startAgent(ctx.agent, run.request, ctx.context(message, stop.signal));
    await new Promise((resolve) => setTimeout(resolve, 0));
    yield [{ payload: { $case: "task", value: run.snapshot() } }];
    for (;;) {
      const events = await queue.takeBatch();
      const responses = recordEvents(ctx, run, message, events ?? []);
      if (run.state === TaskState.TASK_STATE_CANCELED) responses.push(run.createFinalUpdate());
      if (events === undefined || run.isFinished) return responses;
      yield responses;
    }
  } finally {
    recordEvents(ctx, run, message, queue?.takeAvailable() ?? []);
    if (run.state === TaskState.TASK_STATE_WORKING) run.cancel();
    ctx.disconnectSignal.removeEventListener("abort", onDisconnect);
    stop.abort(RUN_ENDED);
  }
}

/**
 * Records events up to the final one and returns their A2A responses. Checkpoints are sent only to readers with our
 * extension, and empty texts to nobody. A question that arrives after the client has cancelled the task is withdrawn
 * at once.
 */
function recordEvents(
  ctx: TaskHandlerContext,
  run: AgentTaskRun,
  message: Message,
  events: readonly AgentRunEvent[],
): StreamResponse[] {
  const responses: StreamResponse[] = [];
  const hasExtension = message.extensions.includes(EVENTS_EXTENSION);
  for (const event of events) {
    if (!run.isFinished) {
      const recorded = run.record(event);
      const isHidden = event.type === "checkpoint" ? !hasExtension : event.type === "text" && event.text === "";
      if (!isHidden) responses.push(recorded);
    } else if (run.isCancelledByClient && event.type === "input_required")
      ctx.waitUntil(notifyDismissed(ctx.agent, run.request, event.state));
  }
  return responses;
}

/** Validates the message and opens its run. */
function openMessageRun(ctx: TaskHandlerContext, params: SendMessageRequest): { run: AgentTaskRun; message: Message } {
  const { message } = params;
  if (
    message === undefined ||
    message.messageId === "" ||
    message.parts.length === 0 ||
    message.role === Role.ROLE_AGENT
  ) {
    throw new RequestMalformedError("The request needs a user message with an id and at least one part.");
  }
  return { run: openTaskRun(ctx.runs, message), message };
}

/**
 * Cancels a task, so that no message can continue it, and returns it. If it waits for an answer, calls the `dismiss`
 * function of the agent in the background. Throws `TaskNotCancelableError` if it has ended, and `TaskNotFoundError` if
 * this isolate does not know it and the metadata contain no question state from which it can be restored.
 */
export function cancelTask(
  ctx: TaskHandlerContext,
  { id, metadata }: Pick<CancelTaskRequest, "id" | "metadata">,
): Task {
  const run = ctx.runs.get(id) ?? restoreWaitingRun(ctx.runs, id, metadata);
  if (run.isFinished) throw new TaskNotCancelableError("The task has ended.");
  if (run.isWaiting) ctx.waitUntil(notifyDismissed(ctx.agent, run.request, run.questionState));
  run.cancelByClient();
  return run.snapshot();
}

/**
 * Restores a task that waits in another isolate, from the question state in the metadata of our extension. Throws
 * `TaskNotFoundError` without it.
 */
function restoreWaitingRun(runs: AgentTaskRuns, id: string, metadata: CancelTaskRequest["metadata"]): AgentTaskRun {
  const { task_id, checkpoint: state } = messageParamsSchema.safeParse(metadata?.[EVENTS_EXTENSION]).data ?? {};
  if (task_id === undefined || state === undefined) throw createNotFoundError();
  const run = new AgentTaskRun(id, { message_id: "", task_id, conversation_id: "", query: "", metadata: {} });
  run.record({ type: "input_required", prompt: "", state });
  runs.add(run);
  return run;
}

/** Calls the dismiss function of the agent. Errors are logged and ignored. */
async function notifyDismissed(
  agent: AgentDefinition,
  request: AgentRequest,
  state: string | undefined,
): Promise<void> {
  const { reply: _, checkpoint: __, ...originalRequest } = request;
  try {
    await agent.dismiss?.({ ...originalRequest, ...(state === undefined ? {} : { checkpoint: state }) });
  } catch (thrown) {
    console.error(`${agent.card.name}: cannot be dismissed`, thrown);
  }
}

/** Returns the latest run of a task. Throws `TaskNotFoundError` if this isolate does not know it. */
export function getRun(runs: AgentTaskRuns, id: string): AgentTaskRun {
  const run = runs.get(id);
  if (run === undefined) throw createNotFoundError();
  return run;
}

function createNotFoundError(): Error {
  return new TaskNotFoundError("No such task here.");
}

async function consumeStream(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** Rejects with `UnsupportedOperationError`. */
export function rejectUnsupported(): Promise<never> {
  return Promise.reject(new UnsupportedOperationError("This agent does not offer the method."));
}

/** Rejects with `PushNotificationNotSupportedError`. */
export function rejectPushNotifications(): Promise<never> {
  return Promise.reject(new PushNotificationNotSupportedError("This agent sends no push notifications."));
}

/** Throws `UnsupportedOperationError`: the stream of a running task cannot be joined. */
export function throwNotSubscribable(): never {
  throw new UnsupportedOperationError("A stream cannot be joined again here; ask for the task.");
}
