// A parser for arithmetic in mathematical notation, by recursive descent, with one method per level of precedence:
// sums, products, juxtaposition, fractions, percentages, signs, powers with factorials.

import { Fault } from "../../protocol/fault.ts";

/**
 * The syntax tree. Operators have names, as functions do: `add`, `subtract`, `multiply`, `divide`, `mod`, `pow`, …
 */
export type Expression =
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "constant"; readonly name: string }
  | { readonly type: "group"; readonly inner: Expression }
  | { readonly type: "operator" | "function"; readonly name: string; readonly args: readonly Expression[] };

/**
 * Parses an expression. The recursion is as deep as its parentheses. Throws a `Fault` (`unprocessable`) if the text
 * is not arithmetic.
 */
export function readExpression(text: string): Expression {
  return new Reader(tokenize(text)).all();
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

/** Reads tokens from left to right. `at` is the index of the next token; each method consumes what it returns. */
class Reader {
  private at = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  all(): Expression {
    const all = this.sum();
    if (this.at < this.tokens.length) throw unreadable();
    return all;
  }

  /** A percentage that is added or subtracted is a share of everything before it: 200 + 10% is 220. */
  private sum(): Expression {
    let left = this.product();
    for (let name = this.takeFrom(SUMS); name !== undefined; name = this.takeFrom(SUMS)) {
      const right = this.product();
      const isShare = right.type === "operator" && right.name === "percent";
      left = operator(name, left, isShare ? operator("multiply", left, right) : right);
    }
    return left;
  }

  private product(): Expression {
    let left = this.juxtaposed();
    for (let name = this.takeFrom(PRODUCTS); name !== undefined; name = this.takeFrom(PRODUCTS))
      left = operator(name, left, this.juxtaposed());
    return left;
  }

  /**
   * Numbers side by side are multiplied: `2 pi`, `3(4 + 5)`, `(1 + 2)3`. A number after a number, a power or a sign
   * is an error.
   */
  private juxtaposed(): Expression {
    let left = this.fraction();
    for (let last = left; this.startsFactor() || (NUMBER.test(this.peek()) && endsFactor(last));) {
      last = this.fraction();
      left = operator("multiply", left, last);
    }
    return left;
  }

  /** `1/2 pi` is half of pi, whereas `x/2 pi` is x divided by two pi. */
  private fraction(): Expression {
    const left = this.percentage();
    if (this.peek() !== "/" || !isPlain(left) || !NUMBER.test(this.peek(1)) || !this.startsFactor(2)) return left;
    this.at += 1;
    return operator("divide", left, this.percentage());
  }

  /**
   * A percent sign before another operand is the remainder: 10 % 3 is 1. Before a sign it is a percentage, as on
   * calculators: 100 + 10% + 5 is 115. The remainder by -3 is written `mod -3`.
   */
  private percentage(): Expression {
    const value = this.signed();
    const next = this.peek(1);
    const divides = NUMBER.test(next) || NAME.test(next) || next === "(";
    return divides || !this.take("%") ? value : operator("percent", value);
  }

  private signed(): Expression {
    const name = this.takeFrom(SIGNS);
    return name === undefined ? this.power() : operator(name, this.signed());
  }

  private power(): Expression {
    let base = this.primary();
    while (this.take("!")) base = operator("factorial", base);
    return this.take("^") ? operator("pow", base, this.signed()) : base;
  }

  private primary(): Expression {
    const token = this.peek();
    this.at += 1;
    if (NUMBER.test(token)) return { type: "number", value: Number(token) };
    if (token === "(") {
      const inner = this.sum();
      if (!this.take(")")) throw unreadable();
      return { type: "group", inner };
    }
    if (!NAME.test(token)) throw unreadable();
    return this.take("(") ? { type: "function", name: token, args: this.args() } : { type: "constant", name: token };
  }

  private args(): Expression[] {
    if (this.take(")")) return [];
    const args = [this.sum()];
    while (this.take(",")) args.push(this.sum());
    if (!this.take(")")) throw unreadable();
    return args;
  }

  private startsFactor(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token === "(" || (NAME.test(token) && token !== "mod");
  }

  private takeFrom(names: ReadonlyMap<string, string>): string | undefined {
    const name = names.get(this.peek());
    if (name !== undefined) this.at += 1;
    return name;
  }

  private take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at += 1;
    return true;
  }

  private peek(ahead = 0): string {
    return this.tokens[this.at + ahead] ?? "";
  }
}

function operator(name: string, ...args: readonly Expression[]): Expression {
  return { type: "operator", name, args };
}

/** True if a number may follow directly: `(1 + 2)3`, `5! 3`, `sqrt(4) 3`. */
function endsFactor(expression: Expression): boolean {
  return expression.type === "operator" ? expression.name === "factorial" : expression.type !== "number";
}

/** True for a number with or without a sign. */
function isPlain(expression: Expression): boolean {
  if (expression.type === "number") return true;
  if (expression.type !== "operator" || !expression.name.startsWith("unary")) return false;
  return expression.args[0]?.type === "number";
}

function unreadable(): Fault {
  return new Fault("unprocessable", "The expression cannot be read. Write it like 12 * (3 + 4) / 5.");
}
