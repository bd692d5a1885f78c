// Limits the messages that a user may start per minute, across all interfaces and conversations.
//
// Owns the current window of one user: a fixed window of 60 s that begins with its first message. A busy conversation
// prefetches quota, so that it need not ask for each message. Before a message is rejected, unused prefetched quota is
// reclaimed from the conversations that hold it.
//
// Invariants:
//   - `used` counts every granted and every prefetched message; it never exceeds the limit within a window.
//   - Counting is synchronous between two awaits, so concurrent calls see each other's grants.
//   - The window is written at most once per second: a host that dies forgets at most the last second, and a
//     conversation that dies loses its prefetched quota, which stays counted.

import { Fault } from "../protocol/fault.ts";
import { within } from "../protocol/within.ts";

const MINUTE_MS = 60_000;
const KEY = "pace";
/** A write per message would take longer than counting. The timer keeps the object in memory meanwhile. */
const WRITE_AFTER_MS = 1_000;
/** The share of the remaining quota that one conversation may prefetch. */
const AHEAD_PART = 1 / 4;
/** The time to wait for a conversation that returns its quota. */
const RECALL_MS = 1_000;

/**
 * The number of messages that may start now, and the prefetched number that may start before `until` (ms since the
 * epoch).
 */
export type Granted = { readonly granted: number; readonly ahead: number; readonly until: number };

/** A request for prefetched quota: the object name of the conversation, and the number of messages. */
export type Wish = { readonly holder: string; readonly ahead: number };

export type PaceApi = {
  /** Requests messages; `limit` is the maximum per window. Grants fewer, down to 0, if the window is full. */
  begin(wanted: number, most: number, wish?: Wish): Promise<Granted>;
};

/** The RPC interface of a conversation that holds prefetched quota. */
export type HolderApi = {
  /** Gives up the prefetched quota and returns its unused part. */
  giveBack(): Promise<number>;
};

/** One window. `used` includes prefetched quota; `holders` are the conversations that may hold some. */
type Minute = { readonly since: number; readonly used: number; readonly holders: readonly string[] };

const NONE: Minute = { since: 0, used: 0, holders: [] };

/** The part of the storage interface that is used. */
type Storage = {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: Minute): Promise<void>;
};

/** One instance per user. Calls may be concurrent. */
export class Pace {
  readonly #storage: Storage;
  readonly #holder: (name: string) => HolderApi;
  #minute: Minute | undefined;
  #recalling: Promise<void> | undefined;
  #isWriting = false;

  constructor(storage: Storage, holder: (name: string) => HolderApi) {
    this.#storage = storage;
    this.#holder = holder;
  }

  /** Grants up to `requested` messages, after reclaiming prefetched quota if the window would overflow. */
  async begin(wanted: number, most: number, wish: Wish | undefined, now: () => number): Promise<Granted> {
    if (this.#minute === undefined) {
      const stored = await this.#storage.get<Minute>(KEY);
      // A concurrent call may have loaded and counted meanwhile.
      this.#minute ??= { ...NONE, ...stored };
    }
    if (this.#at(now()).used + wanted > most) await this.#recall();
    const { since, used, holders } = this.#at(now());
    const granted = Math.max(0, Math.min(wanted, most - used));
    const ahead = Math.max(0, Math.min(wish?.ahead ?? 0, Math.floor((most - used - granted) * AHEAD_PART)));
    if (granted > 0) {
      const holding = ahead === 0 || wish === undefined || holders.includes(wish.holder) ? [] : [wish.holder];
      this.#minute = { since, used: used + granted + ahead, holders: [...holders, ...holding] };
      this.#write();
    }
    return { granted, ahead, until: since + MINUTE_MS };
  }

  /** Returns the current window; a new one if the last is over or the clock was set back. */
  #at(now: number): Minute {
    const minute = this.#minute ?? NONE;
    const isOver = now - minute.since >= MINUTE_MS || now < minute.since;
    return isOver ? { ...NONE, since: now } : minute;
  }

  /** Concurrent calls share one reclaim. */
  #recall(): Promise<void> {
    return (this.#recalling ??= this.#takeBack().finally(() => (this.#recalling = undefined)));
  }

  async #takeBack(): Promise<void> {
    const { since, used, holders } = this.#minute ?? NONE;
    if (holders.length === 0) return;
    // Grants made while we wait for the other holders must be kept.
    this.#minute = { since, used, holders: [] };
    const unused = await Promise.all(holders.map((name) => this.#backFrom(name)));
    const { since: sinceNow, ...now } = this.#minute;
    if (sinceNow !== since) return;
    this.#minute = { ...now, since, used: unused.reduce((left, one) => left - one, now.used) };
    this.#write();
  }

  async #backFrom(name: string): Promise<number> {
    try {
      return await within(RECALL_MS, this.#holder(name).giveBack());
    } catch (thrown) {
      console.error("Messages that were given ahead could not be taken back", thrown);
      return 0;
    }
  }

  #write(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    setTimeout(() => {
      this.#isWriting = false;
      if (this.#minute !== undefined) void this.#storage.put(KEY, this.#minute);
    }, WRITE_AFTER_MS);
  }
}

/** Returns the fault for a full window. `retry_after` is in seconds. */
export function tooMany(retry_after: number): Fault {
  const wait = retry_after === 1 ? "a second" : `${retry_after} seconds`;
  return new Fault("too_many_requests", `Too many messages in a short time. Try again in ${wait}.`, { retry_after });
}

/**
 * Returns the name of the object that counts a user's messages. It differs from that of the user's tables, so that a
 * long query does not delay messages.
 */
export function paceName(userId: string): string {
  return `${userId}\npace`;
}
