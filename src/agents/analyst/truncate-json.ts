// Shortens data for people, models and stores: long lists lose their tails and end with the number of missing members.

import { truncateWithEllipsis } from "../../lib/truncate.ts";
import { isRecord } from "./blocks/data-shapes.ts";

/**
 * Returns a copy of a JSON value in which every list has at most `maxMembers` members. A shortened list ends with one
 * more member, a text with the number of members left out and a hash of them. Equal inputs give equal outputs, so
 * shortened arguments can be compared.
 */
export function truncateLists(value: unknown, maxMembers: number): unknown {
  if (Array.isArray(value)) {
    const members = value.slice(0, maxMembers).map((member) => truncateLists(member, maxMembers));
    if (value.length <= maxMembers) return members;
    return [...members, `… ${value.length - maxMembers} more #${hashText(JSON.stringify(value.slice(maxMembers)))}`];
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, truncateLists(member, maxMembers)]));
}

/**
 * Returns the value shortened to at most `maxChars` characters of JSON. Lists are shortened step by step, down to five
 * members. If that is not enough, returns the JSON as a text truncated at `maxChars`.
 */
export function truncateToFit(value: unknown, maxChars: number): unknown {
  for (const maxMembers of [1_000, 200, 50, 20, 5]) {
    const truncated = truncateLists(value, maxMembers);
    if ((JSON.stringify(truncated) ?? "").length <= maxChars) return truncated;
  }
  return truncateWithEllipsis(JSON.stringify(truncateLists(value, 5)) ?? "", maxChars);
}

/** FNV-1a, 32 bits, as eight hex digits. Tells apart long lists that begin in the same way. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
