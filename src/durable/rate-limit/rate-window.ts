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

import { createMessage, type MessageKey } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { withTimeout } from "../../lib/with-timeout.ts";

const WINDOW_MS = 60_000;
const STORAGE_KEY = "pace";
/** A write per message would take longer than counting. The timer keeps the object in memory meanwhile. */
const WRITE_DELAY_MS = 1_000;
/** The share of the remaining quota that one conversation may prefetch. */
const PREFETCH_SHARE = 1 / 4;
/** The time to wait for a conversation that returns its quota. */
const RECLAIM_TIMEOUT_MS = 1_000;

/**
 * The number of messages that may start now, and the prefetched number that may start before `until` (ms since the
 * epoch).
 */
export type RateGrant = { readonly granted: number; readonly ahead: number; readonly until: number };

/** A request for prefetched quota: the object name of the conversation, and the number of messages. */
export type PrefetchRequest = { readonly holder: string; readonly ahead: number };

/** The RPC interface of a user's rate limiter. Member names and argument shapes are wire. */
export type RateLimiterApi = {
  /** Requests messages; `limit` is the maximum per window. Grants fewer, down to 0, if the window is full. */
  begin(requested: number, limit: number, prefetch?: PrefetchRequest): Promise<RateGrant>;
};

/** The RPC interface of a conversation that holds prefetched quota. */
export type GrantHolderApi = {
  /** Gives up the prefetched quota and returns its unused part. */
  giveBack(): Promise<number>;
};

/**
 * One window as stored. `used` includes prefetched quota; `holders` are the conversations that may hold some.
 */
type StoredWindow = { readonly since: number; readonly used: number; readonly holders: readonly string[] };

const EMPTY_WINDOW: StoredWindow = { since: 0, used: 0, holders: [] };

type WindowStorage = {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: StoredWindow): Promise<void>;
};

/** One instance per user. Calls may be concurrent. */
export class RateWindow {
  readonly #storage: WindowStorage;
  readonly #getHolder: (name: string) => GrantHolderApi;
  #window: StoredWindow | undefined;
  #reclaiming: Promise<void> | undefined;
  #isWriting = false;

  constructor(storage: WindowStorage, getHolder: (name: string) => GrantHolderApi) {
    this.#storage = storage;
    this.#getHolder = getHolder;
  }

  /**
   * Grants up to `requested` messages, after reclaiming prefetched quota if the window would overflow. Also grants the
   * requested prefetch, up to a quarter of the remaining quota. Counts both at once.
   */
  async acquire(
    requested: number,
    limit: number,
    prefetch: PrefetchRequest | undefined,
    now: () => number,
  ): Promise<RateGrant> {
    if (this.#window === undefined) {
      const stored = await this.#storage.get<StoredWindow>(STORAGE_KEY);
      // A concurrent call may have loaded and counted meanwhile.
      this.#window ??= { ...EMPTY_WINDOW, ...stored };
    }
    if (this.#getWindow(now()).used + requested > limit) await this.#reclaim();
    const { since, used, holders } = this.#getWindow(now());
    const granted = Math.max(0, Math.min(requested, limit - used));
    const ahead = Math.max(0, Math.min(prefetch?.ahead ?? 0, Math.floor((limit - used - granted) * PREFETCH_SHARE)));
    if (granted > 0) {
      const holding =
        ahead === 0 || prefetch === undefined || holders.includes(prefetch.holder) ? [] : [prefetch.holder];
      this.#window = { since, used: used + granted + ahead, holders: [...holders, ...holding] };
      this.#scheduleWrite();
    }
    return { granted, ahead, until: since + WINDOW_MS };
  }

  /** Returns the current window; a new one if the last is over or the clock was set back. */
  #getWindow(now: number): StoredWindow {
    const window = this.#window ?? EMPTY_WINDOW;
    const isOver = now - window.since >= WINDOW_MS || now < window.since;
    return isOver ? { ...EMPTY_WINDOW, since: now } : window;
  }

  #reclaim(): Promise<void> {
    return (this.#reclaiming ??= this.#reclaimUnused().finally(() => (this.#reclaiming = undefined)));
  }

  async #reclaimUnused(): Promise<void> {
    const { since, used, holders } = this.#window ?? EMPTY_WINDOW;
    if (holders.length === 0) return;
    // Grants made while we wait for the other holders must be kept.
    this.#window = { since, used, holders: [] };
    const unused = await Promise.all(holders.map((name) => this.#reclaimFromHolder(name)));
    const { since: sinceNow, ...now } = this.#window;
    if (sinceNow !== since) return;
    this.#window = { ...now, since, used: unused.reduce((used, count) => used - count, now.used) };
    this.#scheduleWrite();
  }

  async #reclaimFromHolder(name: string): Promise<number> {
    try {
      return await withTimeout(RECLAIM_TIMEOUT_MS, this.#getHolder(name).giveBack());
    } catch (thrown) {
      console.error("Messages that were given ahead could not be taken back", thrown);
      return 0;
    }
  }

  #scheduleWrite(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    setTimeout(() => {
      this.#isWriting = false;
      if (this.#window !== undefined) void this.#storage.put(STORAGE_KEY, this.#window);
    }, WRITE_DELAY_MS);
  }
}

/**
 * Creates the fault (`too_many_requests`) for a full window. `retry_after` is in seconds; `key` is a message with the
 * parameter `seconds`.
 */
export function createRateFault(retry_after: number, key: MessageKey = "rateLimit.tooManyMessages"): Fault {
  return createFault("too_many_requests", createMessage(key, { seconds: retry_after }), { retry_after });
}
