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

/** What one request to an agent works with. */
export type Desk = {
  readonly agent: AgentDefinition;
  readonly a2aCard: () => Readonly<Record<string, unknown>>;
  readonly runs: Runs;
  /** Aborted when the reader of this request has gone. */
  readonly gone: AbortSignal;
  readonly context: (message: Message, signal: AbortSignal) => RunContext;
  /** Keeps the Worker alive for work that goes on after the answer. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * The A2A methods over an agent's generator, for the SDK to translate 0.3 to. There is no event bus in between:
 * the SDK's own request handler rewrites the whole task on every event, which costs a stream of n tokens n² work.
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

export function stream(desk: Desk, params: SendMessageRequest): Portions<StreamResponse> {
  const { run, message } = open(desk, params);
  return work(desk, run, message);
}

export async function send(desk: Desk, params: SendMessageRequest): Promise<Task> {
  const { run, message } = open(desk, params);
  const finished = drain(work(desk, run, message));
  if (params.configuration?.returnImmediately === true) desk.waitUntil(finished);
  else await finished;
  return run.snapshot();
}

// Made once: an error takes down where it was made, which costs more than the event that it goes with.
const GONE = new Error("The reader has gone.");
const CANCELLED = new Error("The task was cancelled.");
const OVER = new Error("The run is over.");

/** The task, then the run itself. Whoever stops reading it, aborts `gone` or cancels the task stops the agent. */
async function* work(desk: Desk, run: Run, message: Message): Portions<StreamResponse> {
  const stop = new AbortController();
  const leave = () => stop.abort(GONE);
  if (desk.gone.aborted) leave();
  desk.gone.addEventListener("abort", leave, { once: true });
  void run.cancelled.then(() => stop.abort(CANCELLED));
  let box: Mailbox | undefined;
  try {
    // Begun, and what it asks for at once on its way, before the reader has the task: storing that takes its time.
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
 * Takes down what was said, up to the last word. A checkpoint says nothing to a stranger, no text nothing to anybody,
 * and a question that comes after the task was called off waits for nobody.
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

export function cancel(desk: Desk, { id, metadata }: Pick<CancelTaskRequest, "id" | "metadata">): Task {
  const run = desk.runs.get(id) ?? elsewhere(desk.runs, id, metadata);
  if (run.isFinished) throw new TaskNotCancelableError("The task has ended.");
  if (run.isWaiting) desk.waitUntil(dismiss(desk.agent, run.request, run.stateAsked));
  run.callOff();
  return run.snapshot();
}

/** One that another isolate has run waits as well: whoever knows our extension brings along what the agent had left. */
function elsewhere(runs: Runs, id: string, metadata: CancelTaskRequest["metadata"]): Run {
  const { task_id, checkpoint: state } = messageParamsSchema.safeParse(metadata?.[EVENTS_EXTENSION]).data ?? {};
  if (task_id === undefined || state === undefined) throw unknown();
  const run = new Run(id, { message_id: "", task_id, conversation_id: "", query: "", metadata: {} });
  run.record({ type: "input_required", prompt: "", state });
  runs.open(run);
  return run;
}

/** Nothing of the agent runs while it waits, so it has to be told. */
async function dismiss(agent: AgentDefinition, request: AgentRequest, state: string | undefined): Promise<void> {
  const { reply: _, checkpoint: __, ...asked } = request;
  try {
    await agent.dismiss?.({ ...asked, ...(state === undefined ? {} : { checkpoint: state }) });
  } catch (thrown) {
    console.error(`${agent.card.name}: cannot be dismissed`, thrown);
  }
}

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

export function refuse(): Promise<never> {
  return Promise.reject(new UnsupportedOperationError("This agent does not offer the method."));
}

export function noPush(): Promise<never> {
  return Promise.reject(new PushNotificationNotSupportedError("This agent sends no push notifications."));
}

export function unstreamable(): never {
  throw new UnsupportedOperationError("A stream cannot be joined again here; ask for the task.");
}
