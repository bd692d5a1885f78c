// When a listener acts, in words. The condition itself is read by the server alone: what stands here changes its signs
// into words one after the other, and gives up where it meets something that it does not know.

import { planStatusOf, type PlanStatus } from "../../protocol/plan-template.ts";
import type { Say } from "../language.ts";
import type { WORDS } from "./words.ts";

type Name = keyof (typeof WORDS)["en"];
type NameOf = (taskId: string) => string;

const TOKEN = /\s*("[^"]*"|'[^']*'|\(|\)|&&|\|\||[=!]==?|<>|<=|>=|[=<>!]|[^\s()&|=<>!"']+)\s*/y;
/** What is longer is shown as it is written. */
const MOST_CHARS = 500;
const AND = new Set(["&&", "and"]);
const OR = new Set(["||", "or"]);
const NOT = new Set(["!", "not"]);
const OPERATORS: Readonly<Record<string, Name>> = {
  "=": "is",
  "==": "is",
  "===": "is",
  "!=": "isNot",
  "!==": "isNot",
  "<>": "isNot",
  "<": "isLess",
  "<=": "isAtMost",
  ">": "isMore",
  ">=": "isAtLeast",
};

/** `“Order” is Done and “Invoice” is Done`; null for what has no simple words, which is shown as it is written. */
export function conditionWords(
  text: string,
  triggers: readonly string[],
  nameOf: NameOf,
  say: Say<Name>,
): string | null {
  const tokens = tokensOf(text);
  if (tokens === null || triggers.length === 0) return null;
  const words = new Reader(tokens, triggers, nameOf, say).read();
  return words === "" ? null : words;
}

function tokensOf(text: string): string[] | null {
  if (text.length > MOST_CHARS) return null;
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const [whole, token] = TOKEN.exec(text) ?? [];
    if (whole === undefined || token === undefined) return null;
    tokens.push(token);
    at += whole.length;
  }
  return tokens;
}

/** Nothing but a change is waited for. */
export function isAnyChange(text: string): boolean {
  return /^\s*(any|always|true)?\s*$/i.test(text);
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #triggers: readonly string[];
  readonly #nameOf: NameOf;
  readonly #say: Say<Name>;
  #next = 0;

  constructor(tokens: readonly string[], triggers: readonly string[], nameOf: NameOf, say: Say<Name>) {
    this.#tokens = tokens;
    this.#triggers = triggers;
    this.#nameOf = nameOf;
    this.#say = say;
  }

  /** Empty where it does not understand. */
  read(): string {
    const words = this.#joined();
    return this.#next === this.#tokens.length ? (words ?? "") : "";
  }

  #peek(): string {
    return this.#tokens[this.#next] ?? "";
  }

  #takes(signs: ReadonlySet<string>): boolean {
    const isTaken = signs.has(this.#peek().toLowerCase());
    if (isTaken) this.#next += 1;
    return isTaken;
  }

  #joined(): string | null {
    let words = this.#part();
    while (words !== null && this.#next < this.#tokens.length && this.#peek() !== ")") {
      const link = this.#takes(AND) ? "and" : this.#takes(OR) ? "or" : null;
      const part: string | null = link === null ? null : this.#part();
      words = part === null || link === null ? null : this.#say(link, { left: words, right: part });
    }
    return words;
  }

  #part(): string | null {
    if (this.#takes(NOT)) {
      const words = this.#part();
      return words === null ? null : this.#say("not", { words });
    }
    if (this.#peek() !== "(") return this.#compared();
    this.#next += 1;
    const words = this.#joined();
    if (words === null || this.#peek() !== ")") return null;
    this.#next += 1;
    return `(${words})`;
  }

  #compared(): string | null {
    const left = this.#peek();
    this.#next += 1;
    const operator = OPERATORS[this.#peek()];
    if (operator === undefined) return this.#bare(left);
    this.#next += 1;
    const right = this.#peek();
    this.#next += 1;
    const task = statusTaskOf(left, right);
    const status = planStatusOf(right);
    if (task !== null && status !== null) {
      const subject = task === "" ? this.#subjects() : this.#task(task);
      return this.#status(subject, operator, status);
    }
    const [first, second] = [this.#operand(left), this.#operand(right)];
    return first === null || second === null ? null : this.#say(operator, { left: first, right: second });
  }

  #bare(token: string): string | null {
    const status = planStatusOf(token);
    if (status !== null) return this.#status(this.#subjects(), "is", status);
    const value = /\.context\./i.test(token) ? this.#operand(token) : null;
    return value === null ? null : this.#say("isKnown", { value });
  }

  #status(subject: string, operator: Name, status: PlanStatus): string | null {
    if (operator !== "is" && operator !== "isNot") return null;
    return this.#say(operator, { left: subject, right: this.#say(status) });
  }

  #subjects(): string {
    return this.#triggers.map((id) => this.#task(id)).reduce((left, right) => this.#say("both", { left, right }));
  }

  #task(id: string): string {
    return this.#say("quoted", { name: this.#nameOf(id) });
  }

  #operand(token: string): string | null {
    const [, text] = /^["'](.*)["']$/.exec(token) ?? [];
    if (text !== undefined) return this.#say("quoted", { name: text });
    const [, task, value] = /^([\w-]+)\.context\.(.+)$/i.exec(token) ?? [];
    if (task !== undefined && value !== undefined) return this.#say("valueOf", { value, task: this.#task(task) });
    const [, whose] = /^([\w-]+)\.status$/i.exec(token) ?? [];
    if (whose !== undefined) return this.#say("statusOf", { task: this.#task(whose) });
    return /^[\w.+-]+$/.test(token) ? token : null;
  }
}

/** The task whose status is compared: empty for those that trigger, null where no status is. */
function statusTaskOf(left: string, right: string): string | null {
  if (left.toLowerCase() === "status") return "";
  const [, task] = /^([\w-]+)\.status$/i.exec(left) ?? [];
  if (task !== undefined) return task;
  return planStatusOf(right) !== null && /^[\w-]+$/.test(left) ? left : null;
}
