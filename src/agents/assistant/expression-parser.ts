// A parser for arithmetic in mathematical notation, by recursive descent, with one method per level of precedence:
// sums, products, juxtaposition, fractions, percentages, signs, powers with factorials.

import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";

/**
 * The syntax tree. Operators have names, as functions do: `add`, `subtract`, `multiply`, `divide`, `mod`, `pow`, …
 */
export type Expression =
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "constant"; readonly name: string }
  | { readonly type: "group"; readonly inner: Expression }
  | { readonly type: "operator" | "function"; readonly name: string; readonly args: readonly Expression[] };

/**
 * Parses an expression. Names of functions and constants are not checked. The recursion is as deep as the nesting of
 * the text, so the caller must limit its length. Throws a `Fault` (`unprocessable`) if the text is not arithmetic.
 */
export function parseExpression(text: string): Expression {
  return new ExpressionParser(tokenize(text)).parseAll();
}

const SUMS = new Map([
  ["+", "add"],
  ["-", "subtract"],
]);
const PRODUCTS = new Map([
  ["*", "multiply"],
  ["/", "divide"],
  ["%", "mod"],
  ["mod", "mod"],
]);
const SIGNS = new Map([
  ["+", "unaryPlus"],
  ["-", "unaryMinus"],
]);

const NUMBER = /^\.?\d/;
const NAME = /^[\p{L}_$]/u;
const TOKENS = /0[xob][\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[\p{L}_$][\p{L}\d_$]*|\n\s*|\S/giu;

/** Splits the text into tokens. A line break ends the expression, except within parentheses and after an operator. */
function tokenize(text: string): string[] {
  let depth = 0;
  return (text.trim().match(TOKENS) ?? []).filter((token, at, all) => {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    return !token.startsWith("\n") || (depth === 0 && !/^([-+*/%^]|mod)$/.test(all[at - 1] ?? ""));
  });
}

/** Reads tokens from left to right. `position` is the index of the next token; each method consumes what it returns. */
class ExpressionParser {
  private position = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  parseAll(): Expression {
    const all = this.parseSum();
    if (this.position < this.tokens.length) throw createUnreadableFault();
    return all;
  }

  /** A percentage that is added or subtracted is a share of everything before it: 200 + 10% is 220. */
  private parseSum(): Expression {
    let left = this.parseProduct();
    for (let name = this.takeOperator(SUMS); name !== undefined; name = this.takeOperator(SUMS)) {
      const right = this.parseProduct();
      const isShare = right.type === "operator" && right.name === "percent";
      left = createOperator(name, left, isShare ? createOperator("multiply", left, right) : right);
    }
    return left;
  }

  private parseProduct(): Expression {
    let left = this.parseJuxtaposition();
    for (let name = this.takeOperator(PRODUCTS); name !== undefined; name = this.takeOperator(PRODUCTS))
      left = createOperator(name, left, this.parseJuxtaposition());
    return left;
  }

  /**
   * Numbers side by side are multiplied: `2 pi`, `3(4 + 5)`, `(1 + 2)3`. A number after a number, a power or a sign
   * is an error.
   */
  private parseJuxtaposition(): Expression {
    let left = this.parseFraction();
    for (let last = left; this.isFactorStart() || (NUMBER.test(this.peek()) && isFactorEnd(last));) {
      last = this.parseFraction();
      left = createOperator("multiply", left, last);
    }
    return left;
  }

  /** `1/2 pi` is half of pi, whereas `x/2 pi` is x divided by two pi. */
  private parseFraction(): Expression {
    const left = this.parsePercentage();
    if (this.peek() !== "/" || !isSignedNumber(left) || !NUMBER.test(this.peek(1)) || !this.isFactorStart(2))
      return left;
    this.position += 1;
    return createOperator("divide", left, this.parsePercentage());
  }

  /**
   * A percent sign before another operand is the remainder: 10 % 3 is 1. Before a sign it is a percentage, as on
   * calculators: 100 + 10% + 5 is 115. The remainder by -3 is written `mod -3`.
   */
  private parsePercentage(): Expression {
    const value = this.parseSigned();
    const next = this.peek(1);
    const divides = NUMBER.test(next) || NAME.test(next) || next === "(";
    return divides || !this.take("%") ? value : createOperator("percent", value);
  }

  private parseSigned(): Expression {
    const name = this.takeOperator(SIGNS);
    return name === undefined ? this.parsePower() : createOperator(name, this.parseSigned());
  }

  private parsePower(): Expression {
    let base = this.parsePrimary();
    while (this.take("!")) base = createOperator("factorial", base);
    return this.take("^") ? createOperator("pow", base, this.parseSigned()) : base;
  }

  private parsePrimary(): Expression {
    const token = this.peek();
    this.position += 1;
    if (NUMBER.test(token)) return { type: "number", value: Number(token) };
    if (token === "(") {
      const inner = this.parseSum();
      if (!this.take(")")) throw createUnreadableFault();
      return { type: "group", inner };
    }
    if (!NAME.test(token)) throw createUnreadableFault();
    return this.take("(")
      ? { type: "function", name: token, args: this.parseArguments() }
      : { type: "constant", name: token };
  }

  private parseArguments(): Expression[] {
    if (this.take(")")) return [];
    const args = [this.parseSum()];
    while (this.take(",")) args.push(this.parseSum());
    if (!this.take(")")) throw createUnreadableFault();
    return args;
  }

  private isFactorStart(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token === "(" || (NAME.test(token) && token !== "mod");
  }

  private takeOperator(names: ReadonlyMap<string, string>): string | undefined {
    const name = names.get(this.peek());
    if (name !== undefined) this.position += 1;
    return name;
  }

  private take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.position += 1;
    return true;
  }

  private peek(ahead = 0): string {
    return this.tokens[this.position + ahead] ?? "";
  }
}

function createOperator(name: string, ...args: readonly Expression[]): Expression {
  return { type: "operator", name, args };
}

/** True if a number may follow directly: `(1 + 2)3`, `5! 3`, `sqrt(4) 3`. */
function isFactorEnd(expression: Expression): boolean {
  return expression.type === "operator" ? expression.name === "factorial" : expression.type !== "number";
}

function isSignedNumber(expression: Expression): boolean {
  if (expression.type === "number") return true;
  if (expression.type !== "operator" || !expression.name.startsWith("unary")) return false;
  return expression.args[0]?.type === "number";
}

function createUnreadableFault(): Fault {
  return createFault("unprocessable", "calculator.unreadable");
}
