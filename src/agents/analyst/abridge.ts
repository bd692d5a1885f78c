// Shortens data for people, models and stores: long lists lose their tails and end with the number of missing members.

import { shortened } from "../../protocol/shortened.ts";
import { isRecord } from "./shapes.ts";

/**
 * Returns a copy of a JSON value in which every list has at most `maxMembers` members. A shortened list ends with one
 * more member, a text with the number of members left out and a hash of them. Equal inputs give equal outputs, so
 * shortened arguments can be compared.
 */
export function abridged(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((member) => abridged(member, most));
    if (value.length <= most) return kept;
    return [...kept, `… ${value.length - most} more #${markOf(JSON.stringify(value.slice(most)))}`];
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, abridged(member, most)]));
}

/**
 * Returns the value shortened to at most `maxChars` characters of JSON. Lists are shortened step by step, down to five
 * members. If that is not enough, returns the JSON as a text truncated at `maxChars`.
 */
export function fitting(value: unknown, chars: number): unknown {
  for (const most of [1_000, 200, 50, 20, 5]) {
    const short = abridged(value, most);
    if ((JSON.stringify(short) ?? "").length <= chars) return short;
  }
  return shortened(JSON.stringify(abridged(value, 5)) ?? "", chars);
}

/** FNV-1a, 32 bits, as eight hex digits. Tells apart long lists that begin in the same way. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
