// The isolate in which this code runs. All objects of an isolate die together if their host dies.
//
// Owns one `Isolate` per loaded module. It is created on first use, because the global scope has neither a clock nor
// randomness.

export type Isolate = {
  readonly id: string;
  /** The time of the first use, in ms since the epoch. */
  readonly startedAt: number;
  /**
   * The ids of the threads that run in this isolate, of all conversations. An object that was reset removes its thread
   * only when it has resumed and ended it.
   */
  readonly working: Set<string>;
};

let current: Isolate | undefined;

export function createIsolate(): Isolate {
  return { id: crypto.randomUUID(), startedAt: Date.now(), working: new Set() };
}

/** Returns the isolate of the caller. */
export function getIsolate(): Isolate {
  return (current ??= createIsolate());
}
