// Runs a compiled regular expression. It implements the backtracking of ECMA-262 (section 22.2.2) with a payment per
// step, so a pattern with exponential time ends the call.
//
// State of one run: the slots, the position, and a stack of choices and overwritten slots. A failed step restores the
// state of the latest choice. Lookarounds run recursively on a copy of the slots.

import { spend } from "./step-budget.ts";
import { type CompiledPattern, type PatternStep } from "./regexp-compile.ts";

/** A pattern with its input and flags. */
export type MatchInput = {
  readonly compiled: CompiledPattern;
  readonly input: string;
  readonly multiline: boolean;
  readonly unicode: boolean;
  readonly foldsCase: boolean;
};

/** The slots of a match: start and end of the complete match and of each group, -1 for groups without a match. */
export type MatchSlots = readonly number[];

const { charCodeAt, codePointAt, slice } = String.prototype;
const { fromCodePoint } = String;
const nativeTest = RegExp.prototype.test;
const { apply } = Reflect;

/** Returns the match that begins at `start`; null if there is none. */
export function matchAt(scan: MatchInput, start: number): MatchSlots | null {
  const slots: number[] = [];
  for (let at = 0; at < scan.compiled.slots; at += 1) slots[at] = -1;
  spend(16 + slots.length * 8);
  return runSteps(scan, 0, start, slots) ? slots : null;
}

/** Runs from step `first` to a `done` step. The slots are valid only after success. */
function runSteps(scan: MatchInput, first: number, start: number, slots: number[]): boolean {
  const { steps } = scan.compiled;
  // Pairs, latest last: a choice (step, position), or an overwritten slot (-1 - slot, value).
  const choices: number[] = [];
  let top = 0;
  let pc = first;
  let at = start;

  const setSlot = (slot: number, value: number): void => {
    spend(16);
    choices[top] = -1 - slot;
    choices[top + 1] = slots[slot] as number;
    top += 2;
    slots[slot] = value;
  };
  const backtrack = (): boolean => {
    while (top > 0) {
      top -= 2;
      const where = choices[top] as number;
      const value = choices[top + 1] as number;
      if (where >= 0) {
        pc = where;
        at = value;
        return true;
      }
      slots[-1 - where] = value;
    }
    return false;
  };

  for (;;) {
    spend(3);
    const step = steps[pc] as PatternStep;
    let matches = true;
    switch (step.op) {
      case "one": {
        const next = matchCharacter(scan, at, step);
        matches = next >= 0;
        at = next;
        break;
      }
      case "split":
        spend(16);
        choices[top] = step.second;
        choices[top + 1] = at;
        top += 2;
        pc = step.first;
        continue;
      case "jump":
        pc = step.to;
        continue;
      case "save":
      case "mark":
        setSlot(step.slot, at);
        break;
      case "moved":
        matches = slots[step.slot] !== at;
        break;
      case "clear":
        for (let slot = 2 * step.from; slot <= 2 * step.to + 1; slot += 1) if (slots[slot] !== -1) setSlot(slot, -1);
        break;
      case "at":
        matches = matchesAssertion(scan, step.where, at);
        break;
      case "back": {
        const next = matchBackReference(scan, step.groups, step.back, at, slots);
        matches = next >= 0;
        at = next;
        break;
      }
      case "look": {
        const inner = copySlots(slots);
        const found = runSteps(scan, pc + 1, at, inner);
        matches = found !== step.negative;
        if (matches && found)
          for (let slot = 0; slot < slots.length; slot += 1)
            if (slots[slot] !== inner[slot]) setSlot(slot, inner[slot] as number);
        if (matches) {
          pc = step.end;
          continue;
        }
        break;
      }
      case "done":
        return true;
    }
    if (matches) pc += 1;
    else if (!backtrack()) return false;
  }
}

/** Copies the slots. */
function copySlots(slots: readonly number[]): number[] {
  spend(16 + slots.length * 8);
  const copy: number[] = [];
  for (let at = 0; at < slots.length; at += 1) copy[at] = slots[at] as number;
  return copy;
}

/** Returns the position after one matching character; -1 if it does not match. */
function matchCharacter(
  { input, unicode }: MatchInput,
  at: number,
  { test, back }: Extract<PatternStep, { op: "one" }>,
): number {
  if (!back) {
    if (at >= input.length) return -1;
    const code = getCode(input, at, unicode);
    return test(code) ? at + (code > 0xffff ? 2 : 1) : -1;
  }
  if (at <= 0) return -1;
  const isPair = unicode && at >= 2 && getCode(input, at - 2, true) > 0xffff;
  const before = isPair ? at - 2 : at - 1;
  return test(getCode(input, before, unicode)) ? before : -1;
}

function getCode(input: string, at: number, unicode: boolean): number {
  return (unicode ? apply(codePointAt, input, [at]) : apply(charCodeAt, input, [at])) as number;
}

/** True if the assertion holds at the position. */
function matchesAssertion(
  { input, multiline, foldsCase, unicode }: MatchInput,
  where: "start" | "end" | "word" | "inside",
  at: number,
): boolean {
  if (where === "start") return at === 0 || (multiline && isLineEnd(apply(charCodeAt, input, [at - 1])));
  if (where === "end") return at === input.length || (multiline && isLineEnd(apply(charCodeAt, input, [at])));
  const folds = foldsCase && unicode;
  const border = isWordCharacter(input, at - 1, folds) !== isWordCharacter(input, at, folds);
  return border === (where === "word");
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

/** True for word characters. With case folding, two further characters count (ECMA-262, WordCharacters). */
function isWordCharacter(input: string, at: number, folds: boolean): boolean {
  if (at < 0 || at >= input.length) return false;
  const code = apply(charCodeAt, input, [at]);
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    (code >= 97 && code <= 122) ||
    (folds && (code === 0x17f || code === 0x212a))
  );
}

/**
 * Returns the position after the text of a group; -1 if it does not follow. A group without a match matches the empty
 * text.
 */
function matchBackReference(
  scan: MatchInput,
  groups: readonly number[],
  back: boolean,
  at: number,
  slots: readonly number[],
): number {
  for (const group of groups) {
    const from = slots[2 * group] as number;
    const to = slots[2 * group + 1] as number;
    if (from < 0 || to < 0) continue;
    const length = to - from;
    const start = back ? at - length : at;
    if (start < 0 || start + length > scan.input.length) return -1;
    spend(32 + length * 2);
    if (!equalsText(scan, apply(slice, scan.input, [from, to]), apply(slice, scan.input, [start, start + length])))
      return -1;
    return back ? start : start + length;
  }
  return at;
}

/** Compares texts of equal length, with case folding if the pattern requires it. */
function equalsText({ foldsCase, unicode }: MatchInput, held: string, here: string): boolean {
  if (!foldsCase || held === here) return held === here;
  for (let at = 0; at < held.length; at += 1) {
    const one = getCode(held, at, unicode);
    const other = getCode(here, at, unicode);
    if (one > 0xffff) at += 1;
    if (one === other) continue;
    spend(100);
    if (!apply(nativeTest, unicode ? PAIR_OF_POINTS : PAIR_OF_UNITS, [fromCodePoint(one, other)])) return false;
  }
  return true;
}

// The engine decides whether two characters are equal in case folding.
const PAIR_OF_UNITS = /^([^])\1$/i;
const PAIR_OF_POINTS = /^([^])\1$/iu;
