// Parses tokens to an expression: the grammar of spoken arithmetic.

import type { ListOperation, ArithmeticOperator, ArithmeticToken } from "./arithmetic-tokenizer.ts";
import {
  stripParentheses,
  applyOperator,
  closeOperand,
  parenthesize,
  joinOperands,
  applyUnary,
} from "./format-expression.ts";

const MAX_OPERANDS = 100;
const MAX_DEPTH = 30;
/** The maximum number of tokens between a price and its discount. */
const MAX_BETWEEN = 20;

/** A recursive descent parser; `at` is the position of the next token. */
export class ArithmeticParser {
  at: number;
  private readonly tokens: readonly ArithmeticToken[];
  private depth = 0;

  constructor(tokens: readonly ArithmeticToken[], at: number) {
    this.tokens = tokens;
    this.at = at;
  }

  parseStatement(): string | null {
    const first = this.peek();
    if (first?.type === "verb") return this.parseCommand(first.operator, first.isForward);
    if (first?.type === "operator" && first.spoken) return this.parseTail("$last");
    if (first?.type === "discount") return this.parseDiscount();
    const before = this.tokens[this.at - 1];
    const isAlone = before === undefined || before.type === "gap" || before.type === "then";
    const isRounded = first?.type === "round" && first.digits === 0 && this.peek(1)?.type === "number";
    if (isRounded) this.at += 1;
    if (isRounded || this.take("rounded")) {
      if (this.peek()?.type === "round") return this.parseTail("$last");
      const value = this.parseExpression();
      if (value === null) return null;
      return value.startsWith("round(") ? value : `round(${stripParentheses(value)})`;
    }
    if (first?.type === "round" || (first?.type === "after" && first.shape !== "factorial"))
      return isAlone ? this.parseTail("$last") : null;
    if (first?.type === "joined" && isAlone) return this.parseTail("$all");
    return this.parseExpression();
  }

  /** `add 3 to 4`, `subtract 3 from 10`, `multiply it by 2`, `divide by 4`, `increase 80 by 25%`. */
  private parseCommand(operator: ArithmeticOperator, isForward: boolean): string | null {
    this.at += 1;
    if (this.take("link")) {
      const by = this.parseOperand();
      return by === null ? null : this.parseTail(applyOperator("$last", operator, by));
    }
    const first = this.parseOperand();
    if (first === null) return null;
    if (first === "$all") return this.parseTail(`$all(${operator})`);
    const isBackwards = !isForward && (operator === "-" || operator === "+");
    if (this.peek()?.type === "link") {
      this.at += 1;
      const second = this.parseOperand();
      if (second === null) return null;
      return this.parseTail(
        isBackwards ? applyOperator(second, operator, first) : applyOperator(first, operator, second),
      );
    }
    const before = this.at;
    const operands = this.parseMoreOperands([first]);
    // "Subtract 3 and double the result" are two steps.
    if (operands.some((operand, i) => i > 0 && operand.length > "$last".length && operand.includes("$"))) {
      this.at = before;
      return isBackwards ? applyOperator("$last", operator, first) : null;
    }
    if (operands.length > 1) return this.parseTail(joinOperands(operator === "^" ? "*" : operator, operands));
    return isBackwards ? this.parseTail(applyOperator("$last", operator, first)) : null;
  }

  private parseExpression(): string | null {
    if (this.depth >= MAX_DEPTH) return null;
    this.depth += 1;
    const first = this.parseOperand();
    const whole = first === null ? null : this.parseTail(first);
    this.depth -= 1;
    return whole;
  }

  /** Parses everything that may follow a first operand. */
  private parseTail(first: string): string {
    let left = first;
    for (let count = 0; count < MAX_OPERANDS; count++) {
      const before = this.at;
      const grouped = this.take("then");
      const token = this.peek();
      if (token?.type === "operator") {
        this.at += 1;
        const right = this.parseOperand();
        if (right === null) return this.backtrack(before, left);
        // Without parentheses 8% - 3 would be parsed differently.
        const rest = token.operator === "%" && right.startsWith("-") ? parenthesize(right) : right;
        left = applyOperator(grouped ? parenthesize(left) : left, token.operator, rest);
      } else if (token?.type === "joined") {
        const closed = closeOperand(left, token.join);
        if (closed === null) return this.backtrack(before, left);
        this.at += 1;
        left = closed;
      } else if (token?.type === "round") {
        this.at += 1;
        left = token.digits === 0 ? `round(${left})` : `round(${left}, ${token.digits})`;
      } else if (token?.type === "discount") {
        this.at += 1;
        left = `${parenthesize(left)} * ${token.factor}`;
      } else if (token?.type === "of" && /^\d+ \/ \d+$/.test(left)) {
        this.at += 1;
        const whole = this.parseOperand();
        if (whole === null) return this.backtrack(before, left);
        left = `${left} * ${whole}`;
      } else if (
        /^-?[\d.]+$/.test(left) &&
        (grouped || token?.type === "and") &&
        this.peek(grouped ? 0 : 1)?.type === "verb"
      ) {
        if (!grouped) this.at += 1;
        const next = this.parseStep(left);
        if (next === null) return this.backtrack(before, left);
        left = next;
      } else if (token?.type === "and") {
        const closed = this.parseList(left);
        if (closed === null) return this.backtrack(before, left);
        left = closed;
      } else if (token?.type === "after" && (grouped || left.startsWith("$"))) {
        this.at += 1;
        left = applyUnary(token.shape, left);
      } else return this.backtrack(before, left);
    }
    return left;
  }

  /** `start with 10, add 5`: a number, then an operation on it. */
  private parseStep(left: string): string | null {
    const token = this.peek();
    if (token?.type !== "verb") return null;
    this.at += 1;
    this.take("link");
    const by = this.parseOperand();
    return by === null ? null : applyOperator(left, token.operator, by);
  }

  /** `30% off 50`, `300块的衣服打八折`: a discount on the following number, an earlier one, or the last result. */
  private parseDiscount(): string | null {
    const token = this.peek();
    if (token?.type !== "discount") return null;
    this.at += 1;
    const at = this.at;
    const next = this.parseOperand();
    if (next !== null) return this.parseTail(`${next} * ${token.factor}`);
    const earlier = this.tokens.slice(Math.max(0, at - MAX_BETWEEN), at - 1);
    const said = earlier.flatMap((one) => (one.type === "number" && one.value !== "1" ? [one.value] : []));
    // With two prices it is unclear which is discounted.
    return said.length > 1 ? null : this.parseTail(`${said[0] ?? "$last"} * ${token.factor}`);
  }

  /** `3和4的和`: the words behind the list decide whether it is an operation. */
  private parseList(first: string): string | null {
    const start = this.at;
    const operands = this.parseMoreOperands([first]);
    const token = this.peek();
    if (operands.length > 1 && token?.type === "joined") {
      this.at += 1;
      return `(${joinOperands(token.join, operands)})`;
    }
    this.at = start;
    return null;
  }

  private parseMoreOperands(operands: readonly string[]): string[] {
    const all = [...operands];
    while (all.length < MAX_OPERANDS && this.peek()?.type === "and") {
      const before = this.at;
      while (this.take("and"));
      const next = this.parseOperand();
      if (next === null) {
        this.at = before;
        break;
      }
      all.push(next);
    }
    return all;
  }

  private parseOperand(isSigned = false): string | null {
    if (this.depth >= MAX_DEPTH) return null;
    this.depth += 1;
    const start = this.at;
    const core = this.parseCore();
    this.depth -= 1;
    if (core === null) this.at = start;
    return core === null ? null : this.parseSuffixes(core, isSigned);
  }

  private parseCore(): string | null {
    const token = this.peek();
    if (token === undefined) return null;
    this.at += 1;
    switch (token.type) {
      case "number":
        return token.value;
      case "part":
        if (this.take("of")) {
          const whole = this.parseOperand();
          if (whole !== null) return `${token.value} * ${whole}`;
        }
        return token.value;
      case "reference":
        return token.all ? "$all" : "$last";
      case "tally":
        return `$all(${token.join})`;
      case "open": {
        const inner = this.parseExpression();
        return inner !== null && this.take("close") ? `(${inner})` : null;
      }
      case "operator": {
        const negated = token.operator === "-" && !token.spoken ? this.parseOperand(true) : null;
        return negated === null ? null : `-${negated}`;
      }
      case "before": {
        this.take("of");
        const inner = this.parseOperand();
        return inner === null || inner === "$all" ? null : applyUnary(token.shape, inner);
      }
      case "join":
        return this.parseEnumeration(token.join);
      default:
        return null;
    }
  }

  /** Parses the operands of `the sum of`. */
  private parseEnumeration(join: ListOperation): string | null {
    if (join === "%") {
      const [left, isDivision] = [this.parseOperand(), this.take("operator") || this.take("link")];
      const right = isDivision ? this.parseOperand() : null;
      return left === null || right === null ? null : `${left} % ${right}`;
    }
    const first = this.parseOperand();
    if (first === null) return null;
    if (first === "$all") return `$all(${join})`;
    const operands = this.parseMoreOperands([first]);
    return operands.length < 2 ? null : `(${joinOperands(join, operands)})`;
  }

  /**
   * Parses suffixes: `squared`, `的3次方`, `的20%`, `3倍`. Behind a minus only written signs bind tighter: -3² is -9 as
   * in mathematics, but -3的平方 is the square of -3.
   */
  private parseSuffixes(operand: string, isSigned: boolean): string {
    let value = operand;
    for (let count = 0; count < MAX_OPERANDS; count++) {
      const [token, next, third] = [this.peek(), this.peek(1), this.peek(2)];
      if (isSigned && !(token?.type === "after" && token.isSign)) return value;
      if (token?.type === "after") {
        this.at += 1;
        value = applyUnary(token.shape, value);
      } else if (token?.type === "before" && this.isOperandMissing(1) && value !== "$all") {
        this.at += 1;
        value = applyUnary(token.shape, value);
      } else if (token?.type === "of" && next?.type === "part") {
        this.at += 2;
        value = `${value} * ${next.value}`;
      } else if (
        token?.type === "of" &&
        next?.type === "number" &&
        (third?.type === "power" || third?.type === "times")
      ) {
        this.at += 3;
        value = third.type === "power" ? `${parenthesize(value)} ^ ${next.value}` : `${value} * ${next.value}`;
      } else return value;
    }
    return value;
  }

  /** True if no operand follows: `take its square root`, `its square root minus 3`. */
  private isOperandMissing(ahead: number): boolean {
    const type = this.peek(ahead)?.type ?? "gap";
    return type === "gap" || type === "then" || type === "and" || type === "operator";
  }

  private backtrack(to: number, value: string): string {
    this.at = to;
    return value;
  }

  private take(type: ArithmeticToken["type"]): boolean {
    if (this.peek()?.type !== type) return false;
    this.at += 1;
    return true;
  }

  private peek(ahead = 0): ArithmeticToken | undefined {
    return this.tokens[this.at + ahead];
  }
}
