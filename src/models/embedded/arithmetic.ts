// Reads arithmetic out of Chinese and English: 678乘以8776 · the sum of 3 and 4 · 15% of 80 · 再乘以2.
// It reads and never computes: the outcome is an expression for a tool.

import type { Span } from "../../protocol/words/text.ts";
import { tokenize, type Join, type Operator, type Token } from "./arithmetic-tokens.ts";
import { bare, close, guarded, joined, shaped } from "./expression.ts";

export type Arithmetic = Span & {
  /** In ordinary notation; `$last` and `$all(+)` stand for earlier results. */
  readonly template: string;
  readonly refersBack: boolean;
};

/** `1+2+3+...+10`: what is not written out cannot be reckoned. */
const GOES_ON = /^\s*[-+*/×÷加乘,、]\s*(?:\.{2,}|…)/;
const OPERATION = / [-+*/%^] |[a-z\d]\(|!/;

/** Every piece of arithmetic in the text, from left to right. Bare numbers are none. */
export function readArithmetic(text: string): Arithmetic[] {
  const tokens = tokenize(text);
  const found: Arithmetic[] = [];
  for (let at = 0; at < tokens.length;) {
    const parser = new Parser(tokens, at);
    const template = parser.statement();
    const [first, last] = [tokens[at], tokens[parser.at - 1]];
    const isLone = parser.at === at + 1 && first?.type === "part";
    const isRead = template !== null && parser.at > at && !isLone && OPERATION.test(template);
    if (!isRead || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    if (GOES_ON.test(text.slice(last.end, last.end + 10)) || isUnread(tokens, parser.at)) {
      at = parser.at;
      continue;
    }
    const cleaned = bare(template);
    found.push({ template: cleaned, refersBack: cleaned.includes("$"), start: first.start, end: last.end });
    at = parser.at;
  }
  return found;
}

/** An operator with something behind it that is no operand: what was read up to there is not all that was asked. */
function isUnread(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token?.type === "operator" && token.operator !== "^" && token.spoken && at + 1 < tokens.length;
}

/**
 * The expressions of one piece of work. One that refers back goes on from the one before it, or from earlier results;
 * null when it needs one that is not there.
 */
export function expressionsIn(sums: readonly Arithmetic[], results: readonly string[]): string[] | null {
  const found: string[] = [];
  for (const { template, refersBack } of sums) {
    const own = refersBack ? found.splice(template.includes("$all") ? 0 : -1) : [];
    const earlier = template.includes("$all") ? results : results.slice(-1);
    const expression = resolveTemplate(template, own.length > 0 ? own : earlier);
    if (expression === null) return null;
    found.push(expression);
  }
  return found;
}

/** The expression with earlier results in place, oldest first; null when it needs one that is not there. */
export function resolveTemplate(template: string, results: readonly string[]): string | null {
  const last = results.at(-1);
  if (!template.includes("$")) return template;
  if (last === undefined) return null;
  const resolved = template
    .replace(/\$all\((mean|[-+*/%])\)/g, (_, join: Join) => joined(join, results))
    .replaceAll("$last", guarded(last));
  // "Multiply them by 2" is one expression only when there is one of them.
  if (resolved.includes("$all") && results.length > 1) return null;
  return resolved.replaceAll("$all", guarded(last));
}

const MAX_OPERANDS = 100;
const MAX_DEPTH = 30;

/** A recursive descent over the tokens from one position on; `at` is where it stopped. */
class Parser {
  at: number;
  private readonly tokens: readonly Token[];
  private depth = 0;

  constructor(tokens: readonly Token[], at: number) {
    this.tokens = tokens;
    this.at = at;
  }

  statement(): string | null {
    const first = this.peek();
    if (first?.type === "verb") return this.command(first.operator);
    if (first?.type === "operator" && first.spoken) return this.tail("$last");
    const before = this.tokens[this.at - 1];
    const isAlone = before === undefined || before.type === "gap" || before.type === "then";
    if (first?.type === "round" || (first?.type === "after" && first.shape !== "factorial"))
      return isAlone ? this.tail("$last") : null;
    if (first?.type === "joined" && isAlone) return this.tail("$all");
    if (this.take("rounded")) {
      const value = this.expression();
      if (value === null) return null;
      return value.startsWith("round(") ? value : `round(${value})`;
    }
    return this.expression();
  }

  /** `add 3 to 4`, `subtract 3 from 10`, `multiply it by 2`, `divide by 4`. */
  private command(operator: Operator): string | null {
    this.at += 1;
    if (this.take("link")) {
      const by = this.operand();
      return by === null ? null : this.tail(`$last ${operator} ${by}`);
    }
    const first = this.operand();
    if (first === null) return null;
    if (first === "$all") return this.tail(`$all(${operator})`);
    const isBackwards = operator === "-" || operator === "+";
    if (this.peek()?.type === "link") {
      this.at += 1;
      const second = this.operand();
      if (second === null) return null;
      return this.tail(isBackwards ? `${second} ${operator} ${first}` : `${first} ${operator} ${second}`);
    }
    const before = this.at;
    const operands = this.more([first]);
    // "Subtract 3 and double the result" are two steps.
    if (operands.some((operand, i) => i > 0 && operand.length > "$last".length && operand.includes("$"))) {
      this.at = before;
      return isBackwards ? `$last ${operator} ${first}` : null;
    }
    if (operands.length > 1) return this.tail(joined(operator === "^" ? "*" : operator, operands));
    return isBackwards ? this.tail(`$last ${operator} ${first}`) : null;
  }

  private expression(): string | null {
    if (this.depth >= MAX_DEPTH) return null;
    this.depth += 1;
    const first = this.operand();
    const whole = first === null ? null : this.tail(first);
    this.depth -= 1;
    return whole;
  }

  /** Everything that may follow a first operand. */
  private tail(first: string): string {
    let left = first;
    for (let count = 0; count < MAX_OPERANDS; count++) {
      const before = this.at;
      const grouped = this.take("then");
      const token = this.peek();
      if (token?.type === "operator") {
        this.at += 1;
        const right = this.operand();
        if (right === null) return this.back(before, left);
        // 8% - 3 would be something else.
        const rest = token.operator === "%" && right.startsWith("-") ? guarded(right) : right;
        left = `${grouped ? guarded(left) : left} ${token.operator} ${rest}`;
      } else if (token?.type === "joined") {
        const closed = close(left, token.join);
        if (closed === null) return this.back(before, left);
        this.at += 1;
        left = closed;
      } else if (token?.type === "round") {
        this.at += 1;
        left = token.digits === 0 ? `round(${left})` : `round(${left}, ${token.digits})`;
      } else if (token?.type === "and") {
        const closed = this.list(left);
        if (closed === null) return this.back(before, left);
        left = closed;
      } else if (token?.type === "after" && (grouped || left.startsWith("$"))) {
        this.at += 1;
        left = shaped(token.shape, left);
      } else return this.back(before, left);
    }
    return left;
  }

  /** `3和4的和`: what follows decides whether these are operands at all. */
  private list(first: string): string | null {
    const start = this.at;
    const operands = this.more([first]);
    const token = this.peek();
    if (operands.length > 1 && token?.type === "joined") {
      this.at += 1;
      return `(${joined(token.join, operands)})`;
    }
    this.at = start;
    return null;
  }

  private more(operands: readonly string[]): string[] {
    const all = [...operands];
    while (all.length < MAX_OPERANDS && this.peek()?.type === "and") {
      const before = this.at;
      while (this.take("and"));
      const next = this.operand();
      if (next === null) {
        this.at = before;
        break;
      }
      all.push(next);
    }
    return all;
  }

  private operand(isSigned = false): string | null {
    if (this.depth >= MAX_DEPTH) return null;
    this.depth += 1;
    const start = this.at;
    const core = this.core();
    this.depth -= 1;
    if (core === null) this.at = start;
    return core === null ? null : this.suffixed(core, isSigned);
  }

  private core(): string | null {
    const token = this.peek();
    if (token === undefined) return null;
    this.at += 1;
    switch (token.type) {
      case "number":
        return token.value;
      case "part":
        if (this.take("of")) {
          const whole = this.operand();
          if (whole !== null) return `${token.value} * ${whole}`;
        }
        return token.value;
      case "reference":
        return token.all ? "$all" : "$last";
      case "tally":
        return `$all(${token.join})`;
      case "open": {
        const inner = this.expression();
        return inner !== null && this.take("close") ? `(${inner})` : null;
      }
      case "operator": {
        const negated = token.operator === "-" && !token.spoken ? this.operand(true) : null;
        return negated === null ? null : `-${negated}`;
      }
      case "before": {
        this.take("of");
        const inner = this.operand();
        return inner === null || inner === "$all" ? null : shaped(token.shape, inner);
      }
      case "join":
        return this.enumeration(token.join);
      default:
        return null;
    }
  }

  /** What follows `the sum of`. */
  private enumeration(join: Join): string | null {
    if (join === "%") {
      const [left, isDivision] = [this.operand(), this.take("operator") || this.take("link")];
      const right = isDivision ? this.operand() : null;
      return left === null || right === null ? null : `${left} % ${right}`;
    }
    const first = this.operand();
    if (first === null) return null;
    if (first === "$all") return `$all(${join})`;
    const operands = this.more([first]);
    return operands.length < 2 ? null : `(${joined(join, operands)})`;
  }

  /**
   * What changes the operand before it: `squared`, `的3次方`, `的20%`, `3倍`. Behind a sign only what is written so: -3²
   * is -9 as in mathematics, whereas -3的平方 is the square of -3 to who says it.
   */
  private suffixed(operand: string, isSigned: boolean): string {
    let value = operand;
    for (let count = 0; count < MAX_OPERANDS; count++) {
      const [token, next, third] = [this.peek(), this.peek(1), this.peek(2)];
      if (isSigned && !(token?.type === "after" && token.isSign)) return value;
      if (token?.type === "after") {
        this.at += 1;
        value = shaped(token.shape, value);
      } else if (token?.type === "before" && this.endsHere(1) && value !== "$all") {
        this.at += 1;
        value = shaped(token.shape, value);
      } else if (token?.type === "of" && next?.type === "part") {
        this.at += 2;
        value = `${value} * ${next.value}`;
      } else if (
        token?.type === "of" &&
        next?.type === "number" &&
        (third?.type === "power" || third?.type === "times")
      ) {
        this.at += 3;
        value = third.type === "power" ? `${guarded(value)} ^ ${next.value}` : `${value} * ${next.value}`;
      } else return value;
    }
    return value;
  }

  /** Whether nothing that could be an operand follows: `take its square root`, `its square root minus 3`. */
  private endsHere(ahead: number): boolean {
    const type = this.peek(ahead)?.type ?? "gap";
    return type === "gap" || type === "then" || type === "and" || type === "operator";
  }

  private back(to: number, value: string): string {
    this.at = to;
    return value;
  }

  private take(type: Token["type"]): boolean {
    if (this.peek()?.type !== type) return false;
    this.at += 1;
    return true;
  }

  private peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }
}
