// The expression parser against mathjs, which is the reference: both build the same tree, or both reject.

import fc from "fast-check";
import { create, parseDependencies, type FactoryFunctionMap, type MathNode } from "mathjs/number";
import { expect, test } from "vitest";
import { parseExpression, type Expression } from "../../src/agents/assistant/expression-parser.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { pickByLength } from "../support/run-length.ts";

const MATHJS_PARTS: FactoryFunctionMap = { ...parseDependencies };
const { parse } = create(MATHJS_PARTS);

test.each([
  ["-3^2", "-(3^2)"],
  ["2^3^2", "2^(3^2)"],
  ["2^-3^2", "2^(-(3^2))"],
  ["2^3!", "2^(3!)"],
  ["10 - 4 - 3", "(10 - 4) - 3"],
  ["12 / 3 * 2", "(12 / 3) * 2"],
  ["12 / 2 pi", "(12 / 2) pi"],
  ["12 / x y", "12 / (x y)"],
  ["2 x^2", "2 (x^2)"],
  ["10 % 3 * 2", "(10 % 3) * 2"],
  ["200 * 2 + 10%", "(200 * 2) + 10%"],
  ["100 + 10% + 5", "(100 + 10%) + 5"],
  ["100 - 10% - 10%", "(100 - 10%) - 10%"],
  ["10 mod -3", "10 mod (-3)"],
  ["0x1F + 0b11", "31 + 3"],
  ["pi\t(3)", "pi(3)"],
  ["(1 +\n2)\n", "(1 + 2)"],
  ["1 +\n\n 2", "1 + 2"],
])("%s is parsed as %s", (expression, clearer) => {
  expect(removeGroups(parseExpression(expression))).toEqual(removeGroups(parseExpression(clearer)));
});

test.each(["1 2", "2^3 4", "1\n2", "pi\n(2)", "1 +", "* 2", "(1", "1)", "f(1,)", "f(,1)", "5%%", "5%^2", "1..2", "."])(
  "%s is rejected as an expression",
  (expression) => {
    expect(parseOurs(expression)).toBe("refused");
    expect(parseWithMathjs(expression)).toBe("refused");
  },
);

const number = fc.constantFrom("0", "1", "2", "3", "10", "2.5", ".5", "1e3", "2.5e-3", "1e+2");
const variable = fc.constantFrom("pi", "e", "y", "tau", "_a1");
const space = fc.constantFrom("", " ", " ", "\t");

const { sum } = fc.letrec<Record<"sum" | "operand" | "factor", string>>((tie) => ({
  sum: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    tie("operand"),
    fc
      .tuple(
        tie("sum"),
        space,
        fc.constantFrom("+", "-", "*", "/", "%", " mod ", "^", "", "\n+"),
        space,
        tie("operand"),
      )
      .map((pieces) => pieces.join("")),
  ),
  operand: fc
    .tuple(
      fc.constantFrom("", "", "", "-", "+", "--"),
      tie("factor"),
      fc.constantFrom("", "", "", "!", "%", " %", "!!"),
    )
    .map((pieces) => pieces.join("")),
  factor: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    number,
    variable,
    tie("sum").map((inner) => `(${inner})`),
    fc
      .tuple(fc.constantFrom("sqrt", "max", "round", "mod"), space, fc.array(tie("sum"), { maxLength: 3 }))
      .map(([functionName, gap, args]) => `${functionName}${gap}(${args.join(", ")})`),
  ),
}));

// No percent sign: mathjs ignores the rest if the text after it is malformed, so `5% + * 2` becomes 5% * 2.
const token = fc.oneof(number, variable, fc.constantFrom(..."+-*/^!(),".split(""), "mod", "sqrt(", "\n", "\n(", ")("));
const tokenSequence = fc
  .array(fc.tuple(token, space), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.flat().join(""));

const RUNS = pickByLength(1_000, 50_000);

test("parseExpression builds the tree of mathjs for well-formed expressions", () => {
  let parsedCount = 0;
  const compared = fc.property(sum, (expression) => {
    fc.pre(!isKnownDifference(expression));
    const tree = parseOurs(expression);
    if (tree !== "refused") parsedCount += 1;
    expect(tree).toEqual(parseWithMathjs(expression));
  });
  fc.assert(compared, { numRuns: RUNS });
  expect(parsedCount).toBeGreaterThan(RUNS / 2);
});

test("parseExpression agrees with mathjs on random sequences of tokens", () => {
  const compared = fc.property(tokenSequence, (expression) => {
    fc.pre(!isKnownDifference(expression) && expression.trim() !== "");
    expect(parseOurs(expression)).toEqual(parseWithMathjs(expression));
  });
  fc.assert(compared, { numRuns: RUNS });
});

/**
 * Known differences: mathjs rejects `2e+y` since it expects an exponent, and reads `10% + 5` as a remainder, where
 * people mean 5.1.
 */
function isKnownDifference(text: string): boolean {
  return /%\s*[-+]|\de(\.|[-+](?!\d))|mod\s*\n/.test(text);
}

function parseOurs(expression: string): Expression | "refused" {
  try {
    return parseExpression(expression);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    return "refused";
  }
}

function parseWithMathjs(expression: string): Expression | "refused" {
  try {
    return fromMathjs(parse(expression.trim()));
  } catch {
    return "refused";
  }
}

type MathjsNode = MathNode & {
  readonly name: string;
  readonly value: unknown;
  readonly content: MathNode;
  readonly fn: string & { readonly name: string };
  readonly args: readonly MathNode[];
  readonly isPercentage?: boolean;
};

function fromMathjs(node: MathNode): Expression {
  const { type, name: symbol, value, content, fn, args, isPercentage } = node as MathjsNode;
  switch (type) {
    case "ConstantNode":
      if (typeof value !== "number") throw new Error("no number");
      return { type: "number", value };
    case "SymbolNode":
      return { type: "constant", name: symbol };
    case "ParenthesisNode":
      return { type: "group", inner: fromMathjs(content) };
    case "OperatorNode":
      if (isPercentage === true) return { type: "operator", name: "percent", args: args.slice(0, 1).map(fromMathjs) };
      return { type: "operator", name: fn, args: args.map(fromMathjs) };
    case "FunctionNode":
      return { type: "function", name: fn.name, args: args.map(fromMathjs) };
    default:
      throw new Error(`no arithmetic: ${type}`);
  }
}

/** Returns the tree without its parentheses. */
function removeGroups(expression: Expression): unknown {
  if (expression.type === "group") return removeGroups(expression.inner);
  return "args" in expression ? { ...expression, args: expression.args.map(removeGroups) } : expression;
}
