// The sandbox's own matcher against the engine's: whatever pattern and text, the same comes out.

import { expect, test } from "vitest";
import { closeBudget, openBudget } from "../../../src/sandbox/isolate/step-budget.ts";
import { Pattern, executePattern } from "../../../src/sandbox/isolate/regexp.ts";
import { matchText, replaceText, splitText } from "../../../src/sandbox/isolate/string-replace.ts";
import { random, type Random } from "./random.ts";

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

function pattern(from: Random, depth: number, unicode: boolean): string {
  const parts = Array.from({ length: 1 + from.int(3) }, () => {
    const body = part(from, depth, unicode);
    const canRepeat = !/^(?:\\[bB]|[\^$]|\(\?[<!=](?![a-z]))/.test(body);
    return canRepeat && from.int(3) === 0 ? body + from.pick(COUNTS) : body;
  });
  return parts.join("");
}

function part(from: Random, depth: number, unicode: boolean): string {
  const kind = depth === 0 ? 9 : from.int(12);
  const inner = (): string => pattern(from, depth - 1, unicode);
  if (kind === 0) return `(${inner()})`;
  if (kind === 1) return `(?:${inner()}|${inner()})`;
  if (kind === 2) return `(${inner()}|${inner()}|)`;
  if (kind === 3) return `(?${from.pick(["=", "!", "<=", "<!"])}${inner()})`;
  if (kind === 4) return `(?:${inner()})`;
  if (kind === 5) return `(a|b)${inner()}\\1`;
  return from.pick(unicode ? UNICODE_ATOMS : ATOMS);
}

function isPattern(source: string, flags: string): boolean {
  try {
    void new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/**
 * With the flag u the engine also lets patterns that take nothing match between the halves of a pair, where the
 * language has no position.
 */
function isSplitPair(source: string, flags: string, text: string): boolean {
  if (!flags.includes("u") || !/\p{Emoji_Presentation}/u.test(text)) return false;
  return /\\[bB]|\(\?[<=!]/.test(source) || new RegExp(source, flags).test("");
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const { index, input, groups } = value as RegExpExecArray;
  return { list: [...(value as unknown[])], index, input, groups: groups === undefined ? null : { ...groups } };
}

/** All that can be asked of a pattern, natively and here. */
function asked(source: string, flags: string, text: string): readonly [unknown, unknown] {
  const native = new RegExp(source, flags);
  const ours = new Pattern(source, flags);
  const most = 3;
  const theirs = { exec: [] as unknown[], test: native.test(text), lastIndex: native.lastIndex };
  const own = { exec: [] as unknown[], test: ours.test(text), lastIndex: ours.lastIndex };
  for (let turn = 0; turn < most; turn += 1) {
    theirs.exec.push(plain(native.exec(text)), native.lastIndex);
    own.exec.push(plain(executePattern(ours, text)), ours.lastIndex);
  }
  native.lastIndex = ours.lastIndex = 0;
  const put = "[$&|$1|$`|$'|$$|$2]";
  return [
    {
      ...theirs,
      replace: text.replace(native, put),
      split: text.split(native),
      match: [...(text.match(native) ?? [])],
    },
    {
      ...own,
      replace: replaceText(text, ours, put, false),
      split: splitText(text, ours, Infinity),
      match: [...((matchText(text, ours) as unknown[] | null) ?? [])],
    },
  ];
}

function compare(seed: number, turns: number, flagSets: readonly string[]): number {
  const from = random(seed);
  let compared = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const flags = from.pick(flagSets);
    const source = pattern(from, 2, flags.includes("u"));
    const text = Array.from({ length: from.int(9) }, () => from.pick(LETTERS)).join("");
    if (!isPattern(source, flags) || isSplitPair(source, flags, text)) continue;
    openBudget();
    const [theirs, own] = asked(source, flags, text);
    expect(own, `/${source}/${flags} on ${JSON.stringify(text)}`).toEqual(theirs);
    compared += 1;
  }
  closeBudget();
  return compared;
}

test.each(["", "g", "i", "m", "s", "gm", "y", "gy", "giu", "u", "gu", "ims"])(
  "thousands of patterns with the flags '%s'",
  (flags) => {
    expect(compare(flags.length * 7919 + 17, 1_500, [flags])).toBeGreaterThan(700);
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
])("/%s/%s", (source, flags, text) => {
  openBudget();
  const [theirs, own] = asked(source, flags, text);
  expect(own).toEqual(theirs);
});

test("what cannot be read is a SyntaxError, as everywhere", () => {
  openBudget();
  for (const source of ["(", "[b-a]", "a**", "\\u{110000}"])
    expect(() => new Pattern(source, "u")).toThrow(SyntaxError);
  expect(() => new Pattern("a", "gg")).toThrow(SyntaxError);
  expect(() => new Pattern("a", "v")).toThrow(/flag v/);
});
