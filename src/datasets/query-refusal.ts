// Refusals of queries. A function deep inside a compilation refuses by throwing, and the entry point returns the reason
// as a value; the failure never leaves this folder.

import { Failure, isFailure } from "../protocol/wire/message-error.ts";
import type { DataFailure } from "../protocol/datasets/dataset.ts";
import { formatMessage, type Message } from "../language/messages.ts";

/**
 * Throws the refusal that `catchRefusal` returns. `entity` is the kind of thing that is wrong (see `dataErrorSchema`),
 * `suggestions` are the nearest existing names, and `wanted` is the unknown name, if it is the only problem.
 */
export function refuseQuery(
  entity: string,
  text: Message,
  suggestions: readonly string[] = [],
  wanted?: string,
): never {
  throw new Failure("query_refused", text, { detail: createDataFailure(entity, text, suggestions, wanted) });
}

/** Creates a failure; see `refuseQuery` for the arguments. Its message is in English, `text` is for other languages. */
export function createDataFailure(
  entity: string,
  text: Message,
  suggestions: readonly string[] = [],
  wanted?: string,
): DataFailure {
  const message = formatMessage("en", text);
  return {
    error: { entity, message, suggestions: [...suggestions], ...(wanted === undefined ? {} : { wanted }) },
    text,
  };
}

/** Returns the result of `work`, or its failure if it refuses. Other errors pass through. */
export function catchRefusal<T>(work: () => T): T | DataFailure {
  try {
    return work();
  } catch (thrown) {
    if (isFailure(thrown, "query_refused")) return thrown.detail as DataFailure;
    throw thrown;
  }
}
