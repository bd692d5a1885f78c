// Data in short: lists lose their tails and say how much, so that people, models and stores can take it.

import { shortened } from "../../protocol/shortened.ts";
import { isRecord } from "./shapes.ts";

/** Lists with at most `most` members; the last one says how many were left out, and by a mark which ones. */
export function abridged(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((member) => abridged(member, most));
    if (value.length <= most) return kept;
    return [...kept, `… ${value.length - most} more #${markOf(JSON.stringify(value.slice(most)))}`];
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, abridged(member, most)]));
}

/** As much of a value as fits into `chars` characters of JSON. */
export function fitting(value: unknown, chars: number): unknown {
  for (const most of [1_000, 200, 50, 20, 5]) {
    const short = abridged(value, most);
    if ((JSON.stringify(short) ?? "").length <= chars) return short;
  }
  return shortened(JSON.stringify(abridged(value, 5)) ?? "", chars);
}

/** FNV-1a, 32 bits: tells long lists apart that begin in the same way. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
