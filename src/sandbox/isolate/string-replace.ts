// replace, match and split of strings, by text or by pattern. Results are assembled piece by piece, so they are paid as
// they grow.

import { spend } from "./step-budget.ts";
import {
  advanceIndex,
  executePattern,
  isPattern,
  getGroupText,
  buildMatchResult,
  searchNext,
  searchFrom,
  type Pattern,
} from "./regexp.ts";
import { type MatchSlots } from "./regexp-match.ts";
import { read, Rope } from "./ropes.ts";
import { apply, checkListLength, text, type Fn, type Obj } from "./conversions.ts";

const nativeIndexOf = String.prototype.indexOf as Fn;

/** Returns all matches of a global pattern, otherwise the next match. Resets `lastIndex` of a global pattern. */
export function findMatches(pattern: Pattern, input: string): MatchSlots[] {
  const found: MatchSlots[] = [];
  if (!pattern.global) {
    const first = searchNext(pattern, input);
    return first === null ? [] : [first];
  }
  pattern.lastIndex = 0;
  for (;;) {
    const next = searchNext(pattern, input);
    if (next === null) return found;
    spend(64);
    checkListLength(found.length + 1);
    found[found.length] = next;
    if (next[0] === next[1]) pattern.lastIndex = advanceIndex(input, pattern.lastIndex, pattern.unicode);
  }
}

/** `String.prototype.replace`, or `replaceAll` if `all`. `by` is a template or a function. */
export function replaceText(input: string, target: unknown, by: unknown, all: boolean): string {
  if (isPattern(target)) {
    if (all && !target.global) throw new TypeError("replaceAll must be called with a global RegExp");
    return assembleText(
      input,
      findMatches(target, input).map((found) => [found, buildMatchResult(target, input, found)] as const),
      by,
    );
  }
  return assembleText(
    input,
    findOccurrences(input, read(text(target)), all).map(
      (found) => [found, [getGroupText(input, found, 0)] as unknown as Obj] as const,
    ),
    by,
  );
}

/** Returns the positions of a text. */
function findOccurrences(input: string, target: string, all: boolean): MatchSlots[] {
  const found: MatchSlots[] = [];
  let from = 0;
  paySearch(input.length, target.length);
  for (;;) {
    const at = apply(nativeIndexOf, input, [target, from]) as number;
    if (at < 0 || from > input.length) return found;
    spend(64);
    found[found.length] = [at, at + target.length];
    if (!all) return found;
    from = at + (target.length === 0 ? 1 : target.length);
  }
}

/** Pays for a search. In the worst case it compares both lengths with each other. */
export function paySearch(length: number, target: number): void {
  spend(16 + (length >> 3) + (target > 8 ? (length * target) / 8 : 0));
}

/** Replaces the matches by templates or by the results of a function. */
function assembleText(input: string, found: readonly (readonly [MatchSlots, Obj])[], by: unknown): string {
  const template = typeof by === "function" ? null : read(text(by));
  const rope = new Rope();
  let from = 0;
  for (const [where, result] of found) {
    const [start = 0, end = 0] = where;
    rope.add(input.slice(from, start));
    rope.add(
      template === null ? callReplacer(by as Fn, result, start, input) : fillTemplate(template, input, where, result),
    );
    from = end;
  }
  rope.add(input.slice(from));
  return rope.toText();
}

/** Calls the replacement function with the groups, the position, the input and the named groups. */
function callReplacer(by: Fn, result: Obj, start: number, input: string): string {
  const groups = result["groups"];
  const given = [...(result as unknown as unknown[]), start, input];
  return text(apply(by, undefined, groups === undefined ? given : [...given, groups]));
}

/** Fills a replacement template (ECMA-262, GetSubstitution). */
function fillTemplate(template: string, input: string, [start = 0, end = 0]: MatchSlots, result: Obj): string {
  if (!template.includes("$")) return template;
  const list = result as unknown as (string | undefined)[];
  const rope = new Rope();
  for (let at = 0; at < template.length; at += 1) {
    spend(8);
    const sign = template[at] as string;
    const next = template[at + 1];
    if (sign !== "$" || next === undefined) rope.add(sign);
    else {
      const [put, length] = getInsertion(template, at, next, list, input, start, end);
      rope.add(put);
      at += length;
    }
  }
  return rope.toText();
}

/**
 * Returns the text for a `$` sequence and the number of characters after the `$` that it takes; 0 if it is not a
 * sequence.
 */
function getInsertion(
  template: string,
  at: number,
  next: string,
  list: readonly (string | undefined)[],
  input: string,
  start: number,
  end: number,
): readonly [string, number] {
  if (next === "$") return ["$", 1];
  if (next === "&") return [input.slice(start, end), 1];
  if (next === "`") return [input.slice(0, start), 1];
  if (next === "'") return [input.slice(end), 1];
  if (next === "<") {
    const groups = (list as unknown as Obj)["groups"] as Obj | undefined;
    const close = template.indexOf(">", at);
    if (groups === undefined || close < 0) return ["$", 0];
    spend(close - at);
    const groupText = groups[template.slice(at + 2, close)];
    return [groupText === undefined ? "" : text(groupText), close - at];
  }
  for (const digits of [2, 1]) {
    const written = template.slice(at + 1, at + 1 + digits);
    const group = isDigits(written) && written.length === digits ? Number(written) : 0;
    if (group >= 1 && group < list.length) return [list[group] ?? "", digits];
  }
  return ["$", 0];
}

function isDigits(written: string): boolean {
  for (const sign of written) if (sign < "0" || sign > "9") return false;
  return written !== "";
}

/** `String.prototype.match`. */
export function matchText(input: string, pattern: Pattern): unknown {
  if (!pattern.global) return executePattern(pattern, input);
  const found = findMatches(pattern, input);
  return found.length === 0 ? null : found.map((each) => getGroupText(input, each, 0));
}

/** `String.prototype.split` by a pattern. */
export function splitText(input: string, pattern: Pattern, limit: number): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  if (limit === 0) return parts;
  if (input === "") return searchFrom(pattern, "", 0, true) === null ? [""] : [];
  let from = 0;
  let at = 0;
  while (at < input.length) {
    const found = searchFrom(pattern, input, at);
    const [start = 0, end = 0] = found ?? [];
    if (found === null || start >= input.length) break;
    if (end === from) {
      at = advanceIndex(input, start, pattern.unicode);
      continue;
    }
    const result = buildMatchResult(pattern, input, found) as unknown as (string | undefined)[];
    parts[parts.length] = input.slice(from, start);
    for (let group = 1; group < result.length; group += 1) parts[parts.length] = result[group];
    if (parts.length >= limit) return parts.slice(0, limit);
    from = end;
    at = end;
  }
  parts[parts.length] = input.slice(from);
  return parts;
}
