// Splits a request into sub-tasks of one tool each.

import { parsePieces } from "../request/split-request.ts";
import type { EarlierResult } from "../work/earlier-results.ts";
import { readSubtask, type FittingTemplate } from "./read-subtask.ts";

export type SubtaskPiece = { readonly text: string; readonly fitting: FittingTemplate | null };

/** Stands for results that do not exist yet when the request is split. */
const PLACEHOLDERS: readonly EarlierResult[] = ["2", "3"].map((value) => ({ value, about: "random number" }));
/** A fixed time: it does not decide whether a tool can be written. */
const CLOCK = { now: Date.UTC(2026, 0, 1), timezone: undefined };

/** True if a template does the work, with any results that it refers to. */
export function canWriteTool(text: string): boolean {
  return readSubtask(text, { ...CLOCK, results: PLACEHOLDERS }) !== null;
}

/** Returns the sub-tasks in order. A sub-task that needs a result before there is one is not fitting. */
export function splitSubtasks(request: string, given: readonly EarlierResult[]): SubtaskPiece[] {
  return parsePieces(request, canWriteTool).map(({ text }, i) => {
    const results = given.length + i === 0 ? [] : PLACEHOLDERS;
    return { text, fitting: readSubtask(text, { ...CLOCK, results }) };
  });
}
