// The ports of the core: everything that it needs from its environment, as types.
//
// `durable` wires the implementations; tests use scripted ones. Nothing here may mention Cloudflare.
// Implement `Model`, `AgentRunner`, `CodeRunner` or `StepRunner` to use another provider, transport, sandbox or
// journal.

import type { Agent, AgentEvent, AgentRequest } from "../protocol/agents/agent.ts";
import type { ConversationEvent } from "../protocol/wire/events.ts";
import type { IdFactory } from "../protocol/wire/ids.ts";
import type { QuestionAnswer, Approval } from "../protocol/wire/question.ts";
import type { Profile } from "../protocol/agents/profile.ts";
import type { Schedule, UpdateScheduleRequest } from "../protocol/schedules/schedule.ts";
import type { Message } from "../language/messages.ts";

/** Everything that a turn may use besides its own input. One object per conversation and message. */
export type Ports = {
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly mint: IdFactory;
  readonly model: Model;
  readonly agents: AgentRunner;
  readonly step: StepRunner;
  /** Runs the code of listeners. If it is absent, listeners that have code fail. */
  readonly code?: CodeRunner;
  readonly schedules: PersonSchedules;
  /** Returns the profile of the person; empty if it cannot be read. */
  readonly profile: () => Promise<Profile>;
  /**
   * Formats a message, or consecutive messages, in the language of the turn. Strings are sentences from outside
   * (agents, models) and stay unchanged.
   */
  readonly formatMessage: (message: Message | readonly Message[] | string) => string;
  /** Logs an internal error. Readers never see it. */
  readonly report: (thrown: unknown) => void;
};

/** A change of a schedule that exists. */
export type ScheduleEdit =
  | { readonly kind: "end" }
  | { readonly kind: "update"; readonly patch: Pick<UpdateScheduleRequest, "status" | "schedule_config"> };

/** The person's schedules, in this conversation and in others. */
export type PersonSchedules = {
  /** Returns the number of schedules that the person has (`used`) and the maximum (`most`). */
  count(): Promise<{ readonly used: number; readonly most: number }>;
  /** Returns the schedules of this conversation, then those of others that the directory knows, newest first. */
  list(): Promise<readonly Schedule[]>;
  /**
   * Applies a change through the conversation that owns the schedule, and returns the schedule after it; null if it no
   * longer exists. Idempotent. Rejects with a `Fault` if the owner refuses the change or cannot be reached.
   */
  change(schedule: Pick<Schedule, "schedule_id" | "conversation_id">, edit: ScheduleEdit): Promise<Schedule | null>;
};

/** One message of a chat completion request. Each tool call needs a `tool` message with its id. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ImageInput[] }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export type AssistantMessage = Extract<ChatMessage, { readonly role: "assistant" }>;

/** An image for a model: an https or data URL, and the resolution in which the model reads it. */
export type ImageInput = { readonly url: string; readonly detail?: "low" | "high" | "auto" };

/** One tool call of a completion. `arguments` is the unparsed text of the model; it may be invalid JSON. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** The declaration of a tool in a model request; `parameters` is a JSON Schema. */
export type ToolSpec = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The arguments must satisfy the schema. */
  readonly strict?: boolean;
};

/** The format of the text of a completion. */
export type AnswerFormat =
  | { readonly type: "json_object" }
  | {
      readonly type: "json_schema";
      readonly name: string;
      readonly description?: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict: boolean;
    };

/** One request to a model. */
export type ModelRequest = {
  /** `triage`, `planner`, `synthesis`, `router`, `blueprint` …, `agent:<name>`: sent as the header `x-orrery-role`. */
  readonly role: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** The completion must contain a tool call. */
  readonly mustCall?: boolean;
  /** The completion may contain only one tool call. */
  readonly callsOnce?: boolean;
  /** The format of the text. */
  readonly format?: AnswerFormat | undefined;
  /** Overrides the model of the role. */
  readonly model?: string;
  /** Overrides the temperature of the role. */
  readonly temperature?: number;
  /** Counts attempts of the same request from 1. The model gets a pause to recover before a later attempt. */
  readonly attempt?: number;
  readonly signal: AbortSignal;
};

/** One piece of a streamed completion. */
export type ModelDelta = { readonly type: "text" | "reasoning"; readonly text: string };

/** Tokens of one model call. */
export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** The complete result of one model call: the whole text, all tool calls in order, and the tokens used. */
export type ModelCompletion = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
};

/** Access to the language models. */
export type Model = {
  /**
   * Runs one streamed chat completion. Calls `onDelta` in order, from the first token on, before the promise settles.
   * Errors before the first delta (429, 5xx, no connection) are retried inside, a limited number of times; later
   * errors reject. Rejects with a model failure, or with the signal's reason if it aborts.
   */
  complete(request: ModelRequest, onDelta: (delta: ModelDelta) => void): Promise<ModelCompletion>;
};

/** Access to the agents that carry out tasks. */
export type AgentRunner = {
  /** Returns all known agents, including disabled and hidden ones. */
  list(): Promise<readonly Agent[]>;
  /**
   * Runs one request on an agent and yields its events in order. Never rejects: if the agent is unreachable or silent,
   * or sends malformed or too many events, the iterable yields one `failed` event within the deadline (A1). Ending the
   * iteration early or aborting the signal cancels the agent's run.
   */
  run(agent: Agent, request: AgentRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /**
   * Notifies an agent that the question of its task gets no answer. `details` contains our task id and the checkpoint
   * that the agent sent with the question. Never rejects.
   */
  cancel(
    agent: Agent,
    remoteTaskId: string,
    details?: { readonly task_id: string; readonly checkpoint?: string },
  ): Promise<void>;
};

/** Runs unreviewed JavaScript in isolation: without network, storage or bindings. */
export type CodeRunner = {
  /**
   * Calls the single function in `code` with `input`; input and return value are JSON. Returns `failed` with a message
   * for the author if the code does not parse, throws, or exceeds its limits. Rejects only if the signal aborts.
   */
  run(code: string, input: unknown, signal: AbortSignal): Promise<CodeResult>;
};

/** The outcome of one code run. `message` is written for the author of the code. */
export type CodeResult =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly message: Message | string };

type DraftData<Data> = Data extends unknown ? Omit<Data, "conversation_id" | "item_id"> & { item_id?: string } : never;
type DraftFromEvent<Event> = Event extends { event: infer Name; data: infer Data }
  ? { event: Name; data: DraftData<Data> }
  : never;

/**
 * An event before the log assigns its `seq` and conversation id. If a draft has no `item_id`, the log assigns one:
 * chunks and reasoning get the id of their open paragraph, other events a new id.
 */
export type EventDraft = DraftFromEvent<ConversationEvent>;

/**
 * Publishes events in order: stores those that must survive, then sends them. Does nothing after its step has ended.
 */
export type Emit = (...drafts: EventDraft[]) => void;

/** The identity of one step in the journal, and the way its events are retracted. */
export type StepSpec = {
  /** Unique within the thread. */
  readonly name: string;
  /** The `task_id` of all events of the step. If the step starts over, the events of this scope are retracted. */
  readonly scope: string;
  readonly agentName: string;
  /** The id of the question whose answer resumes the work. Events from before the question are not retracted. */
  readonly continues?: string;
  /** The step publishes nothing before its end, so an interrupted run leaves nothing to retract. */
  readonly isAtomic?: boolean;
};

/**
 * A question to the person with the place at which its thread is paused. Stored until it is answered or closed. Times
 * are in milliseconds since the epoch.
 */
export type ThreadQuestion = {
  readonly request_id: string;
  readonly stage: "planning" | "executing";
  readonly thread_id: string;
  /** The waiting task, or the task id of the waiting stage. */
  readonly task_id: string;
  readonly agent_name: string;
  readonly prompt: string;
  readonly options?: readonly string[];
  readonly approval?: Approval;
  /**
   * The question is the hold of a workflow instance: its answer may contain values in `arguments.context`, by task and
   * name.
   */
  readonly takesValues?: true;
  /** The answer must be yes or no. */
  readonly takesDecision?: true;
  /** The query of the waiting task or stage. */
  readonly query: string;
  readonly created_at: number;
  readonly expires_at: number;
};

/** The state of a question. It leaves `open` once and never returns to it (H1). */
export type QuestionState =
  | { readonly state: "open" }
  | { readonly state: "answered"; readonly answer: QuestionAnswer }
  | { readonly state: "expired" }
  | { readonly state: "cancelled" };

/** The result of a step. It is stored in one transaction with the `closing` events. `value` must be JSON. */
export type StepOutcome<T> = {
  readonly value: T;
  readonly closing: readonly EventDraft[];
} & (
  | {
      /** A question to the person, stored with the value. The event that shows it must be in `closing`. */
      readonly question?: ThreadQuestion;
      /** A new schedule, stored with the value. */
      readonly newSchedule?: Schedule;
      readonly isLast?: never;
    }
  /** True if only the thread's end follows: the result is then stored together with that end, in one write. */
  | { readonly isLast: boolean; readonly question?: never; readonly newSchedule?: never }
);

/** Intermediate state of a running step, so that finished work within the step is not repeated after a crash. */
export type Memo<T> = {
  /** The last value that an interrupted run saved; null if there is none. */
  readonly saved: T | null;
  /** Stores a JSON value together with all events published so far. A later restart of the step begins from it. */
  readonly save: (value: T) => void;
};

/**
 * Runs `work` once per thread and step name. The value is stored together with the closing events; a thread that
 * resumes after a crash gets the stored value without a second run. An interrupted step starts over from its saved
 * value, if any: `task_retrying` is published first and retracts the events published since (T4).
 */
export type StepRunner = <T>(
  spec: StepSpec,
  work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
) => Promise<T>;
