import type { Env } from "../env.ts";
import type { Fault } from "../protocol/fault.ts";
import { within } from "../protocol/within.ts";
import type { Settings } from "../settings.ts";
import { objectName, type ConversationName } from "./api.ts";
import { paceName, tooMany, type Granted, type PaceApi } from "./pace.ts";

/** Messages that a conversation may have ahead. */
const MOST_AHEAD = 16;
/** Longest wait for the count, which may have to take something back first. */
const COUNT_MS = 3_000;

type Waiting = { readonly go: () => void; readonly refuse: (fault: Fault) => void };

/**
 * A conversation's way to the count (`pace.ts`). Messages keep their order: while one question is under way, those that
 * come wait, and are asked for together. As many as have passed within the minute, it would have ahead.
 */
export class Turnstile {
  readonly #pace: () => PaceApi;
  readonly #most: number;
  readonly #holder: string;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** By the commands of their messages. */
  readonly #passing = new Map<string, Promise<void>>();
  #ahead = 0;
  /** Messages that have passed in the minute that ends at `until`. */
  #passed = 0;
  #until = 0;

  /** `most` 0 lets everything through. */
  constructor(pace: () => PaceApi, most: number, holder: string) {
    this.#pace = pace;
    this.#most = most;
    this.#holder = holder;
  }

  /**
   * Undefined when the message of a command may begin at once; otherwise resolves when it may, or throws
   * `too_many_requests` when the person's minute is full. One that comes again meanwhile is the same message (T2).
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

  /** Resolves once all that are on their way have passed or were refused. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#passing.values());
  }

  /** As `HolderApi.giveBack`. */
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

  /** A count that cannot be had keeps nobody from talking. */
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
