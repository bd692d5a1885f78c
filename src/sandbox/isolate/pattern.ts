// RegExp, with a matcher of our own, because the native matcher cannot be interrupted.
//
// Module state: the source and the compiled form of each pattern object (weak), and a cache of compiled patterns by
// source and flags. The cache lives as long as the isolate, that is one call. `lastIndex` is the only mutable state of
// a pattern.

import { LIMITS } from "../limits.ts";
import { giveUp, spend } from "./budget.ts";
import { compilePattern, type Compiled } from "./pattern-compile.ts";
import { matchAt, type Found } from "./pattern-match.ts";
import { parsePattern, type Parsed } from "./pattern-parse.ts";
import { joined, read } from "./ropes.ts";
import { bare, text, whole, type Obj } from "./values.ts";

/** A parsed and compiled pattern. */
type Ready = { readonly parsed: Parsed; readonly compiled: Compiled };

/** The internal state of a pattern object, hidden from the code. */
type Inner = { readonly source: string; readonly flags: string; readonly ready: Ready };

const NativeRegExp = RegExp;
const { get, set, has } = WeakMap.prototype;
const { apply } = Reflect;
/** The internal state by pattern object. */
const inner = new WeakMap<object, Inner>();
/** Compiled patterns by flags and source. */
const known = new Map<string, Ready>();

/** RegExp as programs see it. */
export class Pattern {
  lastIndex = 0;

  /** Accepts a text or another pattern, like RegExp. Throws a `SyntaxError` if it is invalid. */
  constructor(source?: unknown, flags?: unknown) {
    const from = innerOf(source);
    const written = from === null ? (source === undefined ? "(?:)" : text(source)) : from.source;
    const marks = flags === undefined ? (from?.flags ?? "") : text(flags);
    apply(set, inner, [
      this,
      { source: written === "" ? "(?:)" : written, flags: marks, ready: readyFor(written, marks) },
    ]);
  }

  get source(): string {
    return its(this).source;
  }
  get flags(): string {
    return its(this).flags;
  }
  get global(): boolean {
    return its(this).flags.includes("g");
  }
  get ignoreCase(): boolean {
    return its(this).flags.includes("i");
  }
  get multiline(): boolean {
    return its(this).flags.includes("m");
  }
  get dotAll(): boolean {
    return its(this).flags.includes("s");
  }
  get unicode(): boolean {
    return its(this).flags.includes("u");
  }
  get sticky(): boolean {
    return its(this).flags.includes("y");
  }
  exec(value?: unknown): Obj | null {
    return execute(this, text(value));
  }
  test(value?: unknown): boolean {
    return search(this, text(value)) !== null;
  }
  toString(): string {
    const { source, flags } = its(this);
    return joined(joined("/", source), joined("/", flags));
  }
}

export function isPattern(value: unknown): value is Pattern {
  return innerOf(value) !== null;
}

/** Returns the internal state; null if the value is not a pattern. */
function innerOf(value: unknown): Inner | null {
  const isOne = typeof value === "object" && value !== null && (apply(has, inner, [value]) as boolean);
  return isOne ? (apply(get, inner, [value]) as Inner) : null;
}

/** Returns the internal state. Throws a `TypeError` if the value is not a pattern. */
function its(pattern: Pattern): Inner {
  const found = innerOf(pattern);
  if (found === null) throw new TypeError("This is not a regular expression");
  return found;
}

/** Returns the compiled form of a pattern. Each request pays for reading the source. */
function readyFor(source: string, flags: string): Ready {
  if (source.length > LIMITS.pattern) giveUp(`It makes a pattern of more than ${LIMITS.pattern} characters`);
  if (flags.length > 8) throw new SyntaxError("Invalid flags of a pattern");
  // Unicode classes make parsing expensive.
  spend(200 + source.length * (flags.includes("u") ? 300 : 32));
  const name = `${flags}/${source}`;
  const earlier = known.get(name);
  if (earlier !== undefined) return earlier;
  for (const flag of flags)
    if (!"gimsuy".includes(flag)) throw new SyntaxError(`The flag ${flag} of patterns is not available here`);
  // The native constructor throws for invalid patterns.
  void new NativeRegExp(source, flags);
  const parsed = parsePattern(source, flags.includes("u"));
  const ready = { parsed, compiled: compilePattern(parsed.tree, parsed.groups, flags) };
  known.set(name, ready);
  return ready;
}

/** Returns the next match and advances `lastIndex` if the pattern is global or sticky. */
export function search(pattern: Pattern, input: string): Found | null {
  const { flags } = its(pattern);
  const moves = flags.includes("g") || flags.includes("y");
  const given = moves ? whole(pattern.lastIndex, 0) : 0;
  const from = given > 0 ? given : 0;
  // A position within a surrogate pair counts as the start of the pair.
  const isInside = flags.includes("u") && from > 0 && (read(input).codePointAt(from - 1) ?? 0) > 0xffff;
  const found = searchFrom(pattern, input, isInside ? from - 1 : from, flags.includes("y"));
  if (moves) pattern.lastIndex = found === null ? 0 : (found[1] as number);
  return found;
}

/** Returns the first match at or after `from`, or exactly at `from` if `sticky`. Does not change `lastIndex`. */
export function searchFrom(pattern: Pattern, input: string, from: number, sticky = false): Found | null {
  const { ready, flags } = its(pattern);
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
  for (let at = from; at <= input.length; at = advance(input, at, unicode)) {
    const found = matchAt(scan, at);
    if (found !== null || sticky) return found;
  }
  return null;
}

/** Returns the position of the next character. */
export function advance(input: string, at: number, unicode: boolean): number {
  return unicode && (input.codePointAt(at) ?? 0) > 0xffff ? at + 2 : at + 1;
}

/** `RegExp.prototype.exec` for a text. */
export function execute(pattern: Pattern, input: string): Obj | null {
  const found = search(pattern, input);
  return found === null ? null : resultOf(pattern, input, found);
}

/** Returns the result list of `exec` with `index`, `input` and `groups`. */
export function resultOf(pattern: Pattern, input: string, found: Found): Obj {
  const { groups, names } = its(pattern).ready.parsed;
  spend(200 + groups * 48);
  const result: (string | undefined)[] = [];
  for (let group = 0; group <= groups; group += 1) result[group] = part(input, found, group);
  const named = names.length === 0 ? undefined : bare();
  if (named !== undefined) for (const [name, group] of names) named[name] = result[group] ?? named[name];
  const list = result as unknown as Obj;
  list["index"] = found[0];
  list["input"] = input;
  list["groups"] = named;
  return list;
}

/** Returns the text of a group; undefined if it did not match. */
export function part(input: string, found: Found, group: number): string | undefined {
  const from = found[2 * group] as number;
  const to = found[2 * group + 1] as number;
  return from < 0 || to < 0 ? undefined : input.slice(from, to);
}
