// RegExp, with a matcher of our own, because the native matcher cannot be interrupted.
//
// Module state: the source and the compiled form of each pattern object (weak), and a cache of compiled patterns by
// source and flags. The cache lives as long as the isolate, that is one call. `lastIndex` is the only mutable state of
// a pattern.

import { LIMITS } from "../sandbox-limits.ts";
import { abortCall, spend } from "./step-budget.ts";
import { compilePattern, type CompiledPattern } from "./regexp-compile.ts";
import { matchAt, type MatchSlots } from "./regexp-match.ts";
import { parsePattern, type ParsedPattern } from "./regexp-parse.ts";
import { joinTexts, read } from "./ropes.ts";
import { createBareObject, text, toInteger, type Obj } from "./conversions.ts";

/** A parsed and compiled pattern. */
type PreparedPattern = { readonly parsed: ParsedPattern; readonly compiled: CompiledPattern };

/** The internal state of a pattern object, hidden from the code. */
type PatternData = { readonly source: string; readonly flags: string; readonly ready: PreparedPattern };

const NativeRegExp = RegExp;
const { get, set, has } = WeakMap.prototype;
const { apply } = Reflect;
/** The internal state by pattern object. */
const patternData = new WeakMap<object, PatternData>();
/** Compiled patterns by flags and source. */
const preparedPatterns = new Map<string, PreparedPattern>();

/** RegExp as programs see it. */
export class Pattern {
  lastIndex = 0;

  /** Accepts a text or another pattern, like RegExp. Throws a `SyntaxError` if it is invalid. */
  constructor(source?: unknown, flags?: unknown) {
    const from = getPatternData(source);
    const written = from === null ? (source === undefined ? "(?:)" : text(source)) : from.source;
    const marks = flags === undefined ? (from?.flags ?? "") : text(flags);
    apply(set, patternData, [
      this,
      { source: written === "" ? "(?:)" : written, flags: marks, ready: preparePattern(written, marks) },
    ]);
  }

  get source(): string {
    return requirePatternData(this).source;
  }
  get flags(): string {
    return requirePatternData(this).flags;
  }
  get global(): boolean {
    return requirePatternData(this).flags.includes("g");
  }
  get ignoreCase(): boolean {
    return requirePatternData(this).flags.includes("i");
  }
  get multiline(): boolean {
    return requirePatternData(this).flags.includes("m");
  }
  get dotAll(): boolean {
    return requirePatternData(this).flags.includes("s");
  }
  get unicode(): boolean {
    return requirePatternData(this).flags.includes("u");
  }
  get sticky(): boolean {
    return requirePatternData(this).flags.includes("y");
  }
  exec(value?: unknown): Obj | null {
    return executePattern(this, text(value));
  }
  test(value?: unknown): boolean {
    return searchNext(this, text(value)) !== null;
  }
  toString(): string {
    const { source, flags } = requirePatternData(this);
    return joinTexts(joinTexts("/", source), joinTexts("/", flags));
  }
}

export function isPattern(value: unknown): value is Pattern {
  return getPatternData(value) !== null;
}

/** Returns the internal state; null if the value is not a pattern. */
function getPatternData(value: unknown): PatternData | null {
  const isKnown = typeof value === "object" && value !== null && (apply(has, patternData, [value]) as boolean);
  return isKnown ? (apply(get, patternData, [value]) as PatternData) : null;
}

/** Returns the internal state. Throws a `TypeError` if the value is not a pattern. */
function requirePatternData(pattern: Pattern): PatternData {
  const found = getPatternData(pattern);
  if (found === null) throw new TypeError("This is not a regular expression");
  return found;
}

/** Returns the compiled form of a pattern. Each request pays for reading the source. */
function preparePattern(source: string, flags: string): PreparedPattern {
  if (source.length > LIMITS.pattern) abortCall(`It makes a pattern of more than ${LIMITS.pattern} characters`);
  if (flags.length > 8) throw new SyntaxError("Invalid flags of a pattern");
  // Unicode classes make parsing expensive.
  spend(200 + source.length * (flags.includes("u") ? 300 : 32));
  const name = `${flags}/${source}`;
  const earlier = preparedPatterns.get(name);
  if (earlier !== undefined) return earlier;
  for (const flag of flags)
    if (!"gimsuy".includes(flag)) throw new SyntaxError(`The flag ${flag} of patterns is not available here`);
  // The native constructor throws for invalid patterns.
  void new NativeRegExp(source, flags);
  const parsed = parsePattern(source, flags.includes("u"));
  const ready = { parsed, compiled: compilePattern(parsed.tree, parsed.groups, flags) };
  preparedPatterns.set(name, ready);
  return ready;
}

/** Returns the next match and advances `lastIndex` if the pattern is global or sticky. */
export function searchNext(pattern: Pattern, input: string): MatchSlots | null {
  const { flags } = requirePatternData(pattern);
  const moves = flags.includes("g") || flags.includes("y");
  const given = moves ? toInteger(pattern.lastIndex, 0) : 0;
  const from = given > 0 ? given : 0;
  // A position within a surrogate pair counts as the start of the pair.
  const isInside = flags.includes("u") && from > 0 && (read(input).codePointAt(from - 1) ?? 0) > 0xffff;
  const found = searchFrom(pattern, input, isInside ? from - 1 : from, flags.includes("y"));
  if (moves) pattern.lastIndex = found === null ? 0 : (found[1] as number);
  return found;
}

/** Returns the first match at or after `from`, or exactly at `from` if `sticky`. Does not change `lastIndex`. */
export function searchFrom(pattern: Pattern, input: string, from: number, sticky = false): MatchSlots | null {
  const { ready, flags } = requirePatternData(pattern);
  const unicode = flags.includes("u");
  const scan = {
    compiled: ready.compiled,
    input,
    multiline: flags.includes("m"),
    unicode,
    foldsCase: flags.includes("i"),
  };
  spend(64);
  read(input);
  for (let at = from; at <= input.length; at = advanceIndex(input, at, unicode)) {
    const found = matchAt(scan, at);
    if (found !== null || sticky) return found;
  }
  return null;
}

/** Returns the position of the next character. */
export function advanceIndex(input: string, at: number, unicode: boolean): number {
  return unicode && (input.codePointAt(at) ?? 0) > 0xffff ? at + 2 : at + 1;
}

/** `RegExp.prototype.exec` for a text. */
export function executePattern(pattern: Pattern, input: string): Obj | null {
  const found = searchNext(pattern, input);
  return found === null ? null : buildMatchResult(pattern, input, found);
}

/** Returns the result list of `exec` with `index`, `input` and `groups`. */
export function buildMatchResult(pattern: Pattern, input: string, found: MatchSlots): Obj {
  const { groups, names } = requirePatternData(pattern).ready.parsed;
  spend(200 + groups * 48);
  const result: (string | undefined)[] = [];
  for (let group = 0; group <= groups; group += 1) result[group] = getGroupText(input, found, group);
  const named = names.length === 0 ? undefined : createBareObject();
  if (named !== undefined) for (const [name, group] of names) named[name] = result[group] ?? named[name];
  const list = result as unknown as Obj;
  list["index"] = found[0];
  list["input"] = input;
  list["groups"] = named;
  return list;
}

/** Returns the text of a group; undefined if it did not match. */
export function getGroupText(input: string, found: MatchSlots, group: number): string | undefined {
  const from = found[2 * group] as number;
  const to = found[2 * group + 1] as number;
  return from < 0 || to < 0 ? undefined : input.slice(from, to);
}
