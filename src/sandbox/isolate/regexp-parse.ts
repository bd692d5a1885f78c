// Parses a regular expression to a tree. The source must be valid: the engine's own parser has checked it before.

/** A node of the tree. */
export type PatternTree =
  | { readonly kind: "empty" }
  // One character, by its code or by the source of a pattern for it.
  | { readonly kind: "one"; readonly source: string; readonly code: number }
  | { readonly kind: "all"; readonly parts: readonly PatternTree[] }
  | { readonly kind: "any"; readonly parts: readonly PatternTree[] }
  | { readonly kind: "group"; readonly index: number; readonly body: PatternTree }
  | {
      readonly kind: "repeat";
      readonly body: PatternTree;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
      /** The groups within the body. Each iteration begins with these groups cleared. */
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: PatternTree }
  | { readonly kind: "at"; readonly where: "start" | "end" | "word" | "inside" }
  | { readonly kind: "back"; readonly groups: readonly number[] };

/** A parsed pattern. */
export type ParsedPattern = {
  readonly tree: PatternTree;
  readonly groups: number;
  /** The named groups and their numbers. */
  readonly names: readonly (readonly [string, number])[];
};

const GROUP_START = /^\((?:\?<([^=!>][^>]*)>)?(?!\?)/;
const UNICODE_ESCAPE = /^\\u(?:[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\{[\da-fA-F]+\}|[\da-fA-F]{4})/;
const ESCAPE = /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[pP]\{[^}]*\}|[\s\S])/;
const SIMPLE_ESCAPE = /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])/;
const QUANTIFIER = /^\{(\d+)(,?)(\d*)\}/;
const nativeExec = RegExp.prototype.exec;
const { apply } = Reflect;
const { slice, codePointAt } = String.prototype;

/** Matches an anchored pattern with the saved native method. */
function execAtStart(pattern: RegExp, source: string): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return apply(nativeExec, pattern, [source]);
}

/** Parses a pattern. Throws a `SyntaxError` for groups that change flags. */
export function parsePattern(source: string, unicode: boolean): ParsedPattern {
  const names: (readonly [string, number])[] = [];
  const total = countGroups(source, names);
  let at = 0;
  let opened = 0;

  function parseAlternatives(): PatternTree {
    const parts: PatternTree[] = [parseSequence()];
    while (source[at] === "|") {
      at += 1;
      parts[parts.length] = parseSequence();
    }
    return parts.length === 1 ? (parts[0] as PatternTree) : { kind: "any", parts };
  }

  function parseSequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const from = opened;
      parts[parts.length] = parseQuantifier(parseTerm(), from);
    }
    return parts.length === 0
      ? { kind: "empty" }
      : parts.length === 1
        ? (parts[0] as PatternTree)
        : { kind: "all", parts };
  }

  function parseQuantifier(body: PatternTree, from: number): PatternTree {
    const sign = source[at];
    let min = 0;
    let max = Infinity;
    if (sign === "+") min = 1;
    else if (sign === "?") max = 1;
    else if (sign === "{") {
      const found = execAtStart(QUANTIFIER, getRest());
      if (found === null) return body;
      min = Number(found[1]);
      max = found[2] === "" ? min : found[3] === "" ? Infinity : Number(found[3]);
      at += found[0].length - 1;
    } else if (sign !== "*") return body;
    at += 1;
    const greedy = source[at] !== "?";
    if (!greedy) at += 1;
    return { kind: "repeat", body, min, max, greedy, from: from + 1, to: opened };
  }

  function parseTerm(): PatternTree {
    const sign = source[at];
    if (sign === "(") return parseGroup();
    if (sign === "[") return parseClass();
    if (sign === "\\") return parseEscape();
    if (sign === "^" || sign === "$") {
      at += 1;
      return { kind: "at", where: sign === "^" ? "start" : "end" };
    }
    if (sign === ".") {
      at += 1;
      return { kind: "one", source: ".", code: -1 };
    }
    const code = unicode ? (apply(codePointAt, source, [at]) as number) : source.charCodeAt(at);
    at += code > 0xffff ? 2 : 1;
    return createLiteral(code);
  }

  function parseGroup(): PatternTree {
    const look = execAtStart(/^\(\?(<?)([=!])/, getRest());
    let tree: PatternTree;
    if (look !== null) {
      at += look[0].length;
      tree = { kind: "look", behind: look[1] === "<", negative: look[2] === "!", body: parseAlternatives() };
    } else if (execAtStart(/^\(\?:/, getRest()) !== null) {
      at += 3;
      tree = parseAlternatives();
    } else {
      const start = execAtStart(GROUP_START, getRest());
      if (start === null) throw new SyntaxError("A pattern cannot change its flags on the way here");
      at += start[0].length;
      opened += 1;
      const index = opened;
      tree = { kind: "group", index, body: parseAlternatives() };
    }
    at += 1;
    return tree;
  }

  function parseClass(): PatternTree {
    const start = at;
    at += 1;
    while (source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
    at += 1;
    return { kind: "one", source: apply(slice, source, [start, at]), code: -1 };
  }

  function parseEscape(): PatternTree {
    const next = source[at + 1] as string;
    if (next === "b" || next === "B") {
      at += 2;
      return { kind: "at", where: next === "b" ? "word" : "inside" };
    }
    if (next === "k" && (names.length > 0 || unicode)) {
      const found = execAtStart(/^\\k<([^>]*)>/, getRest()) as RegExpExecArray;
      at += found[0].length;
      const groups: number[] = [];
      for (const [name, index] of names) if (name === found[1]) groups[groups.length] = index;
      return { kind: "back", groups };
    }
    const back = execAtStart(/^\\([1-9]\d*)/, getRest());
    if (back !== null && (unicode || Number(back[1]) <= total)) {
      at += back[0].length;
      return { kind: "back", groups: [Number(back[1])] };
    }
    const found =
      (unicode ? execAtStart(UNICODE_ESCAPE, getRest()) : null) ??
      (execAtStart(unicode ? ESCAPE : SIMPLE_ESCAPE, getRest()) as RegExpExecArray);
    at += found[0].length;
    return { kind: "one", source: found[0], code: -1 };
  }

  function getRest(): string {
    return apply(slice, source, [at]);
  }

  return { tree: parseAlternatives(), groups: total, names };
}

function createLiteral(code: number): PatternTree {
  return { kind: "one", source: "", code };
}

/** Counts the groups in advance and collects their names: a reference may precede its group. */
function countGroups(source: string, names: (readonly [string, number])[]): number {
  let total = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === "\\") at += 1;
    else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === "(") {
      const start = execAtStart(GROUP_START, apply(slice, source, [at]));
      if (start === null) continue;
      total += 1;
      if (start[1] !== undefined) names[names.length] = [start[1], total];
    }
  }
  return total;
}
