// The regular expression matcher of the sandbox against the engine's: both return the same for any pattern and text.

import { expect, test } from "vitest";
import { closeBudget, openBudget } from "../../../src/sandbox/isolate/step-budget.ts";
import { Pattern, executePattern } from "../../../src/sandbox/isolate/regexp.ts";
import { matchText, replaceText, splitText } from "../../../src/sandbox/isolate/string-replace.ts";
import { createRandom, type RandomSource } from "./random.ts";
import { pickByLength } from "../../support/run-length.ts";

const ATOMS =
  "a b c . \\d \\w \\s \\S [ab] [^a] [a-c\\d] \\b \\B ^ $ é \\u0061 \\x62 \\n - _ 中 [中é] \\. \\/ \\t [\\]\\-] K ſ".split(
    " ",
  );
const UNICODE_ATOMS = [
  ...ATOMS.filter((atom) => atom !== "[\\]\\-]"),
  "\\u{1f600}",
  "😀",
  "\\p{L}",
  "\\P{L}",
  "[\\p{Lu}😀]",
  "\\ud83d\\ude00",
];
const COUNTS = ["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,2}?"];
const LETTERS = [..."aabbccABC019 _-\n.é中/", "😀", "\ud83d", "k", "K", "s"];

function createPatternSource(random: RandomSource, depth: number, unicode: boolean): string {
  const parts = Array.from({ length: 1 + random.int(3) }, () => {
    const body = createPatternPart(random, depth, unicode);
    const canRepeat = !/^(?:\\[bB]|[\^$]|\(\?[<!=](?![a-z]))/.test(body);
    return canRepeat && random.int(3) === 0 ? body + random.pick(COUNTS) : body;
  });
  return parts.join("");
}

function createPatternPart(random: RandomSource, depth: number, unicode: boolean): string {
  const kind = depth === 0 ? 9 : random.int(12);
  const inner = (): string => createPatternSource(random, depth - 1, unicode);
  if (kind === 0) return `(${inner()})`;
  if (kind === 1) return `(?:${inner()}|${inner()})`;
  if (kind === 2) return `(${inner()}|${inner()}|)`;
  if (kind === 3) return `(?${random.pick(["=", "!", "<=", "<!"])}${inner()})`;
  if (kind === 4) return `(?:${inner()})`;
  if (kind === 5) return `(a|b)${inner()}\\1`;
  return random.pick(unicode ? UNICODE_ATOMS : ATOMS);
}

function isValidPattern(source: string, flags: string): boolean {
  try {
    void new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/**
 * With the flag u, the engine also matches empty patterns between the halves of a surrogate pair, where the language
 * has no position.
 */
function canSplitPair(source: string, flags: string, text: string): boolean {
  if (!flags.includes("u") || !/\p{Emoji_Presentation}/u.test(text)) return false;
  return /\\[bB]|\(\?[<=!]/.test(source) || new RegExp(source, flags).test("");
}

function toPlainMatch(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const { index, input, groups } = value as RegExpExecArray;
  return { list: [...(value as unknown[])], index, input, groups: groups === undefined ? null : { ...groups } };
}

/** Returns the results of all operations, of the engine and of the sandbox. */
function runOperations(source: string, flags: string, text: string): readonly [unknown, unknown] {
  const native = new RegExp(source, flags);
  const sandboxed = new Pattern(source, flags);
  const rounds = 3;
  const nativeResults = { exec: [] as unknown[], test: native.test(text), lastIndex: native.lastIndex };
  const sandboxResults = { exec: [] as unknown[], test: sandboxed.test(text), lastIndex: sandboxed.lastIndex };
  for (let turn = 0; turn < rounds; turn += 1) {
    nativeResults.exec.push(toPlainMatch(native.exec(text)), native.lastIndex);
    sandboxResults.exec.push(toPlainMatch(executePattern(sandboxed, text)), sandboxed.lastIndex);
  }
  native.lastIndex = sandboxed.lastIndex = 0;
  const template = "[$&|$1|$`|$'|$$|$2]";
  return [
    {
      ...nativeResults,
      replace: text.replace(native, template),
      split: text.split(native),
      match: [...(text.match(native) ?? [])],
    },
    {
      ...sandboxResults,
      replace: replaceText(text, sandboxed, template, false),
      split: splitText(text, sandboxed, Infinity),
      match: [...((matchText(text, sandboxed) as unknown[] | null) ?? [])],
    },
  ];
}

function compareRandomPatterns(seed: number, turns: number, flagSets: readonly string[]): number {
  const random = createRandom(seed);
  let compared = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const flags = random.pick(flagSets);
    const source = createPatternSource(random, 2, flags.includes("u"));
    const text = Array.from({ length: random.int(9) }, () => random.pick(LETTERS)).join("");
    if (!isValidPattern(source, flags) || canSplitPair(source, flags, text)) continue;
    openBudget();
    const [expected, actual] = runOperations(source, flags, text);
    expect(actual, `/${source}/${flags} on ${JSON.stringify(text)}`).toEqual(expected);
    compared += 1;
  }
  closeBudget();
  return compared;
}

test.each(["", "g", "i", "m", "s", "gm", "y", "gy", "giu", "u", "gu", "ims"])(
  "random patterns with the flags '%s' match as in the engine",
  (flags) => {
    const turns = pickByLength(300, 20_000);
    expect(compareRandomPatterns(flags.length * 7919 + 17, turns, [flags])).toBeGreaterThan(0.4 * turns);
  },
);

test.each([
  [String.raw`(?<year>\d{4})-(?<month>\d\d)`, "g", "2026-11 and 2025-01"],
  [String.raw`\B(?=(\d{3})+(?!\d))`, "g", "1234567"],
  [String.raw`^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$`, "", "192.168.1.255"],
  [String.raw`(z)((a+)?(b+)?(c))*`, "", "zaacbbbcac"],
  [String.raw`(a*)*`, "", "b"],
  [String.raw`(?=(a+))a*b\1`, "", "baaabac"],
  [String.raw`(?<a>x)|(?<a>y)`, "", "y"],
  [String.raw`\k<q>(?<q>a)`, "", "aa"],
  [String.raw`[^]`, "", "\n"],
  [String.raw`a{,2}`, "", "a{,2}"],
  [String.raw`\07\1(a)`, "", "\x07a"],
  [String.raw`(?<=\$)\d+(?:\.\d*)?`, "g", "costs $42.50 or €7"],
  [String.raw`(?<=(\d+)(\d+))$`, "", "1053"],
  [String.raw`\cJ[\b]`, "", "\n\b"],
])("the pattern /%s/%s matches as in the engine", (source, flags, text) => {
  openBudget();
  const [expected, actual] = runOperations(source, flags, text);
  expect(actual).toEqual(expected);
});

test("an invalid pattern throws a SyntaxError", () => {
  openBudget();
  for (const source of ["(", "[b-a]", "a**", "\\u{110000}"])
    expect(() => new Pattern(source, "u")).toThrow(SyntaxError);
  expect(() => new Pattern("a", "gg")).toThrow(SyntaxError);
  expect(() => new Pattern("a", "v")).toThrow(/flag v/);
});
