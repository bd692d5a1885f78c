// What the core needs from the world. Nothing here may mention Cloudflare.

import type { Agent, AgentEvent, AgentRequest } from "../protocol/agent.ts";
import type { ConversationEvent } from "../protocol/events.ts";
import type { Mint } from "../protocol/ids.ts";
import type { Answer, Approval } from "../protocol/question.ts";
import type { Schedule } from "../protocol/recurring.ts";

export type Ports = {
  readonly now: () => number;
  readonly mint: Mint;
  readonly model: Model;
  readonly agents: Agents;
  readonly step: Step;
  /** Where the code of listeners runs; without it, those that have some fail. */
  readonly code?: Code;
  /** How many schedules the person has, and how many they may have. */
  readonly schedules: () => Promise<{ readonly used: number; readonly most: number }>;
  /** The sentence of a failure, in the language of the message. */
  readonly say: (sentence: string) => string;
  /** Logs what readers must not see. */
  readonly report: (thrown: unknown) => void;
};

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** `arguments` is the JSON text as the model wrote it: it may be anything. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** A tool as a model is told of it; `parameters` is a JSON Schema. */
export type ToolSpec = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type ModelRequest = {
  /** `triage`, `planner`, `synthesis`, `router`, `blueprint` …, `agent:<name>`: sent as the header `x-orrery-role`. */
  readonly role: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** Another model than the role's. */
  readonly model?: string;
  /** Another temperature than the role's. */
  readonly temperature?: number;
  /** From 1: how often the same has been asked. Before a later attempt the model is given a moment to recover. */
  readonly attempt?: number;
  readonly signal: AbortSignal;
};

export type ModelDelta = { readonly type: "text" | "reasoning"; readonly text: string };

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

export type Completion = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
};

export type Model = {
  /**
   * One streamed chat completion. `hear` is called in order, from the first token on, before the
   * promise settles. Trouble that shows before the first delta (429, 5xx, no connection) is retried
   * inside, boundedly; later trouble rejects.
   * Rejects with a `ModelFault`, or with the signal's reason when aborted.
   */
  complete(request: ModelRequest, hear: (delta: ModelDelta) => void): Promise<Completion>;
};

/** A model call that failed for good. `message` is written for the person who waits for the answer. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly code: "model_unavailable" | "model_refused" | "model_interrupted" | "model_malformed";
  /** Trying the whole call again may help: the stream was cut or stalled, or the answer was malformed. */
  readonly retryable: boolean;

  constructor(code: ModelFault["code"], message: string, detail: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: detail.cause });
    this.code = code;
    this.retryable = detail.retryable;
  }
}

export type Agents = {
  /** Every known agent, disabled and hidden ones included. */
  list(): Promise<readonly Agent[]>;
  /**
   * Runs one request on an agent. Never rejects: an agent that cannot be reached, is silent, babbles
   * or says too much yields one `failed` event within its deadline (A1). Ending the iteration early,
   * or aborting the signal, tells the agent to stop.
   */
  run(agent: Agent, request: AgentRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /**
   * Tells an agent that the question of its task will not be answered; `left` is our task and what the agent had left
   * with the question. Never rejects.
   */
  cancel(
    agent: Agent,
    remoteTaskId: string,
    left?: { readonly task_id: string; readonly checkpoint?: string },
  ): Promise<void>;
};

/** Runs JavaScript that nobody has reviewed, cut off from everything. */
export type Code = {
  /**
   * Calls the one function that the code is with `input`, which is JSON, as is what it returns. Code that does not
   * parse, throws, or takes too much has failed, in words for whoever wrote it. Rejects only when the signal aborts.
   */
  run(code: string, input: unknown, signal: AbortSignal): Promise<CodeEnd>;
};

export type CodeEnd =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly message: string };

type Undrafted<Data> = Data extends unknown ? Omit<Data, "conversation_id" | "item_id"> & { item_id?: string } : never;
type DraftOf<Event> = Event extends { event: infer Name; data: infer Data }
  ? { event: Name; data: Undrafted<Data> }
  : never;

/**
 * An event before the log has stamped it with its conversation, its place and, where the drafter
 * names none, its item: chunks and reasoning get the id of their open paragraph.
 */
export type Draft = DraftOf<ConversationEvent>;

/** Publishes events: stored where they must survive, then sent. Order is kept; silent once its step is over. */
export type Emit = (...drafts: Draft[]) => void;

export type StepSpec = {
  /** Unique within the thread. */
  readonly name: string;
  /** The `task_id` that everything published within carries: what is taken back when the step starts over. */
  readonly scope: string;
  readonly agentName: string;
  /** The question whose answer the step goes on from: what was said before it stays said. */
  readonly continues?: string;
  /** Publishes nothing before its end: one that was interrupted has left nothing to take back. */
  readonly isAtomic?: boolean;
};

/** Where a paused thread stopped and what it waits for: the execution context of the thread, kept until it is answered. */
export type Question = {
  readonly request_id: string;
  readonly stage: "planning" | "executing";
  readonly thread_id: string;
  /** The task that waits, or the stage of the thread. */
  readonly task_id: string;
  readonly agent_name: string;
  readonly prompt: string;
  readonly options?: readonly string[];
  readonly approval?: Approval;
  /** A plan is held by it: an answer may come with values, as `arguments.context`, by task and name. */
  readonly takesValues?: true;
  /** What was being worked on. */
  readonly query: string;
  readonly created_at: number;
  readonly expires_at: number;
};

/** H1. A question leaves `open` once, for good. */
export type Standing =
  | { readonly state: "open" }
  | { readonly state: "answered"; readonly answer: Answer }
  | { readonly state: "expired" }
  | { readonly state: "cancelled" };

/** What a step leaves behind: stored in one transaction with its last events. `value` must be JSON. */
export type StepOutcome<T> = {
  readonly value: T;
  readonly closing: readonly Draft[];
} & (
  | {
      /** A question to the person, stored with the value; `closing` puts it to readers. */
      readonly asks?: Question;
      /** A schedule that begins with this step. */
      readonly begins?: Schedule;
      readonly isLast?: never;
    }
  /** Nothing follows but the thread's end: what the step leaves behind is stored with that, in one write. */
  | { readonly isLast: boolean; readonly asks?: never; readonly begins?: never }
);

/** What a step holds on to while it is under way, so that nothing that has finished within it is done twice. */
export type Memo<T> = {
  /** What an interrupted attempt held on to last; null when there was none. */
  readonly kept: T | null;
  /** Stores a JSON value with everything published so far: an interruption from here on starts over from it. */
  readonly keep: (value: T) => void;
};

/**
 * Does `work` once per thread: its value is stored together with the closing events, and a thread
 * that goes on after a crash gets the stored value back. A step that was interrupted starts over, from what
 * it kept if anything: what it had published since is taken back and `task_retrying` told first (T4).
 */
export type Step = <T>(
  spec: StepSpec,
  work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
) => Promise<T>;
