// Assertions about invariants of the code.

/** Returns the value. Throws an Error that names `what` if it is null or undefined, which is a bug. */
export function ensurePresent<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Invariant broken: ${what} is missing`);
  return value;
}

/** Ends an exhaustive `switch` over a union; a new member becomes a compile error. Throws if it is reached. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
