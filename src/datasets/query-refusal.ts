// Refusals of queries. A function deep inside a compilation refuses by throwing, and the entry point returns the reason
// as a value.

import type { DataError, DataFailure } from "../protocol/datasets/dataset.ts";

/** Ends a compilation. Never leaves this folder: `catchRefusal` converts it to a value. */
class QueryRefusal extends Error {
  readonly error: DataError;

  constructor(error: DataError) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Throws a refusal. `entity` is the kind of thing that is wrong, `suggestions` the nearest existing names, `wanted` the
 * name that was not found.
 */
export function refuseQuery(
  entity: string,
  message: string,
  suggestions: readonly string[] = [],
  wanted?: string,
): never {
  throw new QueryRefusal({
    entity,
    message,
    suggestions: [...suggestions],
    ...(wanted === undefined ? {} : { wanted }),
  });
}

/** Returns the result of `work`, or `{error}` if it refuses. Other errors pass through. */
export function catchRefusal<T>(work: () => T): T | DataFailure {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof QueryRefusal) return { error: thrown.error };
    throw thrown;
  }
}
