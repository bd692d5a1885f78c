// The names of conversation objects, and the values that they exchange with the Worker. The operations are in
// `conversation/operations.ts`.

import type { AnswerOptions } from "../core/models/answer-options.ts";
import type { PushConfig } from "../protocol/agents/a2a-push.ts";
import type { Frame } from "../protocol/wire/events.ts";
import type { ThreadStatus } from "../protocol/wire/thread-state.ts";

export { unwrapResult, type FaultData, type InternalResult, type RpcResult } from "../protocol/wire/rpc-result.ts";

/** The position at which a command was stored. `is_first` is true if the command created the conversation. */
export type AcceptedCommand = {
  readonly conversation_id: string;
  readonly thread_id: string;
  readonly seq: number;
  readonly is_first: boolean;
};

/**
 * One thread that a command started: its frames, the time of its last stored event (ms), and its commands with their
 * seqs.
 */
export type ThreadRecord = {
  readonly thread_id: string;
  /** The `seq` of its first event. */
  readonly seq: number;
  /** The `seq` of its last event so far. */
  readonly last_seq: number;
  readonly updated_at: number;
  readonly frames: readonly Frame[];
  readonly commands: readonly { readonly id: string; readonly seq: number }[];
  /** The options of its direct answer without the input; absent in lists, and if there are none. */
  readonly answer?: Omit<AnswerOptions, "input">;
};

/**
 * Threads in descending order of `last_seq`. `next` is the `before` of the next page, null on the last; `total` counts
 * all matches.
 */
export type ThreadRecordPage = {
  readonly threads: ThreadRecord[];
  readonly next: number | null;
  readonly total: number;
};

/**
 * Filters the threads that commands started: by requested agent, status, and time of the last update (ms since the
 * epoch).
 */
export type ThreadFilter = { readonly agent?: string; readonly status?: ThreadStatus; readonly since: number };

/**
 * Selects one thread by id, or a page of the threads that match a filter and whose `last_seq` is less than `before`.
 */
export type ThreadQuery =
  | { readonly thread_id: string }
  | { readonly sought: ThreadFilter; readonly before: number; readonly limit: number };

/**
 * `create` allows `send` to create the conversation, with `title`. `push` is registered for the thread before it runs.
 * `answer` are the options of the direct answer; a message that answers a question has none.
 */
export type SendOptions = {
  readonly create: boolean;
  readonly title?: string | undefined;
  readonly push?: PushConfig;
  readonly answer?: AnswerOptions;
};

/** A redeemed ticket: its socket may stay open until then (ms since the epoch); null: without end. */
export type RedeemedTicket = { readonly until: number | null };

/** A change of the push notifications of a thread: add or replace one, or remove one by its id. */
export type PushChange = { readonly put: PushConfig } | { readonly remove: string };

/**
 * A page of events. `next` is the cursor for the next request; equal to the request's `after` if there is nothing new.
 */
export type EventPage<T> = { readonly events: T[]; readonly next: number };

/**
 * Returns the name of the object of a conversation. The user id is URL-encoded, so the first slash separates the parts.
 */
export function formatObjectName(userId: string, conversationId: string): string {
  return `${encodeURIComponent(userId)}/${conversationId}`;
}

/** The identity of a conversation object. */
export type ConversationKey = { readonly userId: string; readonly conversationId: string };

/** Parses the name of a conversation object, as `formatObjectName` returns it. */
export function parseObjectName(name: string): ConversationKey {
  const slash = name.indexOf("/");
  return { userId: decodeURIComponent(name.slice(0, slash)), conversationId: name.slice(slash + 1) };
}
