import {
  Role,
  TaskState,
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  type TaskStatus,
} from "@a2a-js/sdk";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import { unreachable } from "../../protocol/assert.ts";
import type { Said } from "./agent.ts";

/** Finished runs that can still be asked for by their id. */
const REMEMBERED = 256;
const ANSWER = "answer";

/**
 * One A2A task: what has been said so far, and the way to stop it.
 * `cancelled` resolves in whatever request waits for it: a Worker must not touch another request's signal.
 */
export class Run {
  readonly id: string;
  readonly contextId: string;
  readonly cancelled: Promise<void>;
  #cancel: () => void = () => undefined;
  #status: TaskStatus = status(TaskState.TASK_STATE_WORKING);
  #text = "";
  #events: Said[] = [];

  constructor(id: string, contextId: string) {
    this.id = id;
    this.contextId = contextId;
    this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
  }

  get state(): TaskState {
    return this.#status.state;
  }

  get isFinished(): boolean {
    return this.state !== TaskState.TASK_STATE_WORKING && this.state !== TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  cancel(): void {
    if (this.isFinished) return;
    this.#status = status(TaskState.TASK_STATE_CANCELED);
    this.#cancel();
  }

  /** Takes down what the agent said and words it in A2A. */
  record(said: Said): StreamResponse {
    if (said.type === "text") return this.#delta(said.text);
    const next = statusAfter(said, this.#message.bind(this));
    if (next === undefined) this.#events.push(said);
    else this.#status = next;
    return this.#update(
      next ?? statusWhile(said, this.#message.bind(this)),
      said.type === "completed" ? undefined : said,
    );
  }

  /** The last word of a run that was cancelled from outside. */
  farewell(): StreamResponse {
    return this.#update(this.#status, undefined);
  }

  snapshot(): Task {
    return {
      id: this.id,
      contextId: this.contextId,
      status: this.#status,
      artifacts: this.#text === "" ? [] : [artifact(this.#text)],
      history: [],
      metadata: this.#events.length === 0 ? undefined : { [EVENTS_EXTENSION]: this.#events },
    };
  }

  #delta(text: string): StreamResponse {
    const append = this.#text !== "";
    this.#text += text;
    const value = {
      taskId: this.id,
      contextId: this.contextId,
      artifact: artifact(text),
      append,
      lastChunk: false,
      metadata: undefined,
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
    return {
      messageId: crypto.randomUUID(),
      contextId: this.contextId,
      taskId: this.id,
      role: Role.ROLE_AGENT,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }
}

/** The runs that this isolate knows, by task id. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  open(run: Run): void {
    this.#runs.set(run.id, run);
    for (const [id, old] of this.#runs) {
      if (this.#runs.size <= REMEMBERED) break;
      if (old.state !== TaskState.TASK_STATE_WORKING) this.#runs.delete(id);
    }
  }

  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }
}

/** The status that ends a run, if this is what `said` does. */
function statusAfter(said: Said, message: (text: string) => Message): TaskStatus | undefined {
  switch (said.type) {
    case "completed":
      return status(TaskState.TASK_STATE_COMPLETED);
    case "failed":
      return status(TaskState.TASK_STATE_FAILED, message(said.reason));
    case "input_required":
      return status(TaskState.TASK_STATE_INPUT_REQUIRED, message(said.prompt));
    case "text":
    case "notification":
    case "reasoning":
    case "tool_started":
    case "tool_completed":
    case "component":
    case "usage":
      return undefined;
    default:
      return unreachable(said);
  }
}

function statusWhile(said: Said, message: (text: string) => Message): TaskStatus {
  return status(TaskState.TASK_STATE_WORKING, said.type === "notification" ? message(said.text) : undefined);
}

function status(state: TaskState, message?: Message): TaskStatus {
  return { state, message, timestamp: new Date().toISOString() };
}

function artifact(text: string): Artifact {
  return {
    artifactId: ANSWER,
    name: "",
    description: "",
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

function textPart(text: string): Part {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}
