// The client of a user's rate limiter, within one conversation.
//
// Owns the prefetched quota of the conversation and the queue of messages that wait for a grant. At most one request is
// in progress; messages that arrive meanwhile wait and are requested together, so their order is kept. The requested
// prefetch equals the messages of the current window, up to `MAX_PREFETCH`.
//
// Failure: if the limiter does not answer within `ACQUIRE_TIMEOUT_MS`, messages are admitted uncounted. State is lost
// with the object; the limiter keeps counting it as used.

import type { Env } from "../env.ts";
import type { Fault } from "../protocol/fault.ts";
import { within } from "../protocol/within.ts";
import type { Settings } from "../settings.ts";
import { objectName, type ConversationName } from "./api.ts";
import { paceName, tooMany, type Granted, type PaceApi } from "./pace.ts";

/** The maximum number of prefetched messages. */
const MOST_AHEAD = 16;
/** The time to wait for the limiter, which may have to reclaim quota first. */
const COUNT_MS = 3_000;

type Waiting = { readonly go: () => void; readonly refuse: (fault: Fault) => void };

/** One instance per object. Methods may be called concurrently. */
export class Turnstile {
  readonly #pace: () => PaceApi;
  readonly #most: number;
  readonly #holder: string;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** Waiting messages by command id. */
  readonly #passing = new Map<string, Promise<void>>();
  #ahead = 0;
  /** Messages admitted in the window that ends at `#until`. */
  #passed = 0;
  #until = 0;

  /** `most` is the limit per window; 0 disables it. */
  constructor(pace: () => PaceApi, most: number, holder: string) {
    this.#pace = pace;
    this.#most = most;
    this.#holder = holder;
  }

  /**
   * Returns undefined if the message may start at once, otherwise a promise that resolves when it may. The promise
   * rejects with `too_many_requests` if the window is full. Repeated calls with the same command id wait together (T2).
   */
  pass(commandId: string): Promise<void> | undefined {
    if (this.#most === 0 || this.#hasAhead()) return undefined;
    let passing = this.#passing.get(commandId);
    if (passing === undefined) {
      passing = this.#queue().finally(() => this.#passing.delete(commandId));
      this.#passing.set(commandId, passing);
    }
    return passing;
  }

  /** Resolves when all waiting messages have been admitted or rejected. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#passing.values());
  }

  /** Forgets the prefetched quota and returns its unused part; see `GrantHolderApi`. */
  giveBack(): number {
    const unused = Date.now() < this.#until ? this.#ahead : 0;
    this.#ahead = 0;
    return unused;
  }

  #hasAhead(): boolean {
    if (this.#ahead === 0 || this.#isAsking || Date.now() >= this.#until) return false;
    this.#ahead -= 1;
    this.#passed += 1;
    return true;
  }

  #queue(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ go: resolve, refuse: reject });
    if (!this.#isAsking) void this.#ask();
    return promise;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asking = this.#waiting;
      this.#waiting = [];
      const { granted, until } = await this.#granted(asking.length);
      for (const { go } of asking.slice(0, granted)) go();
      const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000));
      for (const { refuse } of asking.slice(granted)) refuse(tooMany(seconds));
    }
    this.#isAsking = false;
  }

  #take({ granted, ahead, until }: Granted): void {
    const isSameMinute = until === this.#until;
    this.#passed = granted + (isSameMinute ? this.#passed : 0);
    this.#ahead = ahead + (isSameMinute ? this.#ahead : 0);
    this.#until = until;
  }

  /** Asks the limiter. If it fails, grants everything: a failing limiter must not block messages. */
  async #granted(wanted: number): Promise<Granted> {
    try {
      const passed = Date.now() < this.#until ? this.#passed : 0;
      const wish = { holder: this.#holder, ahead: Math.min(passed, MOST_AHEAD) };
      const answer = await within(COUNT_MS, this.#pace().begin(wanted, this.#most, wish));
      this.#take(answer);
      return answer;
    } catch (thrown) {
      console.error("Messages could not be counted", thrown);
      return { granted: wanted, ahead: 0, until: 0 };
    }
  }
}

export function turnstileOf(
  { LIBRARY }: Env,
  { MAX_MESSAGES_PER_MINUTE }: Settings,
  { userId, conversationId }: ConversationName,
): Turnstile {
  const pace = () => LIBRARY.getByName(paceName(userId));
  return new Turnstile(pace, MAX_MESSAGES_PER_MINUTE, objectName(userId, conversationId));
}
