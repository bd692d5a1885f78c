// How many messages a person begins: counted exactly, in one object per person, across all doors and conversations.

import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

const MINUTE_MS = 60_000;
const KEY = "pace";
/** A write per message would take longer than the count; an object with a timer stays in memory. */
const WRITE_AFTER_MS = 1_000;

/** Of so many messages as were asked for, those that may begin, and when the next may. */
export type Granted = { readonly granted: number; readonly retry_after: number };

export type PaceApi = {
  /** `most` messages may begin within a minute, which begins with the first of them. */
  begin(wanted: number, most: number): Promise<Granted>;
};

type Minute = { readonly since: number; readonly used: number };

/** What of the storage is needed. */
type Storage = {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: Minute): Promise<void>;
};

/** Counts a person's messages. Kept over sleep and restarts; a host that dies forgets at most its last second. */
export class Pace {
  readonly #storage: Storage;
  #minute: Minute | undefined;
  #isWriting = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async begin(wanted: number, most: number, now: () => number): Promise<Granted> {
    if (this.#minute === undefined) {
      const stored = await this.#storage.get<Minute>(KEY);
      // Somebody else may have read and counted meanwhile.
      this.#minute ??= stored ?? { since: 0, used: 0 };
    }
    const at = now();
    const isOver = at - this.#minute.since >= MINUTE_MS || at < this.#minute.since;
    const { since, used } = isOver ? { since: at, used: 0 } : this.#minute;
    const granted = Math.max(0, Math.min(wanted, most - used));
    if (granted > 0) {
      this.#minute = { since, used: used + granted };
      this.#write();
    }
    return { granted, retry_after: Math.max(1, Math.ceil((since + MINUTE_MS - at) / 1_000)) };
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

type Waiting = { readonly go: () => void; readonly refuse: (fault: Fault) => void };

/**
 * A conversation's way to the count. Messages keep their order: while one question is under way, those that come
 * wait, and are asked for together.
 */
export class Turnstile {
  readonly #pace: () => PaceApi;
  readonly #most: number;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** By the commands of their messages. */
  readonly #passing = new Map<string, Promise<void>>();

  /** `most` 0 lets everything through. */
  constructor(pace: () => PaceApi, most: number) {
    this.#pace = pace;
    this.#most = most;
  }

  /**
   * Resolves when the message of a command may begin. Throws `too_many_requests` when the person's minute is full. One
   * that comes again meanwhile is the same message (T2).
   */
  async pass(commandId: string): Promise<void> {
    if (this.#most === 0) return;
    const passing = this.#passing.get(commandId) ?? this.#queue();
    this.#passing.set(commandId, passing);
    await passing.finally(() => this.#passing.delete(commandId));
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
      const { granted, retry_after } = await this.#granted(asking.length);
      for (const { go } of asking.slice(0, granted)) go();
      for (const { refuse } of asking.slice(granted)) refuse(tooMany(retry_after));
    }
    this.#isAsking = false;
  }

  /** A count that cannot be had keeps nobody from talking. */
  async #granted(wanted: number): Promise<Granted> {
    try {
      return await this.#pace().begin(wanted, this.#most);
    } catch (thrown) {
      console.error("Messages could not be counted", thrown);
      return { granted: wanted, retry_after: 0 };
    }
  }
}

export function turnstileOf({ LIBRARY }: Env, { MAX_MESSAGES_PER_MINUTE }: Settings, userId: string): Turnstile {
  return new Turnstile(() => LIBRARY.getByName(paceName(userId)) as unknown as PaceApi, MAX_MESSAGES_PER_MINUTE);
}

/** `retry_after` is in seconds. */
export function tooMany(retry_after: number): Fault {
  const wait = retry_after === 1 ? "a second" : `${retry_after} seconds`;
  return new Fault("too_many_requests", `Too many messages in a short time. Try again in ${wait}.`, { retry_after });
}

/** The object that counts for a person. Not that of their tables: a long query there must not hold a message up. */
export function paceName(userId: string): string {
  return `${userId}\npace`;
}
