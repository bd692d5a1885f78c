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
import { eventsOf, type Portions } from "../../a2a/sse.ts";
import { EVENTS_EXTENSION, messageParamsSchema } from "../../protocol/a2a.ts";
import type { AgentRequest } from "../../protocol/agent.ts";
import type { AgentDefinition, RunContext, Said } from "./agent.ts";
import { openRun } from "./open.ts";
import type { Mailbox } from "./mailbox.ts";
import { perform } from "./perform.ts";
import { Run, type Runs } from "./runs.ts";

/** The agent, its tasks and the Worker functions that one request needs. */
export type Desk = {
  readonly agent: AgentDefinition;
  readonly a2aCard: () => Readonly<Record<string, unknown>>;
  readonly runs: Runs;
  /** Aborted when the reader of this request disconnects. */
  readonly gone: AbortSignal;
  readonly context: (message: Message, signal: AbortSignal) => RunContext;
  /** Keeps the Worker alive for work that continues after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Returns the A2A request handler that the SDK calls for A2A 0.3. It offers no extended card, no task list and no
 * push notifications.
 */
export function createHandler(desk: Desk): A2ARequestHandler {
  return {
    getAgentCard: async () => AgentCard.fromJSON(desk.a2aCard()),
    getAuthenticatedExtendedAgentCard: refuse,
    sendMessageStream: (params) => eventsOf(stream(desk, params)),
    sendMessage: (params) => send(desk, params),
    getTask: async ({ id }) => known(desk.runs, id).snapshot(),
    cancelTask: async (params) => cancel(desk, params),
    resubscribe: unstreamable,
    listTasks: refuse,
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

/**
 * Starts a run for the message and returns its A2A responses in batches. Throws `RequestMalformedError` for an
 * invalid message and the errors of `openRun`.
 */
export function stream(desk: Desk, params: SendMessageRequest): Portions<StreamResponse> {
  const { run, message } = open(desk, params);
  return work(desk, run, message);
}

/**
 * Starts a run for the message and returns its task: at the end of the run, or at once with `returnImmediately`,
 * while the run continues in `waitUntil`.
 */
export async function send(desk: Desk, params: SendMessageRequest): Promise<Task> {
  const { run, message } = open(desk, params);
  const finished = drain(work(desk, run, message));
  if (params.configuration?.returnImmediately === true) desk.waitUntil(finished);
  else await finished;
  return run.snapshot();
}

// These errors are created once: capturing a stack trace costs more than the event.
const GONE = new Error("The reader has gone.");
const CANCELLED = new Error("The task was cancelled.");
const OVER = new Error("The run is over.");

/**
 * Runs the agent and yields the task, then the recorded events. Stops the agent if the reader leaves or the task is
 * cancelled.
 */
async function* work(desk: Desk, run: Run, message: Message): Portions<StreamResponse> {
  const stop = new AbortController();
  const leave = () => stop.abort(GONE);
  if (desk.gone.aborted) leave();
  desk.gone.addEventListener("abort", leave, { once: true });
  void run.cancelled.then(() => stop.abort(CANCELLED));
  let box: Mailbox | undefined;
  try {
    // Start the agent and let it issue its first requests before the task is sent, because the receiver stores the
    // task first.
    box = perform(desk.agent, run.request, desk.context(message, stop.signal));
    await new Promise((resolve) => setTimeout(resolve, 0));
    yield [{ payload: { $case: "task", value: run.snapshot() } }];
    for (;;) {
      const said = await box.portion();
      const told = record(desk, run, message, said ?? []);
      if (run.state === TaskState.TASK_STATE_CANCELED) told.push(run.farewell());
      if (said === undefined || run.isFinished) return told;
      yield told;
    }
  } finally {
    record(desk, run, message, box?.rest() ?? []);
    if (run.state === TaskState.TASK_STATE_WORKING) run.cancel();
    desk.gone.removeEventListener("abort", leave);
    stop.abort(OVER);
  }
}

/**
 * Records events up to the final one and returns their A2A responses. Checkpoints are sent only to readers with our
 * extension, and empty texts to nobody. A question that arrives after the client has cancelled the task is withdrawn
 * at once.
 */
function record(desk: Desk, run: Run, message: Message, said: readonly Said[]): StreamResponse[] {
  const told: StreamResponse[] = [];
  const isOurs = message.extensions.includes(EVENTS_EXTENSION);
  for (const one of said) {
    if (!run.isFinished) {
      const recorded = run.record(one);
      const isQuiet = one.type === "checkpoint" ? !isOurs : one.type === "text" && one.text === "";
      if (!isQuiet) told.push(recorded);
    } else if (run.isCalledOff && one.type === "input_required")
      desk.waitUntil(dismiss(desk.agent, run.request, one.state));
  }
  return told;
}

/** Validates the message and opens its run. */
function open(desk: Desk, params: SendMessageRequest): { run: Run; message: Message } {
  const { message } = params;
  if (
    message === undefined ||
    message.messageId === "" ||
    message.parts.length === 0 ||
    message.role === Role.ROLE_AGENT
  ) {
    throw new RequestMalformedError("The request needs a user message with an id and at least one part.");
  }
  return { run: openRun(desk.runs, message), message };
}

/**
 * Cancels a task and returns it. Throws `TaskNotCancelableError` if it has ended and `TaskNotFoundError` if it is
 * unknown. A waiting agent is notified in the background.
 */
export function cancel(desk: Desk, { id, metadata }: Pick<CancelTaskRequest, "id" | "metadata">): Task {
  const run = desk.runs.get(id) ?? elsewhere(desk.runs, id, metadata);
  if (run.isFinished) throw new TaskNotCancelableError("The task has ended.");
  if (run.isWaiting) desk.waitUntil(dismiss(desk.agent, run.request, run.stateAsked));
  run.callOff();
  return run.snapshot();
}

/**
 * Restores a task that waits in another isolate, from the question state in the metadata of our extension. Throws
 * `TaskNotFoundError` without it.
 */
function elsewhere(runs: Runs, id: string, metadata: CancelTaskRequest["metadata"]): Run {
  const { task_id, checkpoint: state } = messageParamsSchema.safeParse(metadata?.[EVENTS_EXTENSION]).data ?? {};
  if (task_id === undefined || state === undefined) throw unknown();
  const run = new Run(id, { message_id: "", task_id, conversation_id: "", query: "", metadata: {} });
  run.record({ type: "input_required", prompt: "", state });
  runs.open(run);
  return run;
}

/** Calls the dismiss function of the agent. Errors are logged and ignored. */
async function dismiss(agent: AgentDefinition, request: AgentRequest, state: string | undefined): Promise<void> {
  const { reply: _, checkpoint: __, ...asked } = request;
  try {
    await agent.dismiss?.({ ...asked, ...(state === undefined ? {} : { checkpoint: state }) });
  } catch (thrown) {
    console.error(`${agent.card.name}: cannot be dismissed`, thrown);
  }
}

/** Returns the run of a task. Throws `TaskNotFoundError` if this isolate does not know it. */
export function known(runs: Runs, id: string): Run {
  const run = runs.get(id);
  if (run === undefined) throw unknown();
  return run;
}

function unknown(): Error {
  return new TaskNotFoundError("No such task here.");
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** Rejects with `UnsupportedOperationError`. */
export function refuse(): Promise<never> {
  return Promise.reject(new UnsupportedOperationError("This agent does not offer the method."));
}

/** Rejects with `PushNotificationNotSupportedError`. */
export function noPush(): Promise<never> {
  return Promise.reject(new PushNotificationNotSupportedError("This agent sends no push notifications."));
}

/** Throws `UnsupportedOperationError`: the stream of a running task cannot be joined. */
export function unstreamable(): never {
  throw new UnsupportedOperationError("A stream cannot be joined again here; ask for the task.");
}
