// Reads one piece of work. Text that is not such work from end to end is not read, so that nothing is half understood.

import { readClock } from "./read-clock.ts";
import { readDraw, type Draw } from "./read-random.ts";
import { readSum, type SumTemplate } from "./read-sum.ts";
import { readTextWork, type TextWork } from "./read-text-work.ts";
import type { ResultReference } from "./earlier-results.ts";

export type Work =
  | { readonly kind: "clock"; readonly zones: readonly string[] }
  | { readonly kind: "sum"; readonly template: SumTemplate }
  | ({ readonly kind: "draw" } & Draw)
  | TextWork;
export type WorkKind = Work["kind"];

/** Longer requests are not read. */
export const MAX_WORK_CHARS = 12_000;
/** Only work on a text may be longer. */
const MAX_PLAIN_CHARS = 400;

export function readWork(text: string): Work | null {
  if (text.length > MAX_WORK_CHARS) return null;
  if (text.length > MAX_PLAIN_CHARS) return readTextWork(text);
  const zones = readClock(text);
  if (zones !== null) return { kind: "clock", zones };
  const draw = readDraw(text);
  if (draw !== null) return { kind: "draw", ...draw };
  const template = readSum(text);
  return template === null ? readTextWork(text) : { kind: "sum", template };
}

/** Returns the results that the work needs. */
export function getNeededResults(work: Work): ResultReference {
  if (work.kind !== "sum" || !work.template.includes("$")) return "none";
  return work.template.includes("$last") ? "last" : "all";
}
