// The A2A tasks of an agent, as this isolate remembers them.
//
// An `AgentTaskRun` owns one run of a task, from a message to its final event or next question: status, text, events
// and the way to cancel it. `record` is the only method that adds output; it must be called in the order of the
// events. Each run of a task has its own artifact, so earlier text never changes. `retracted` restores the state of
// the last checkpoint, except that usage stays.
//
// `AgentTaskRuns` keeps runs by task id. It evicts the oldest finished runs first, then the oldest waiting ones;
// working runs are never evicted.

import { TaskState, type Artifact, type Message, type StreamResponse, type Task, type TaskStatus } from "@a2a-js/sdk";
import { createAgentMessage, createArtifact, createTaskStatus, createTextPart } from "../../../a2a/data-model.ts";
import { EVENTS_EXTENSION } from "../../../protocol/agents/a2a-extension.ts";
import { assertNever } from "../../../lib/assert.ts";
import type { AgentRequest } from "../../../protocol/agents/agent.ts";
import type { AgentRunEvent } from "../agent.ts";

/** Maximum number of remembered runs. */
const MAX_RUNS = 256;
/** Maximum UTF-16 units of all remembered runs together. */
const MAX_TOTAL_CHARS = 16 * 1024 * 1024;
const ANSWER_ARTIFACT_ID = "answer";

/**
 * One run of an A2A task. `cancelled` resolves in any request that awaits it: a Worker must not touch the abort
 * signal of another request.
 */
export class AgentTaskRun {
  readonly id: string;
  readonly request: AgentRequest;
  readonly cancelled: Promise<void>;
  #resolveCancelled: () => void = () => undefined;
  #isCancelledByClient = false;
  #status: TaskStatus = createTaskStatus(TaskState.TASK_STATE_WORKING);
  #terminalEvent: AgentRunEvent | undefined;
  #text = "";
  /** The artifacts of earlier runs of this task. */
  readonly #earlierArtifacts: readonly Artifact[];
  #events: AgentRunEvent[];
  /** The length of the text and the number of events at the last checkpoint. */
  #checkpointed = { chars: 0, events: 0 };
  #size: number;

  constructor(id: string, request: AgentRequest, earlier?: AgentTaskRun) {
    this.id = id;
    this.request = request;
    this.cancelled = new Promise((resolve) => (this.#resolveCancelled = resolve));
    this.#earlierArtifacts = earlier?.snapshot().artifacts ?? [];
    this.#events = earlier === undefined ? [] : [...earlier.#events];
    this.#checkpointed.events = this.#events.length;
    this.#size = request.query.length + (request.reply?.state?.length ?? 0) + (earlier?.size ?? 0);
  }

  get contextId(): string {
    return this.request.conversation_id;
  }

  get state(): TaskState {
    return this.#status.state;
  }

  /** True if the run ended with a question and was not cancelled since. */
  get isWaiting(): boolean {
    return this.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  /** True if the run has completed, failed or was cancelled. A waiting run is not finished. */
  get isFinished(): boolean {
    return this.state !== TaskState.TASK_STATE_WORKING && !this.isWaiting;
  }

  /** True if the client cancelled the task. Such a task cannot be continued, unlike one whose connection broke. */
  get isCancelledByClient(): boolean {
    return this.#isCancelledByClient;
  }

  /** The state that the agent stored with its question; undefined if it does not wait or left none. */
  get questionState(): string | undefined {
    return this.#terminalEvent?.type === "input_required" ? this.#terminalEvent.state : undefined;
  }

  /** The approximate memory of the run in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  /**
   * Marks a working or waiting run as cancelled; if it was working, resolves `cancelled`, which stops the agent. Does
   * nothing if the run has finished. A message may continue the task: see `cancelByClient`.
   */
  cancel(): void {
    if (this.isFinished) return;
    const { isWaiting } = this;
    this.#status = createTaskStatus(TaskState.TASK_STATE_CANCELED);
    this.#terminalEvent = undefined;
    // The request that started a waiting run is over and must not be resumed from another request.
    if (!isWaiting) this.#resolveCancelled();
  }

  /** Cancels the run on behalf of the client, so that no message can continue the task while this isolate knows it. */
  cancelByClient(): void {
    this.#isCancelledByClient = true;
    this.cancel();
  }

  /**
   * Records an event and returns it as an A2A response: an artifact update for text and its retraction, else a status
   * update. A final event sets the state. The caller must not record anything after it.
   */
  record(event: AgentRunEvent): StreamResponse {
    this.#size += measureEvent(event);
    if (event.type === "text") return this.#appendText(event.text);
    if (event.type === "checkpoint") this.#checkpointed = { chars: this.#text.length, events: this.#events.length };
    if (event.type === "retracted") return this.#retract(event);
    const next = getFinalStatus(event, this.#createMessage.bind(this));
    if (next === undefined) {
      if (event.type !== "checkpoint") this.#events.push(event);
    } else {
      this.#status = next;
      this.#terminalEvent = event;
    }
    return this.#createStatusUpdate(
      next ?? getWorkingStatus(event, this.#createMessage.bind(this)),
      event.type === "completed" ? undefined : event,
    );
  }

  /** Returns a status update with the current state, for a run that was cancelled instead of ending with an event. */
  createFinalUpdate(): StreamResponse {
    return this.#createStatusUpdate(this.#status, undefined);
  }

  /**
   * Returns the task as it is now, with the artifacts of all its runs and, under our extension, its events other than
   * text and checkpoints. The history is empty.
   */
  snapshot(): Task {
    const terminalEvent = this.#terminalEvent;
    const events =
      terminalEvent === undefined || terminalEvent.type === "completed"
        ? this.#events
        : [...this.#events, terminalEvent];
    return {
      id: this.id,
      contextId: this.contextId,
      status: this.#status,
      artifacts:
        this.#text === "" ? [...this.#earlierArtifacts] : [...this.#earlierArtifacts, this.#createArtifact(this.#text)],
      history: [],
      metadata: events.length === 0 ? undefined : { [EVENTS_EXTENSION]: events },
    };
  }

  /** Creates the artifact of this run: `answer`, then `answer-2`, `answer-3`, … */
  #createArtifact(text: string): Artifact {
    const n = this.#earlierArtifacts.length;
    return createArtifact(n === 0 ? ANSWER_ARTIFACT_ID : `${ANSWER_ARTIFACT_ID}-${n + 1}`, [createTextPart(text)]);
  }

  #appendText(text: string): StreamResponse {
    const append = this.#text !== "";
    this.#text += text;
    return this.#createArtifactUpdate(text, append);
  }

  /**
   * Removes the output since the last checkpoint. Clients without our extension see the artifact replaced by the
   * rest.
   */
  #retract(event: AgentRunEvent): StreamResponse {
    const { chars, events } = this.#checkpointed;
    this.#events = this.#events.filter(({ type }, i) => i < events || type === "usage");
    if (this.#text.length === chars)
      return this.#createStatusUpdate(createTaskStatus(TaskState.TASK_STATE_WORKING), event);
    this.#text = this.#text.slice(0, chars);
    return this.#createArtifactUpdate(this.#text, false, event);
  }

  #createArtifactUpdate(text: string, append: boolean, event?: AgentRunEvent): StreamResponse {
    const value = {
      taskId: this.id,
      contextId: this.contextId,
      artifact: this.#createArtifact(text),
      append,
      lastChunk: false,
      metadata: event === undefined ? undefined : { [EVENTS_EXTENSION]: event },
    };
    return { payload: { $case: "artifactUpdate", value } };
  }

  #createStatusUpdate(status: TaskStatus, event: AgentRunEvent | undefined): StreamResponse {
    const metadata = event === undefined ? undefined : { [EVENTS_EXTENSION]: event };
    return {
      payload: {
        $case: "statusUpdate",
        value: { taskId: this.id, contextId: this.contextId, status: status, metadata },
      },
    };
  }

  #createMessage(text: string): Message {
    return createAgentMessage({ contextId: this.contextId, taskId: this.id }, [createTextPart(text)]);
  }
}

/** The runs that this isolate knows, by task id. */
export class AgentTaskRuns {
  readonly #runs = new Map<string, AgentTaskRun>();

  /** Adds the run, in place of an earlier run of its task, and evicts old runs that do not work beyond the limits. */
  add(run: AgentTaskRun): void {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    this.#evict((old) => old.isFinished);
    this.#evict((old) => old.isWaiting);
  }

  /** Evicts the oldest runs of a kind while the limits are exceeded. */
  #evict(isOfKind: (run: AgentTaskRun) => boolean): void {
    let size = this.#runs.values().reduce((sum, run) => sum + run.size, 0);
    for (const [id, old] of this.#runs) {
      if (this.#runs.size <= MAX_RUNS && size <= MAX_TOTAL_CHARS) break;
      if (!isOfKind(old)) continue;
      size -= old.size;
      this.#runs.delete(id);
    }
  }

  /** Returns the latest run of a task; undefined if it is unknown or evicted. */
  get(id: string): AgentTaskRun | undefined {
    return this.#runs.get(id);
  }
}

/** Returns the status that an event sets; undefined if the run goes on. */
function getFinalStatus(event: AgentRunEvent, message: (text: string) => Message): TaskStatus | undefined {
  switch (event.type) {
    case "completed":
      return createTaskStatus(TaskState.TASK_STATE_COMPLETED);
    case "failed":
      return createTaskStatus(TaskState.TASK_STATE_FAILED, message(event.reason));
    case "input_required":
      return createTaskStatus(TaskState.TASK_STATE_INPUT_REQUIRED, message(event.prompt));
    case "text":
    case "notification":
    case "reasoning":
    case "tool_started":
    case "tool_completed":
    case "component":
    case "criterion":
    case "usage":
    case "checkpoint":
    case "retracted":
      return undefined;
    default:
      return assertNever(event);
  }
}

function getWorkingStatus(event: AgentRunEvent, message: (text: string) => Message): TaskStatus {
  return createTaskStatus(
    TaskState.TASK_STATE_WORKING,
    event.type === "notification" ? message(event.text) : undefined,
  );
}

/** Returns the UTF-16 units of the fields that can be large. */
function measureEvent(event: AgentRunEvent): number {
  switch (event.type) {
    case "text":
    case "notification":
    case "reasoning":
      return event.text.length;
    case "tool_started":
      return event.arguments?.length ?? 0;
    case "tool_completed":
      return (event.arguments?.length ?? 0) + event.result.length;
    case "component":
      return event.content.length;
    case "input_required":
      return event.prompt.length + (event.state?.length ?? 0);
    case "failed":
      return event.reason.length;
    case "criterion":
      return event.holds.length + event.before.length;
    case "retracted":
    case "checkpoint":
    case "usage":
    case "completed":
      return 0;
    default:
      return assertNever(event);
  }
}
