// The AG-UI events that are sent here, in a form that clients of 0.0.59 and of 1.0.0 accept. Names and members are
// those of https://docs.ag-ui.com.

import type { Operation } from "./patch.ts";

/** The task and the agent that produced a message or a tool call. Clients keep it with the message. */
export type Origin = { readonly task_id: string; readonly agent_name?: string };

/** The optional origin of an event. */
type Made = { readonly metadata?: Origin };

export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
};

/** A question in the outcome of a run. */
export type Interrupt = {
  readonly id: string;
  readonly reason: "input_required" | "confirmation";
  readonly message: string;
  /** The JSON Schema of the payload that answers it. */
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** The expiry in ISO 8601. */
  readonly expiresAt?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** The outcome of a run that has not failed. */
export type Outcome =
  | { readonly type: "success" }
  | { readonly type: "interrupt"; readonly interrupts: readonly Interrupt[] }
  // Since 1.0.
  | { readonly type: "cancelled" };

export type ToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** A message of a snapshot. Messages of the client are returned unchanged. */
export type Message = {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string | undefined;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string | undefined;
  readonly activityType?: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** The ids of the run in its first and last event. `threadId` is a conversation here. */
type Run = { readonly threadId: string; readonly runId: string };
type Of = { readonly messageId: string };
type OfCall = { readonly toolCallId: string };

/** One event of a run; one line of the response. */
export type RunEvent =
  | ({ readonly type: "RUN_STARTED"; readonly protocolVersion?: string } & Run)
  | ({ readonly type: "RUN_FINISHED"; readonly outcome?: Outcome; readonly usage?: readonly TokenUsage[] } & Run)
  | {
      readonly type: "RUN_ERROR";
      readonly message: string;
      readonly code: string;
      readonly usage?: readonly TokenUsage[];
    }
  | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
  | ({ readonly type: "TEXT_MESSAGE_START"; readonly role: "assistant" | "user"; readonly name?: string } & Of & Made)
  | ({ readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT"; readonly delta: string } & Of)
  | ({ readonly type: "TEXT_MESSAGE_END" | "REASONING_MESSAGE_END" | "REASONING_START" | "REASONING_END" } & Of)
  | ({ readonly type: "REASONING_MESSAGE_START"; readonly role: "reasoning" } & Of & Made)
  | ({ readonly type: "TOOL_CALL_START"; readonly toolCallName: string } & OfCall & Made)
  | ({ readonly type: "TOOL_CALL_ARGS"; readonly delta: string } & OfCall)
  | ({ readonly type: "TOOL_CALL_END" } & OfCall)
  | ({ readonly type: "TOOL_CALL_RESULT"; readonly content: string; readonly role: "tool" } & Of & OfCall & Made)
  | { readonly type: "STATE_SNAPSHOT"; readonly snapshot: unknown }
  | { readonly type: "STATE_DELTA"; readonly delta: readonly Operation[] }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly Message[] }
  | ({
      readonly type: "ACTIVITY_SNAPSHOT";
      readonly activityType: string;
      readonly content: Readonly<Record<string, unknown>>;
      readonly replace: true;
    } & Of &
      Made)
  | { readonly type: "CUSTOM"; readonly name: string; readonly value: unknown };
