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
import { agentMessage, artifactOf, statusOf, textPart } from "../../a2a/parts.ts";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import { unreachable } from "../../protocol/assert.ts";
import type { AgentRequest } from "../../protocol/agent.ts";
import type { Said } from "./agent.ts";

/** Maximum number of remembered runs. */
const REMEMBERED = 256;
/** Maximum UTF-16 units of all remembered runs together. */
const REMEMBERED_CHARS = 16 * 1024 * 1024;
const ANSWER = "answer";

/**
 * One run of an A2A task. `cancelled` resolves in any request that awaits it: a Worker must not touch the abort
 * signal of another request.
 */
export class Run {
  readonly id: string;
  readonly request: AgentRequest;
  readonly cancelled: Promise<void>;
  #cancel: () => void = () => undefined;
  #isCalledOff = false;
  #status: TaskStatus = statusOf(TaskState.TASK_STATE_WORKING);
  #lastWord: Said | undefined;
  #text = "";
  /** The artifacts of earlier runs of this task. */
  readonly #before: readonly Artifact[];
  #events: Said[];
  /** The length of the text and the number of events at the last checkpoint. */
  #firm = { chars: 0, events: 0 };
  #size: number;

  constructor(id: string, request: AgentRequest, earlier?: Run) {
    this.id = id;
    this.request = request;
    this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
    this.#before = earlier?.snapshot().artifacts ?? [];
    this.#events = earlier === undefined ? [] : [...earlier.#events];
    this.#firm.events = this.#events.length;
    this.#size = request.query.length + (request.reply?.state?.length ?? 0) + (earlier?.size ?? 0);
  }

  get contextId(): string {
    return this.request.conversation_id;
  }

  get state(): TaskState {
    return this.#status.state;
  }

  get isWaiting(): boolean {
    return this.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  get isFinished(): boolean {
    return this.state !== TaskState.TASK_STATE_WORKING && !this.isWaiting;
  }

  /** True if the client cancelled the task. Such a task cannot be continued, unlike one whose connection broke. */
  get isCalledOff(): boolean {
    return this.#isCalledOff;
  }

  /** The state that the agent stored with its question; undefined if it does not wait or left none. */
  get stateAsked(): string | undefined {
    return this.#lastWord?.type === "input_required" ? this.#lastWord.state : undefined;
  }

  /** The approximate memory of the run in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  /** Marks the run as cancelled and resolves `cancelled`. Does nothing if the run has finished. */
  cancel(): void {
    if (this.isFinished) return;
    const { isWaiting } = this;
    this.#status = statusOf(TaskState.TASK_STATE_CANCELED);
    this.#lastWord = undefined;
    // The request that started a waiting run is over and must not be resumed from another request.
    if (!isWaiting) this.#cancel();
  }

  /** Cancels the run on behalf of the client, so that no message can continue the task. */
  callOff(): void {
    this.#isCalledOff = true;
    this.cancel();
  }

  /** Records an event and returns it as an A2A response. */
  record(said: Said): StreamResponse {
    this.#size += sizeOf(said);
    if (said.type === "text") return this.#delta(said.text);
    if (said.type === "checkpoint") this.#firm = { chars: this.#text.length, events: this.#events.length };
    if (said.type === "retracted") return this.#retract(said);
    const next = statusAfter(said, this.#message.bind(this));
    if (next === undefined) {
      if (said.type !== "checkpoint") this.#events.push(said);
    } else {
      this.#status = next;
      this.#lastWord = said;
    }
    return this.#update(
      next ?? statusWhile(said, this.#message.bind(this)),
      said.type === "completed" ? undefined : said,
    );
  }

  /** Returns the final status update of a run that was cancelled from outside. */
  farewell(): StreamResponse {
    return this.#update(this.#status, undefined);
  }

  /** Returns the task with its artifacts and, under our extension, its events. */
  snapshot(): Task {
    const last = this.#lastWord;
    const events = last === undefined || last.type === "completed" ? this.#events : [...this.#events, last];
    return {
      id: this.id,
      contextId: this.contextId,
      status: this.#status,
      artifacts: this.#text === "" ? [...this.#before] : [...this.#before, this.#artifact(this.#text)],
      history: [],
      metadata: events.length === 0 ? undefined : { [EVENTS_EXTENSION]: events },
    };
  }

  /** Creates the artifact of this run: `answer`, then `answer-2`, `answer-3`, … */
  #artifact(text: string): Artifact {
    const n = this.#before.length;
    return artifactOf(n === 0 ? ANSWER : `${ANSWER}-${n + 1}`, [textPart(text)]);
  }

  #delta(text: string): StreamResponse {
    const append = this.#text !== "";
    this.#text += text;
    return this.#answer(text, append);
  }

  /**
   * Removes the output since the last checkpoint. Clients without our extension see the artifact replaced by the
   * rest.
   */
  #retract(said: Said): StreamResponse {
    const { chars, events } = this.#firm;
    this.#events = this.#events.filter(({ type }, i) => i < events || type === "usage");
    if (this.#text.length === chars) return this.#update(statusOf(TaskState.TASK_STATE_WORKING), said);
    this.#text = this.#text.slice(0, chars);
    return this.#answer(this.#text, false, said);
  }

  #answer(text: string, append: boolean, said?: Said): StreamResponse {
    const value = {
      taskId: this.id,
      contextId: this.contextId,
      artifact: this.#artifact(text),
      append,
      lastChunk: false,
      metadata: said === undefined ? undefined : { [EVENTS_EXTENSION]: said },
    };
    return { payload: { $case: "artifactUpdate", value } };
  }

  #update(now: TaskStatus, said: Said | undefined): StreamResponse {
    const metadata = said === undefined ? undefined : { [EVENTS_EXTENSION]: said };
    return {
      payload: { $case: "statusUpdate", value: { taskId: this.id, contextId: this.contextId, status: now, metadata } },
    };
  }

  #message(text: string): Message {
    return agentMessage({ contextId: this.contextId, taskId: this.id }, [textPart(text)]);
  }
}

/** The runs that this isolate knows, by task id. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  /** Adds or replaces the run of a task and evicts old ones. */
  open(run: Run): void {
    this.#runs.delete(run.id);
    this.#runs.set(run.id, run);
    this.#forget((old) => old.isFinished);
    this.#forget((old) => old.isWaiting);
  }

  /** Evicts the oldest runs of a kind while the limits are exceeded. */
  #forget(isOfKind: (run: Run) => boolean): void {
    let size = this.#runs.values().reduce((sum, run) => sum + run.size, 0);
    for (const [id, old] of this.#runs) {
      if (this.#runs.size <= REMEMBERED && size <= REMEMBERED_CHARS) break;
      if (!isOfKind(old)) continue;
      size -= old.size;
      this.#runs.delete(id);
    }
  }

  /** Returns the latest run of a task; undefined if it is unknown or evicted. */
  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }
}

/** Returns the status that an event sets; undefined if the run goes on. */
function statusAfter(said: Said, message: (text: string) => Message): TaskStatus | undefined {
  switch (said.type) {
    case "completed":
      return statusOf(TaskState.TASK_STATE_COMPLETED);
    case "failed":
      return statusOf(TaskState.TASK_STATE_FAILED, message(said.reason));
    case "input_required":
      return statusOf(TaskState.TASK_STATE_INPUT_REQUIRED, message(said.prompt));
    case "text":
    case "notification":
    case "reasoning":
    case "tool_started":
    case "tool_completed":
    case "component":
    case "usage":
    case "checkpoint":
    case "retracted":
      return undefined;
    default:
      return unreachable(said);
  }
}

function statusWhile(said: Said, message: (text: string) => Message): TaskStatus {
  return statusOf(TaskState.TASK_STATE_WORKING, said.type === "notification" ? message(said.text) : undefined);
}

/** Returns the UTF-16 units of the fields that can be large. */
function sizeOf(said: Said): number {
  switch (said.type) {
    case "text":
    case "notification":
    case "reasoning":
      return said.text.length;
    case "tool_started":
      return said.arguments?.length ?? 0;
    case "tool_completed":
      return (said.arguments?.length ?? 0) + said.result.length;
    case "component":
      return said.content.length;
    case "input_required":
      return said.prompt.length + (said.state?.length ?? 0);
    case "failed":
      return said.reason.length;
    case "retracted":
    case "checkpoint":
    case "usage":
    case "completed":
      return 0;
    default:
      return unreachable(said);
  }
}
