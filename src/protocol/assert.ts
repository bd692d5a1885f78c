/** Unwraps a value the caller knows to be present. Throws when it is not: a bug, never a user's mistake. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Invariant broken: ${what} is missing`);
  return value;
}

/** Closes a `switch` over a union: adding a member stops compilation here. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
