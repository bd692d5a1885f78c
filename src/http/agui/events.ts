// The events of AG-UI that are sent from here, in the form that its clients of 0.0.59 and of 1.0.0 both take.

import type { Operation } from "./patch.ts";

/** What came from where: stays with the message or the call that the event makes. */
export type Origin = { readonly task_id: string; readonly agent_name?: string };

type Made = { readonly metadata?: Origin };

export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
};

export type Interrupt = {
  readonly id: string;
  readonly reason: "input_required" | "confirmation";
  readonly message: string;
  /** JSON Schema of the payload that answers it. */
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type Outcome =
  | { readonly type: "success" }
  | { readonly type: "interrupt"; readonly interrupts: readonly Interrupt[] }
  /** Unknown before 1.0. */
  | { readonly type: "cancelled" };

export type ToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** A message as snapshots carry it. Those that a client sent go back as they came. */
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

type Run = { readonly threadId: string; readonly runId: string };
type Of = { readonly messageId: string };
type OfCall = { readonly toolCallId: string };

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
