// Limits the facts about a subject to the size that a request may contain.

import type { PlanContext } from "../../protocol/plan-template.ts";
import { shortened } from "../../protocol/shortened.ts";

type Json = PlanContext[string];

/** The maximum length of all facts as JSON, in characters. */
const MAX_CHARS = 8_000;
/** The maximum length of one text. */
const MAX_TEXT = 500;
/** The maximum number of entries of an object or array. */
const MAX_ENTRIES = 50;
/** The maximum depth of nesting. */
const MAX_DEPTH = 3;

/** Returns the facts with long texts truncated and deep values replaced by “…”. Drops facts beyond the total limit. */
export function factsOf(subject: PlanContext): PlanContext {
  const facts: [string, Json][] = [];
  let left = MAX_CHARS;
  for (const [name, value] of Object.entries(subject).slice(0, MAX_ENTRIES)) {
    const fact = bounded(value, MAX_DEPTH);
    const chars = name.length + JSON.stringify(fact).length;
    if (chars > left) continue;
    left -= chars;
    facts.push([name, fact]);
  }
  return Object.fromEntries(facts);
}

/** Limits one value, recursively. */
function bounded(value: Json, depth: number): Json {
  if (typeof value === "string") return shortened(value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => bounded(entry, depth - 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [name, bounded(entry, depth - 1)]));
}
