// The client of a user's rate limiter, within one conversation.
//
// Owns the prefetched quota of the conversation and the queue of messages that wait for a grant. At most one request is
// in progress; messages that arrive meanwhile wait and are requested together, so their order is kept. The requested
// prefetch equals the messages of the current window, up to `MAX_PREFETCH`.
//
// Failure: if the limiter does not answer within `ACQUIRE_TIMEOUT_MS`, messages are admitted uncounted. State is lost
// with the object; the limiter keeps counting it as used.

import type { Fault } from "../../protocol/wire/fault.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { createRateFault, type RateGrant, type RateLimiterApi } from "./rate-window.ts";

const MAX_PREFETCH = 16;
/** The time to wait for the limiter, which may have to reclaim quota first. */
const ACQUIRE_TIMEOUT_MS = 3_000;

type PendingAcquire = { readonly admit: () => void; readonly reject: (fault: Fault) => void };

/** One instance per object. Methods may be called concurrently. */
export class RateLimitClient {
  readonly #getLimiter: () => RateLimiterApi;
  readonly #limit: number;
  readonly #holder: string;
  #waiting: PendingAcquire[] = [];
  #isRequesting = false;
  /** Waiting messages by command id. */
  readonly #pendingByCommand = new Map<string, Promise<void>>();
  #prefetched = 0;
  /** Messages admitted in the window that ends at `#until`. */
  #admitted = 0;
  #windowEnd = 0;

  /** `limit` is the maximum per window; 0 disables it. `holder` is the object name of the conversation. */
  constructor(getLimiter: () => RateLimiterApi, limit: number, holder: string) {
    this.#getLimiter = getLimiter;
    this.#limit = limit;
    this.#holder = holder;
  }

  /**
   * Returns undefined if the message may start at once, otherwise a promise that resolves when it may. The promise
   * rejects with `too_many_requests` if the window is full. Concurrent calls with the same command id share one promise
   * (T2).
   */
  acquire(commandId: string): Promise<void> | undefined {
    if (this.#limit === 0 || this.#takePrefetched()) return undefined;
    let pending = this.#pendingByCommand.get(commandId);
    if (pending === undefined) {
      pending = this.#enqueue().finally(() => this.#pendingByCommand.delete(commandId));
      this.#pendingByCommand.set(commandId, pending);
    }
    return pending;
  }

  async waitForPending(): Promise<void> {
    await Promise.allSettled(this.#pendingByCommand.values());
  }

  /** Forgets the prefetched quota and returns its unused part; see `GrantHolderApi`. */
  releaseUnused(): number {
    const unused = Date.now() < this.#windowEnd ? this.#prefetched : 0;
    this.#prefetched = 0;
    return unused;
  }

  #takePrefetched(): boolean {
    if (this.#prefetched === 0 || this.#isRequesting || Date.now() >= this.#windowEnd) return false;
    this.#prefetched -= 1;
    this.#admitted += 1;
    return true;
  }

  #enqueue(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ admit: resolve, reject: reject });
    if (!this.#isRequesting) void this.#requestGrants();
    return promise;
  }

  async #requestGrants(): Promise<void> {
    this.#isRequesting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const { granted, until } = await this.#fetchGrant(batch.length);
      for (const { admit } of batch.slice(0, granted)) admit();
      const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000));
      for (const { reject: refuse } of batch.slice(granted)) refuse(createRateFault(seconds));
    }
    this.#isRequesting = false;
  }

  #applyGrant({ granted, ahead, until }: RateGrant): void {
    const isSameMinute = until === this.#windowEnd;
    this.#admitted = granted + (isSameMinute ? this.#admitted : 0);
    this.#prefetched = ahead + (isSameMinute ? this.#prefetched : 0);
    this.#windowEnd = until;
  }

  /** Asks the limiter. If it fails, grants everything: a failing limiter must not block messages. */
  async #fetchGrant(requested: number): Promise<RateGrant> {
    try {
      const passed = Date.now() < this.#windowEnd ? this.#admitted : 0;
      const prefetch = { holder: this.#holder, ahead: Math.min(passed, MAX_PREFETCH) };
      const answer = await withTimeout(ACQUIRE_TIMEOUT_MS, this.#getLimiter().begin(requested, this.#limit, prefetch));
      this.#applyGrant(answer);
      return answer;
    } catch (thrown) {
      console.error("Messages could not be counted", thrown);
      return { granted: requested, ahead: 0, until: 0 };
    }
  }
}
