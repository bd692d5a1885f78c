// The outbox of one conversation: messages that are stored in this browser until the server has accepted them.
//
// Owns the list of messages, their copies in `localStorage`, the request in flight and the retry timer.
// Invariants:
// 1. A message keeps its id through failures, reloads and other tabs. The server executes an id once, so it is never
//    sent twice.
// 2. One request is in flight at a time, so messages keep their order. A refused message does not block later ones.
// 3. A refused message stays, with its reason, until the person retries or discards it.
// Order: a message is stored before it is sent, and removed from storage once its thread is known. It stays in the
// list, so that it can be matched with its thread.
// Failure: transient faults are retried with backoff; any other fault refuses the message. No function throws.

import { computeBackoffMs } from "../../../../lib/retry.ts";
import { sendCommandSchema, type SendCommand } from "../../../../protocol/wire/commands.ts";
import { toFault, type FaultCode } from "../../../../protocol/wire/fault.ts";
import { createId } from "../../../../protocol/wire/ids.ts";
import type { ThreadView } from "../../../../protocol/wire/view.ts";
import { toUserPreferenceName } from "../../../session/preference.ts";
import { createStore, storeText, readStoredText } from "../../../session/store.ts";
import type { OutgoingMessage } from "./conversation-context.ts";

type StoredMessage = {
  readonly id: string;
  readonly send: SendCommand;
  /** The number of threads when it was written. Its own thread comes after them. */
  readonly threads: number;
  readonly at: number;
  /** The reason of the refusal; absent while it is waiting. */
  readonly reason?: string;
};
/** `thread_id` is present once the server has accepted the message. */
type OutboxMessage = StoredMessage & { readonly thread_id?: string };

/** Sends a message to the server. Resolves with its thread; rejects with a `Fault`. */
export type PostMessage = (
  conversationId: string,
  id: string,
  send: SendCommand,
) => Promise<{ readonly thread_id: string }>;

export type MessageOutbox = {
  /** Returns the messages that do not appear among the threads yet, oldest first. */
  readonly listPending: (threads: readonly ThreadView[]) => readonly OutgoingMessage[];
  /** Stores a message and sends it after the earlier ones. `threads`: the current number of threads. */
  readonly send: (send: SendCommand, threads: number) => void;
  /** Sends a refused message again. Ignores an unknown key. */
  readonly retry: (key: string) => void;
  /**
   * Removes a message, from storage as well. Returns its text; "" for an unknown key. A message that is being sent may
   * still arrive.
   */
  readonly discard: (key: string) => string;
  /**
   * Sends the next message immediately, without waiting for the retry timer, and then the others. Does nothing while a
   * request is in flight or the condition forbids it. Call it when the connection opens or a question was answered.
   */
  readonly pump: () => void;
  /** Sets the condition for sending: while it returns false, messages wait. Call `pump` when it becomes true. */
  readonly setSendCondition: (canSend: () => boolean) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = `orrery.${toUserPreferenceName("outgoing")}.`;
/** Faults after which the message is sent again: the server may have accepted it, or the person will sign in. */
const TRANSIENT_CODES: ReadonlySet<FaultCode> = new Set(["unavailable", "internal", "unauthorized"]);
const BACKOFF = { minMs: 500, maxMs: 10_000 };

/** Creates the outbox with its stored messages. Sends nothing until `pump`, `send` or `retry` is called. */
export function createMessageOutbox(conversationId: string, post: PostMessage): MessageOutbox {
  const prefix = `${PREFIX}${conversationId}.`;
  const entries = createStore<readonly OutboxMessage[]>(loadStoredMessages(prefix));
  let canSend = () => true;
  let isPosting = false;
  let attempt = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  function saveEntry(entry: OutboxMessage): void {
    const isDelivered = entry.thread_id !== undefined;
    storeText(prefix + entry.id, isDelivered ? null : JSON.stringify(entry));
    const known = entries.get();
    const isNew = known.every(({ id }) => id !== entry.id);
    entries.set(isNew ? [...known, entry] : known.map((other) => (other.id === entry.id ? entry : other)));
  }

  function pump(): void {
    clearTimeout(retryTimer);
    const next = entries.get().find(isUnsent);
    if (next === undefined || isPosting || !canSend()) return;
    isPosting = true;
    void deliver(next).finally(() => {
      isPosting = false;
      if (attempt === 0) pump();
      else retryTimer = setTimeout(pump, computeBackoffMs(attempt, BACKOFF));
    });
  }

  async function deliver(entry: OutboxMessage): Promise<void> {
    try {
      const { thread_id } = await post(conversationId, entry.id, entry.send);
      attempt = 0;
      saveEntry({ ...entry, thread_id });
    } catch (thrown) {
      const fault = toFault(thrown);
      if (TRANSIENT_CODES.has(fault.code)) return void (attempt += 1);
      attempt = 0;
      saveEntry({ ...entry, reason: fault.message });
    }
  }

  return {
    listPending: (threads) =>
      entries
        .get()
        .filter((entry) => !hasThread(threads, entry))
        .map(toOutgoingMessage),
    send(send, threads) {
      saveEntry({ id: createId("cmd"), send, threads, at: Date.now() });
      pump();
    },
    retry(key) {
      const entry = entries.get().find(({ id }) => id === key);
      if (entry === undefined) return;
      const { reason: _, ...rest } = entry;
      saveEntry(rest);
      pump();
    },
    discard(key) {
      const entry = entries.get().find(({ id }) => id === key);
      storeText(prefix + key, null);
      entries.set(entries.get().filter(({ id }) => id !== key));
      return entry?.send.message ?? "";
    },
    pump,
    setSendCondition(next) {
      canSend = next;
    },
    subscribe: entries.subscribe,
  };
}

const isUnsent = ({ thread_id, reason }: OutboxMessage): boolean => thread_id === undefined && reason === undefined;

/**
 * Returns true if the thread of the message is in the list. The event of the thread can arrive before the response to
 * the message; until then the thread is recognized by its text.
 */
function hasThread(threads: readonly ThreadView[], entry: OutboxMessage): boolean {
  if (entry.thread_id !== undefined) return threads.some(({ thread_id }) => thread_id === entry.thread_id);
  if (entry.reason !== undefined) return false;
  return threads.slice(entry.threads).some(({ query }) => query === entry.send.message);
}

const outgoingCache = new WeakMap<OutboxMessage, OutgoingMessage>();

/** Returns the same object for the same entry, so that rows do not change. */
function toOutgoingMessage(entry: OutboxMessage): OutgoingMessage {
  const known = outgoingCache.get(entry);
  if (known !== undefined) return known;
  const { id, send, reason } = entry;
  const outgoing: OutgoingMessage = {
    key: id,
    text: send.message,
    ...(reason === undefined ? { status: "sending" } : { status: "failed", reason }),
  };
  outgoingCache.set(entry, outgoing);
  return outgoing;
}

function loadStoredMessages(prefix: string): OutboxMessage[] {
  return listStoredKeys(prefix)
    .flatMap((key) => parseStoredMessage(readStoredText(key)) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

/** Returns undefined if the text is not a message, as when another version stored it. */
function parseStoredMessage(text: string | null): StoredMessage | undefined {
  try {
    const { id, send, threads, at, reason } = JSON.parse(text ?? "{}") as Partial<Record<keyof StoredMessage, unknown>>;
    if (typeof id !== "string" || typeof threads !== "number" || typeof at !== "number") return undefined;
    return { id, send: sendCommandSchema.parse(send), threads, at, ...(typeof reason === "string" ? { reason } : {}) };
  } catch {
    return undefined;
  }
}

function listStoredKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/**
 * Returns the ids of the conversations with a stored first message, also a refused one. No question can be open there,
 * so it may be sent before the view is loaded.
 */
export function listUnsentConversations(): string[] {
  const first = listStoredKeys(PREFIX).filter((key) => parseStoredMessage(readStoredText(key))?.threads === 0);
  return [...new Set(first.map((key) => key.slice(PREFIX.length, key.lastIndexOf("."))))];
}
