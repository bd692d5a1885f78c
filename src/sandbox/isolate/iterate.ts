// Iterates over values with a payment per element.

import { spend } from "./step-budget.ts";
import { apply, assertCallable, checkListLength, isArray, isObject, type Fn } from "./conversions.ts";

const iteratorKey = Symbol.iterator;

/** Returns all elements as a new list. */
export function collectItems(value: unknown): unknown[] {
  const list: unknown[] = [];
  visitEach(value, (item) => {
    checkListLength(list.length + 1);
    list[list.length] = item;
  });
  return list;
}

/**
 * Calls `visit` for each element. Arrays are read by index, so changes of their iterator have no effect. Throws a
 * `TypeError` if the value is not iterable. An iterator is not closed if `visit` throws.
 */
export function visitEach(value: unknown, visit: (item: unknown) => void): void {
  if (isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      spend(32);
      visit(value[at]);
    }
    return;
  }
  const method = isObject(value) || typeof value === "string" ? (value as never)[iteratorKey] : undefined;
  if (method === undefined) throw new TypeError(`${value === null ? "null" : typeof value} is not iterable`);
  const iterator = apply(assertCallable(method, "Its iterator"), value, []) as { next: Fn };
  const next = assertCallable(iterator.next, "Its next");
  for (;;) {
    spend(48);
    const step = apply(next, iterator, []) as { done: unknown; value: unknown };
    if (step.done) return;
    visit(step.value);
  }
}
