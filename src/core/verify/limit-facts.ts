// Limits the facts about a subject to the size that a request may contain.

import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";

type FactValue = WorkflowTaskContext[string];

/** The maximum length of all facts as JSON, in characters. */
const MAX_FACTS_CHARS = 8_000;
/** The maximum length of one text. */
const MAX_TEXT_CHARS = 500;
/** The maximum number of entries of an object or array. */
const MAX_ENTRIES = 50;
/** The maximum depth of nesting. */
const MAX_DEPTH = 3;

/**
 * Returns the first `MAX_ENTRIES` facts with long texts truncated and deep values replaced by “…”. Skips each fact that
 * would exceed the total limit.
 */
export function limitFacts(subject: WorkflowTaskContext): WorkflowTaskContext {
  const facts: [string, FactValue][] = [];
  let remaining = MAX_FACTS_CHARS;
  for (const [name, value] of Object.entries(subject).slice(0, MAX_ENTRIES)) {
    const fact = limitValue(value, MAX_DEPTH);
    const chars = name.length + JSON.stringify(fact).length;
    if (chars > remaining) continue;
    remaining -= chars;
    facts.push([name, fact]);
  }
  return Object.fromEntries(facts);
}

/** Limits one value, recursively. */
function limitValue(value: FactValue, depth: number): FactValue {
  if (typeof value === "string") return truncateWithEllipsis(value, MAX_TEXT_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => limitValue(entry, depth - 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [name, limitValue(entry, depth - 1)]));
}
