// The AG-UI events that are sent here, in a form that clients of 0.0.59 and of 1.0.0 accept. Names and members are
// those of https://docs.ag-ui.com.

import type { PatchOperation } from "./json-patch.ts";

/** The task and the agent that produced a message or a tool call. Clients keep it with the message. */
export type AgUiOrigin = { readonly task_id: string; readonly agent_name?: string };

/** The optional origin of an event. */
type OriginMetadata = { readonly metadata?: AgUiOrigin };

export type AgUiTokenUsage = {
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
export type RunOutcome =
  | { readonly type: "success" }
  | { readonly type: "interrupt"; readonly interrupts: readonly Interrupt[] }
  // Since 1.0.
  | { readonly type: "cancelled" };

export type AgUiToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** A message of a snapshot. Messages of the client are returned unchanged. */
export type AgUiMessage = {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string | undefined;
  readonly toolCalls?: readonly AgUiToolCall[];
  readonly toolCallId?: string | undefined;
  readonly activityType?: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** The ids of the run in its first and last event. `threadId` is a conversation here. */
type RunIds = { readonly threadId: string; readonly runId: string };
type HasMessageId = { readonly messageId: string };
type HasToolCallId = { readonly toolCallId: string };

/** One event of a run; one line of the response. */
export type RunEvent =
  | ({ readonly type: "RUN_STARTED"; readonly protocolVersion?: string } & RunIds)
  | ({
      readonly type: "RUN_FINISHED";
      readonly outcome?: RunOutcome;
      readonly usage?: readonly AgUiTokenUsage[];
    } & RunIds)
  | {
      readonly type: "RUN_ERROR";
      readonly message: string;
      readonly code: string;
      readonly usage?: readonly AgUiTokenUsage[];
    }
  | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
  | ({
      readonly type: "TEXT_MESSAGE_START";
      readonly role: "assistant" | "user";
      readonly name?: string;
    } & HasMessageId &
      OriginMetadata)
  | ({ readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT"; readonly delta: string } & HasMessageId)
  | ({
      readonly type: "TEXT_MESSAGE_END" | "REASONING_MESSAGE_END" | "REASONING_START" | "REASONING_END";
    } & HasMessageId)
  | ({ readonly type: "REASONING_MESSAGE_START"; readonly role: "reasoning" } & HasMessageId & OriginMetadata)
  | ({ readonly type: "TOOL_CALL_START"; readonly toolCallName: string } & HasToolCallId & OriginMetadata)
  | ({ readonly type: "TOOL_CALL_ARGS"; readonly delta: string } & HasToolCallId)
  | ({ readonly type: "TOOL_CALL_END" } & HasToolCallId)
  | ({ readonly type: "TOOL_CALL_RESULT"; readonly content: string; readonly role: "tool" } & HasMessageId &
      HasToolCallId &
      OriginMetadata)
  | { readonly type: "STATE_SNAPSHOT"; readonly snapshot: unknown }
  | { readonly type: "STATE_DELTA"; readonly delta: readonly PatchOperation[] }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly AgUiMessage[] }
  | ({
      readonly type: "ACTIVITY_SNAPSHOT";
      readonly activityType: string;
      readonly content: Readonly<Record<string, unknown>>;
      readonly replace: true;
    } & HasMessageId &
      OriginMetadata)
  | { readonly type: "CUSTOM"; readonly name: string; readonly value: unknown };
