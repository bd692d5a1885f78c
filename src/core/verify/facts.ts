// What is known of the subject, as much of it as may go into a request.

import type { PlanContext } from "../../protocol/plan-template.ts";
import { shortened } from "../../protocol/shortened.ts";

type Json = PlanContext[string];

const MAX_CHARS = 8_000;
const MAX_TEXT = 500;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 3;

/** The facts without what is too long, too many or too deep. */
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

function bounded(value: Json, depth: number): Json {
  if (typeof value === "string") return shortened(value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => bounded(entry, depth - 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [name, bounded(entry, depth - 1)]));
}
