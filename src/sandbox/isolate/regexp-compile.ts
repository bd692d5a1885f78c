// Compiles the tree of a regular expression to the steps of a backtracking matcher.

import { abortCall, spend } from "./step-budget.ts";
import { type PatternTree } from "./regexp-parse.ts";

/** One step of the matcher. `back` means that it moves to the left, in a lookbehind. */
export type PatternStep =
  | { readonly op: "one"; readonly test: (code: number) => boolean; readonly back: boolean }
  // Continues at `first`; after a failure there, at `second`.
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  // Clears the groups `from` to `to`.
  | { readonly op: "clear"; readonly from: number; readonly to: number }
  // Stores the position where an iteration begins.
  | { readonly op: "mark"; readonly slot: number }
  // Fails if the iteration has matched the empty text.
  | { readonly op: "moved"; readonly slot: number }
  | { readonly op: "look"; readonly negative: boolean; end: number }
  | { readonly op: "at"; readonly where: "start" | "end" | "word" | "inside" }
  | { readonly op: "back"; readonly groups: readonly number[]; readonly back: boolean }
  | { readonly op: "done" };

/** A compiled pattern. */
export type CompiledPattern = {
  readonly steps: readonly PatternStep[];
  /** The number of slots: two per group and for the complete match, then one per mark. */
  readonly slots: number;
};

/** The maximum number of steps of a pattern. */
const MAX_PATTERN_STEPS = 20_000;

const nativeTest = RegExp.prototype.test;
const NativeRegExp = RegExp;
const NativeBytes = Uint8Array;
const { apply } = Reflect;
const { fromCodePoint } = String;

/** Compiles a tree with `groups` groups. Ends the call if the pattern is too large. The time is paid per step. */
export function compilePattern(tree: PatternTree, groups: number, flags: string): CompiledPattern {
  const steps: PatternStep[] = [];
  const tests = new Map<string, (code: number) => boolean>();
  const foldsCase = flags.includes("i");
  let slots = 2 * (groups + 1);

  function add(step: PatternStep): void {
    spend(64);
    if (steps.length >= MAX_PATTERN_STEPS) abortCall("It makes a pattern that is too large");
    steps[steps.length] = step;
  }

  /** Returns the test of one character, shared by equal tests of the pattern. */
  function getTest(source: string, code: number): (code: number) => boolean {
    if (source === "" && !foldsCase) return (given) => given === code;
    const pattern = source === "" ? escapeCharacter(code) : source;
    const known = tests.get(pattern);
    if (known !== undefined) return known;
    spend(flags.includes("u") ? 20_000 : 2_000);
    const made = createCharacterTest(pattern, flags);
    tests.set(pattern, made);
    return made;
  }

  function emit(node: PatternTree, back: boolean): void {
    switch (node.kind) {
      case "empty":
        return;
      case "one":
        return add({ op: "one", test: getTest(node.source, node.code), back });
      case "all":
        for (let at = 0; at < node.parts.length; at += 1)
          emit(node.parts[back ? node.parts.length - 1 - at : at] as PatternTree, back);
        return;
      case "any":
        return emitAlternatives(node.parts, back);
      case "group":
        add({ op: "save", slot: 2 * node.index + (back ? 1 : 0) });
        emit(node.body, back);
        return add({ op: "save", slot: 2 * node.index + (back ? 0 : 1) });
      case "look":
        return emitLookaround(node.body, node.behind, node.negative);
      case "at":
        return add({ op: "at", where: node.where });
      case "back":
        return add({ op: "back", groups: node.groups, back });
      case "repeat":
        return emitRepeat(node, back);
    }
  }

  function emitAlternatives(parts: readonly PatternTree[], back: boolean): void {
    const jumps: { to: number }[] = [];
    for (let at = 0; at < parts.length; at += 1) {
      if (at === parts.length - 1) {
        emit(parts[at] as PatternTree, back);
        break;
      }
      const split = { op: "split" as const, first: steps.length + 1, second: 0 };
      add(split);
      emit(parts[at] as PatternTree, back);
      const jump = { op: "jump" as const, to: 0 };
      add(jump);
      jumps[jumps.length] = jump;
      split.second = steps.length;
    }
    for (const jump of jumps) jump.to = steps.length;
  }

  function emitLookaround(body: PatternTree, behind: boolean, negative: boolean): void {
    const step = { op: "look" as const, negative, end: 0 };
    add(step);
    emit(body, behind);
    add({ op: "done" });
    step.end = steps.length;
  }

  function emitRepeat(node: Extract<PatternTree, { kind: "repeat" }>, back: boolean): void {
    const emitBody = (): void => {
      if (node.to >= node.from) add({ op: "clear", from: node.from, to: node.to });
      emit(node.body, back);
    };
    for (let emitTurn = 0; emitTurn < node.min; emitTurn += 1) {
      const before = steps.length;
      spend(8);
      emitBody();
      // Repeating the empty pattern has no effect. Without this exit, iterations without steps would be free.
      if (steps.length === before) break;
    }
    if (node.max === Infinity) emitUnbounded(node.greedy, emitBody);
    else emitOptional(node.max - node.min, node.greedy, emitBody);
  }

  /** Emits an iteration that must match something. */
  function emitTurn(emitBody: () => void): void {
    const slot = slots;
    slots += 1;
    add({ op: "mark", slot });
    emitBody();
    add({ op: "moved", slot });
  }

  /** Emits a branch whose targets are set by the caller. */
  function addSplit(greedy: boolean): { op: "split"; first: number; second: number } {
    const split = { op: "split" as const, first: steps.length + 1, second: steps.length + 1 };
    add(split);
    return greedy ? split : split;
  }

  function emitUnbounded(greedy: boolean, emitBody: () => void): void {
    const start = steps.length;
    const split = addSplit(greedy);
    emitTurn(emitBody);
    add({ op: "jump", to: start });
    if (greedy) split.second = steps.length;
    else split.first = steps.length;
  }

  function emitOptional(times: number, greedy: boolean, emitBody: () => void): void {
    const splits: { first: number; second: number }[] = [];
    for (let at = 0; at < times; at += 1) {
      splits[splits.length] = addSplit(greedy);
      emitTurn(emitBody);
    }
    for (const split of splits) {
      if (greedy) split.second = steps.length;
      else split.first = steps.length;
    }
  }

  add({ op: "save", slot: 0 });
  emit(tree, false);
  add({ op: "save", slot: 1 });
  add({ op: "done" });
  return { steps, slots };
}

/** Returns the source of a pattern for one character. */
function escapeCharacter(code: number): string {
  const character = fromCodePoint(code);
  return "^$\\.*+?()[]{}|/".includes(character) ? `\\${character}` : character;
}

/** Returns a test that asks the engine about one character at a time. Answers for Latin-1 are cached. */
function createCharacterTest(source: string, flags: string): (code: number) => boolean {
  const keptFlags =
    (flags.includes("i") ? "i" : "") + (flags.includes("s") ? "s" : "") + (flags.includes("u") ? "u" : "");
  const pattern = new NativeRegExp(`^(?:${source})$`, keptFlags);
  const low = new NativeBytes(256);
  const ask = (code: number): boolean => apply(nativeTest, pattern, [fromCodePoint(code)]);
  return (code) => {
    if (code >= 256) return (spend(100), ask(code));
    const known = low[code] as number;
    if (known !== 0) return known === 1;
    const is = ask(code);
    low[code] = is ? 1 : 2;
    return is;
  };
}
