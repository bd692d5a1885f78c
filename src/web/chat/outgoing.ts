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

import { delayBefore } from "../../client/backoff.ts";
import { sendSchema, type Send } from "../../protocol/commands.ts";
import { toFault, type FaultCode } from "../../protocol/fault.ts";
import { mint } from "../../protocol/ids.ts";
import type { ThreadView } from "../../protocol/view.ts";
import { ownName } from "../person.ts";
import { keep, readKept } from "./composer/draft.ts";
import type { Outgoing } from "./talk.ts";

type Kept = {
  readonly id: string;
  readonly send: Send;
  /** The number of threads when it was written. Its own thread comes after them. */
  readonly threads: number;
  readonly at: number;
  /** The reason of the refusal; absent while it is waiting. */
  readonly reason?: string;
};
/** `thread_id` is present once the server has accepted the message. */
type Entry = Kept & { readonly thread_id?: string };

/** Sends a message to the server. Resolves with its thread; rejects with a `Fault`. */
export type Post = (conversationId: string, id: string, send: Send) => Promise<{ readonly thread_id: string }>;

export type Outbox = {
  /** Returns the messages that do not appear among the threads yet, oldest first. */
  readonly shown: (threads: readonly ThreadView[]) => readonly Outgoing[];
  readonly send: (send: Send, threads: number) => void;
  readonly retry: (key: string) => void;
  /** Removes a message. Returns its text. */
  readonly discard: (key: string) => string;
  /** Tries to send the next message. Call it when the connection opens or a question was answered. */
  readonly pump: () => void;
  /** Sets the condition for sending: while it returns false, messages wait. */
  readonly hold: (mayGo: () => boolean) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = `orrery.${ownName("outgoing")}.`;
/** Faults after which the message is sent again: the server may have accepted it, or the person will sign in. */
const PASSING: ReadonlySet<FaultCode> = new Set(["unavailable", "internal", "unauthorized"]);
const BACKOFF = { minMs: 500, maxMs: 10_000 };

export function createOutbox(conversationId: string, post: Post): Outbox {
  const prefix = `${PREFIX}${conversationId}.`;
  const listeners = new Set<() => void>();
  let entries: readonly Entry[] = restored(prefix);
  let mayGo = () => true;
  let isPosting = false;
  let attempt = 0;
  let later: ReturnType<typeof setTimeout> | undefined;

  function change(next: readonly Entry[]): void {
    entries = next;
    for (const listener of listeners) listener();
  }

  function put(entry: Entry): void {
    const isDelivered = entry.thread_id !== undefined;
    keep(prefix + entry.id, isDelivered ? null : JSON.stringify(entry));
    const isNew = entries.every(({ id }) => id !== entry.id);
    change(isNew ? [...entries, entry] : entries.map((known) => (known.id === entry.id ? entry : known)));
  }

  function pump(): void {
    clearTimeout(later);
    const next = entries.find(isWaiting);
    if (next === undefined || isPosting || !mayGo()) return;
    isPosting = true;
    void deliver(next).finally(() => {
      isPosting = false;
      if (attempt === 0) pump();
      else later = setTimeout(pump, delayBefore(attempt - 1, BACKOFF));
    });
  }

  async function deliver(entry: Entry): Promise<void> {
    try {
      const { thread_id } = await post(conversationId, entry.id, entry.send);
      attempt = 0;
      put({ ...entry, thread_id });
    } catch (thrown) {
      const fault = toFault(thrown);
      if (PASSING.has(fault.code)) return void (attempt += 1);
      attempt = 0;
      put({ ...entry, reason: fault.message });
    }
  }

  return {
    shown: (threads) => entries.filter((entry) => !isAmong(threads, entry)).map(outgoingOf),
    send(send, threads) {
      put({ id: mint("cmd"), send, threads, at: Date.now() });
      pump();
    },
    retry(key) {
      const entry = entries.find(({ id }) => id === key);
      if (entry === undefined) return;
      const { reason: _, ...rest } = entry;
      put(rest);
      pump();
    },
    discard(key) {
      const entry = entries.find(({ id }) => id === key);
      keep(prefix + key, null);
      change(entries.filter(({ id }) => id !== key));
      return entry?.send.message ?? "";
    },
    pump,
    hold(next) {
      mayGo = next;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const isWaiting = ({ thread_id, reason }: Entry): boolean => thread_id === undefined && reason === undefined;

/**
 * Returns true if the thread of the message is in the list. The event of the thread can arrive before the response to
 * the message; until then the thread is recognized by its text.
 */
function isAmong(threads: readonly ThreadView[], entry: Entry): boolean {
  if (entry.thread_id !== undefined) return threads.some(({ thread_id }) => thread_id === entry.thread_id);
  if (entry.reason !== undefined) return false;
  return threads.slice(entry.threads).some(({ query }) => query === entry.send.message);
}

const shownOf = new WeakMap<Entry, Outgoing>();

/** Returns the same object for the same entry, so that rows do not change. */
function outgoingOf(entry: Entry): Outgoing {
  const known = shownOf.get(entry);
  if (known !== undefined) return known;
  const { id, send, reason } = entry;
  const outgoing: Outgoing = {
    key: id,
    text: send.message,
    ...(reason === undefined ? { status: "sending" } : { status: "failed", reason }),
  };
  shownOf.set(entry, outgoing);
  return outgoing;
}

function restored(prefix: string): Entry[] {
  return keysWith(prefix)
    .flatMap((key) => keptOf(readKept(key)) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

/** Returns undefined if the text is not a message, as when another version stored it. */
function keptOf(text: string | null): Kept | undefined {
  try {
    const { id, send, threads, at, reason } = JSON.parse(text ?? "{}") as Partial<Record<keyof Kept, unknown>>;
    if (typeof id !== "string" || typeof threads !== "number" || typeof at !== "number") return undefined;
    return { id, send: sendSchema.parse(send), threads, at, ...(typeof reason === "string" ? { reason } : {}) };
  } catch {
    return undefined;
  }
}

function keysWith(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/**
 * Returns the ids of the conversations with a stored first message. No question can be open there, so it may be sent
 * before the view is loaded.
 */
export function conversationsBegun(): string[] {
  const first = keysWith(PREFIX).filter((key) => keptOf(readKept(key))?.threads === 0);
  return [...new Set(first.map((key) => key.slice(PREFIX.length, key.lastIndexOf("."))))];
}
