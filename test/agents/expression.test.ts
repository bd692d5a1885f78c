// The reader of expressions against mathjs, which settled what they mean: the same tree, or both refuse.

import fc from "fast-check";
import { create, parseDependencies, type FactoryFunctionMap, type MathNode } from "mathjs/number";
import { expect, test } from "vitest";
import { parseExpression, type Expression } from "../../src/agents/assistant/expression-parser.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";

const parts: FactoryFunctionMap = { ...parseDependencies };
const { parse } = create(parts);

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
])("%s is %s", (expression, clearer) => {
  expect(bare(parseExpression(expression))).toEqual(bare(parseExpression(clearer)));
});

test.each(["1 2", "2^3 4", "1\n2", "pi\n(2)", "1 +", "* 2", "(1", "1)", "f(1,)", "f(,1)", "5%%", "5%^2", "1..2", "."])(
  "%s is no expression",
  (expression) => {
    expect(ours(expression)).toBe("refused");
    expect(theirs(expression)).toBe("refused");
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
      .map((written) => written.join("")),
  ),
  operand: fc
    .tuple(
      fc.constantFrom("", "", "", "-", "+", "--"),
      tie("factor"),
      fc.constantFrom("", "", "", "!", "%", " %", "!!"),
    )
    .map((written) => written.join("")),
  factor: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    number,
    variable,
    tie("sum").map((inner) => `(${inner})`),
    fc
      .tuple(fc.constantFrom("sqrt", "max", "round", "mod"), space, fc.array(tie("sum"), { maxLength: 3 }))
      .map(([called, gap, args]) => `${called}${gap}(${args.join(", ")})`),
  ),
}));

// No percent sign: mathjs forgets what follows it if that is malformed, so that to it `5% + * 2` is 5% * 2.
const token = fc.oneof(number, variable, fc.constantFrom(..."+-*/^!(),".split(""), "mod", "sqrt(", "\n", "\n(", ")("));
const tokens = fc
  .array(fc.tuple(token, space), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.flat().join(""));

test("well-formed expressions are read as mathjs reads them", () => {
  let read = 0;
  const compared = fc.property(sum, (expression) => {
    fc.pre(!isMoot(expression));
    const tree = ours(expression);
    if (tree !== "refused") read += 1;
    expect(tree).toEqual(theirs(expression));
  });
  fc.assert(compared, { numRuns: 5000 });
  expect(read).toBeGreaterThan(2500);
});

test("so is whatever else can be put together from their parts", () => {
  const compared = fc.property(tokens, (expression) => {
    fc.pre(!isMoot(expression) && expression.trim() !== "");
    expect(ours(expression)).toEqual(theirs(expression));
  });
  fc.assert(compared, { numRuns: 5000 });
});

/** `2e+y` is refused by mathjs, which waits for an exponent; `10% + 5` is to it the remainder by 5, to people 5.1. */
function isMoot(written: string): boolean {
  return /%\s*[-+]|\de(\.|[-+](?!\d))|mod\s*\n/.test(written);
}

function ours(expression: string): Expression | "refused" {
  try {
    return parseExpression(expression);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    return "refused";
  }
}

function theirs(expression: string): Expression | "refused" {
  try {
    return translated(parse(expression.trim()));
  } catch {
    return "refused";
  }
}

type Known = MathNode & {
  readonly name: string;
  readonly value: unknown;
  readonly content: MathNode;
  readonly fn: string & { readonly name: string };
  readonly args: readonly MathNode[];
  readonly isPercentage?: boolean;
};

function translated(node: MathNode): Expression {
  const { type, name: symbol, value, content, fn, args, isPercentage } = node as Known;
  switch (type) {
    case "ConstantNode":
      if (typeof value !== "number") throw new Error("no number");
      return { type: "number", value };
    case "SymbolNode":
      return { type: "constant", name: symbol };
    case "ParenthesisNode":
      return { type: "group", inner: translated(content) };
    case "OperatorNode":
      if (isPercentage === true) return { type: "operator", name: "percent", args: args.slice(0, 1).map(translated) };
      return { type: "operator", name: fn, args: args.map(translated) };
    case "FunctionNode":
      return { type: "function", name: fn.name, args: args.map(translated) };
    default:
      throw new Error(`no arithmetic: ${type}`);
  }
}

/** Without the parentheses, which the tree keeps. */
function bare(expression: Expression): unknown {
  if (expression.type === "group") return bare(expression.inner);
  return "args" in expression ? { ...expression, args: expression.args.map(bare) } : expression;
}
