import type { DataError, Failed } from "../protocol/dataset.ts";

/** Ends the making of a query from wherever it is found to be wrong. Never leaves this folder: see `orFailed`. */
class Refused extends Error {
  readonly error: DataError;

  constructor(error: DataError) {
    super(error.message);
    this.error = error;
  }
}

export function refuse(entity: string, message: string, suggestions: readonly string[] = [], wanted?: string): never {
  throw new Refused({ entity, message, suggestions: [...suggestions], ...(wanted === undefined ? {} : { wanted }) });
}

/** What `work` makes, or why it cannot. */
export function orFailed<T>(work: () => T): T | Failed {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Refused) return { error: thrown.error };
    throw thrown;
  }
}
