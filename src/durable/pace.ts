// How many messages a person begins: counted exactly, in one object per person, across all doors and conversations.
// A conversation in which many are said in a short time is given some ahead, which it need not ask for one by one;
// when the minute runs out, what was not used is taken back before anybody is refused.

import { Fault } from "../protocol/fault.ts";
import { within } from "../protocol/within.ts";

const MINUTE_MS = 60_000;
const KEY = "pace";
/** A write per message would take longer than the count; an object with a timer stays in memory. */
const WRITE_AFTER_MS = 1_000;
/** Of what is left of a minute, the part that one conversation may be given ahead. */
const AHEAD_PART = 1 / 4;
/** Longest wait for a conversation that is to give back. */
const RECALL_MS = 1_000;

/** Of so many messages as were asked for, those that may begin; `ahead` more may until the minute ends, in epoch milliseconds. */
export type Granted = { readonly granted: number; readonly ahead: number; readonly until: number };

/** Who would have how many messages ahead. */
export type Wish = { readonly holder: string; readonly ahead: number };

export type PaceApi = {
  /** `most` messages may begin within a minute, which begins with the first of them. */
  begin(wanted: number, most: number, wish?: Wish): Promise<Granted>;
};

export type HolderApi = {
  /** Gives up what it was given ahead: answers how much of that it has not used. */
  giveBack(): Promise<number>;
};

/** `used` with all that was given ahead. */
type Minute = { readonly since: number; readonly used: number; readonly holders: readonly string[] };

const NONE: Minute = { since: 0, used: 0, holders: [] };

/** What of the storage is needed. */
type Storage = {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: Minute): Promise<void>;
};

/**
 * Counts a person's messages. Kept over sleep and restarts; a host that dies forgets at most its last second. A
 * conversation that dies takes along what it had ahead: that counts as used.
 */
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

  async begin(wanted: number, most: number, wish: Wish | undefined, now: () => number): Promise<Granted> {
    if (this.#minute === undefined) {
      const stored = await this.#storage.get<Minute>(KEY);
      // Somebody else may have read and counted meanwhile.
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

  /** The minute that it is. */
  #at(now: number): Minute {
    const minute = this.#minute ?? NONE;
    const isOver = now - minute.since >= MINUTE_MS || now < minute.since;
    return isOver ? { ...NONE, since: now } : minute;
  }

  /** Whoever asks meanwhile waits for the same. */
  #recall(): Promise<void> {
    return (this.#recalling ??= this.#takeBack().finally(() => (this.#recalling = undefined)));
  }

  async #takeBack(): Promise<void> {
    const { since, used, holders } = this.#minute ?? NONE;
    if (holders.length === 0) return;
    // Who is given something while the others answer is not forgotten with them.
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

/** `retry_after` is in seconds. */
export function tooMany(retry_after: number): Fault {
  const wait = retry_after === 1 ? "a second" : `${retry_after} seconds`;
  return new Fault("too_many_requests", `Too many messages in a short time. Try again in ${wait}.`, { retry_after });
}

/** The object that counts for a person. Not that of their tables: a long query there must not hold a message up. */
export function paceName(userId: string): string {
  return `${userId}\npace`;
}
