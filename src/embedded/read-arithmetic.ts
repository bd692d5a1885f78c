// Reads arithmetic from Chinese and English: 678乘以8776 · the sum of 3 and 4 · 15% of 80 · 再乘以2. It never computes;
// it returns an expression for a tool.

import type { TextSpan } from "../language/text-spans.ts";
import { ArithmeticParser } from "./arithmetic-parser.ts";
import { tokenize, type ListOperation, type ArithmeticToken } from "./arithmetic-tokenizer.ts";
import { stripParentheses, parenthesize, joinOperands } from "./format-expression.ts";

export type ArithmeticSpan = TextSpan & {
  /** An expression; `$last` and `$all(+)` stand for earlier results. */
  readonly template: string;
  readonly refersBack: boolean;
};

/** Abbreviated or ambiguous sums are not read: `1+2+3+...+10`, `3/4 + 1/2 of 10`. */
const GOES_ON = /^\s*[-+*/×÷加乘,、]\s*(?:\.{2,}|…)|^ of \d/i;
const OPERATION = / [-+*/%^] |[a-z\d]\(|!/;

/** Returns all arithmetic in the text, left to right, without bare numbers. */
export function readArithmetic(text: string): ArithmeticSpan[] {
  const tokens = tokenize(text);
  const found: ArithmeticSpan[] = [];
  for (let at = 0; at < tokens.length;) {
    const parser = new ArithmeticParser(tokens, at);
    const template = parser.parseStatement();
    const [first, last] = [tokens[at], tokens[parser.at - 1]];
    const isLone = parser.at === at + 1 && first?.type === "part";
    const isRead = template !== null && parser.at > at && !isLone && OPERATION.test(template);
    if (!isRead || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    if (GOES_ON.test(text.slice(last.end, last.end + 10)) || hasUnreadOperator(tokens, parser.at)) {
      at = parser.at;
      continue;
    }
    const cleaned = stripParentheses(template, last.type === "after" && last.isSign);
    found.push({
      template: cleaned,
      refersBack: cleaned.includes("$"),
      start: skipConjunction(first, text),
      end: last.end,
    });
    at = parser.at;
  }
  return found;
}

/** Skips the conjunction of `then round to 1 decimal`. */
function skipConjunction({ type, start, end }: ArithmeticToken, text: string): number {
  return type === "round"
    ? start + (/^[\s,]*(?:(?:and|then) )?/i.exec(text.slice(start, end))?.[0].length ?? 0)
    : start;
}

/** True if an operator with an unreadable operand follows: the sum is incomplete. */
function hasUnreadOperator(tokens: readonly ArithmeticToken[], at: number): boolean {
  const token = tokens[at];
  return token?.type === "operator" && token.operator !== "^" && token.spoken && at + 1 < tokens.length;
}

/**
 * Returns the expressions of one piece of work. References use the expression before them, or earlier results; null if
 * there is neither.
 */
export function resolveExpressions(sums: readonly ArithmeticSpan[], results: readonly string[]): string[] | null {
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

/** Inserts earlier results, oldest first; null if one is missing. */
export function resolveTemplate(template: string, results: readonly string[]): string | null {
  const last = results.at(-1);
  if (!template.includes("$")) return template;
  if (last === undefined) return null;
  const resolved = template
    .replace(/\$all\((mean|[-+*/%])\)/g, (_, join: ListOperation) => joinOperands(join, results))
    .replaceAll("$last", parenthesize(last));
  // "Multiply them by 2" is one expression only if there is one result.
  if (resolved.includes("$all") && results.length > 1) return null;
  return resolved.replaceAll("$all", parenthesize(last));
}
