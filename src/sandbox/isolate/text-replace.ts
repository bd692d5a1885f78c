// replace, match and split of strings, by text or by pattern. Results are assembled piece by piece, so they are paid as
// they grow.

import { spend } from "./budget.ts";
import { advance, execute, isPattern, part, resultOf, search, searchFrom, type Pattern } from "./pattern.ts";
import { type Found } from "./pattern-match.ts";
import { read, Rope } from "./ropes.ts";
import { apply, fitsList, text, type Fn, type Obj } from "./values.ts";

const nativeIndexOf = String.prototype.indexOf as Fn;

/** Returns all matches of a global pattern, otherwise the next match. Resets `lastIndex` of a global pattern. */
export function matches(pattern: Pattern, input: string): Found[] {
  const found: Found[] = [];
  if (!pattern.global) {
    const one = search(pattern, input);
    return one === null ? [] : [one];
  }
  pattern.lastIndex = 0;
  for (;;) {
    const next = search(pattern, input);
    if (next === null) return found;
    spend(64);
    fitsList(found.length + 1);
    found[found.length] = next;
    if (next[0] === next[1]) pattern.lastIndex = advance(input, pattern.lastIndex, pattern.unicode);
  }
}

/** `String.prototype.replace`, or `replaceAll` if `all`. `by` is a template or a function. */
export function replaced(input: string, wanted: unknown, by: unknown, all: boolean): string {
  if (isPattern(wanted)) {
    if (all && !wanted.global) throw new TypeError("replaceAll must be called with a global RegExp");
    return assembled(
      input,
      matches(wanted, input).map((found) => [found, resultOf(wanted, input, found)] as const),
      by,
    );
  }
  return assembled(
    input,
    occurrences(input, read(text(wanted)), all).map(
      (found) => [found, [part(input, found, 0)] as unknown as Obj] as const,
    ),
    by,
  );
}

/** Returns the positions of a text. */
function occurrences(input: string, wanted: string, all: boolean): Found[] {
  const found: Found[] = [];
  let from = 0;
  paySeek(input.length, wanted.length);
  for (;;) {
    const at = apply(nativeIndexOf, input, [wanted, from]) as number;
    if (at < 0 || from > input.length) return found;
    spend(64);
    found[found.length] = [at, at + wanted.length];
    if (!all) return found;
    from = at + (wanted.length === 0 ? 1 : wanted.length);
  }
}

/** Pays for a search. In the worst case it compares both lengths with each other. */
export function paySeek(length: number, wanted: number): void {
  spend(16 + (length >> 3) + (wanted > 8 ? (length * wanted) / 8 : 0));
}

/** Replaces the matches by templates or by the results of a function. */
function assembled(input: string, found: readonly (readonly [Found, Obj])[], by: unknown): string {
  const template = typeof by === "function" ? null : read(text(by));
  const whole = new Rope();
  let from = 0;
  for (const [where, result] of found) {
    const [start = 0, end = 0] = where;
    whole.add(input.slice(from, start));
    whole.add(template === null ? called(by as Fn, result, start, input) : filled(template, input, where, result));
    from = end;
  }
  whole.add(input.slice(from));
  return whole.whole();
}

/** Calls the replacement function with the groups, the position, the input and the named groups. */
function called(by: Fn, result: Obj, start: number, input: string): string {
  const groups = result["groups"];
  const given = [...(result as unknown as unknown[]), start, input];
  return text(apply(by, undefined, groups === undefined ? given : [...given, groups]));
}

/** Fills a replacement template (ECMA-262, GetSubstitution). */
function filled(template: string, input: string, [start = 0, end = 0]: Found, result: Obj): string {
  if (!template.includes("$")) return template;
  const list = result as unknown as (string | undefined)[];
  const whole = new Rope();
  for (let at = 0; at < template.length; at += 1) {
    spend(8);
    const sign = template[at] as string;
    const next = template[at + 1];
    if (sign !== "$" || next === undefined) whole.add(sign);
    else {
      const [put, length] = insertion(template, at, next, list, input, start, end);
      whole.add(put);
      at += length;
    }
  }
  return whole.whole();
}

/**
 * Returns the text for a `$` sequence and the number of characters after the `$` that it takes; 0 if it is not a
 * sequence.
 */
function insertion(
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
    const held = groups[template.slice(at + 2, close)];
    return [held === undefined ? "" : text(held), close - at];
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
export function matched(input: string, pattern: Pattern): unknown {
  if (!pattern.global) return execute(pattern, input);
  const found = matches(pattern, input);
  return found.length === 0 ? null : found.map((each) => part(input, each, 0));
}

/** `String.prototype.split` by a pattern. */
export function split(input: string, pattern: Pattern, limit: number): (string | undefined)[] {
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
      at = advance(input, start, pattern.unicode);
      continue;
    }
    const result = resultOf(pattern, input, found) as unknown as (string | undefined)[];
    parts[parts.length] = input.slice(from, start);
    for (let group = 1; group < result.length; group += 1) parts[parts.length] = result[group];
    if (parts.length >= limit) return parts.slice(0, limit);
    from = end;
    at = end;
  }
  parts[parts.length] = input.slice(from);
  return parts;
}
