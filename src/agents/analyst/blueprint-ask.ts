// Asks a model to write or change a blueprint, and repeats until the result is valid.

import type { Said } from "../kit/agent.ts";
import { consult, correctionOf, type Unread, type Wanted } from "../kit/consult.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Both } from "../../protocol/words/language.ts";
import { jsonIn } from "./blocks-text.ts";
import { inLanguage } from "./language.ts";
import { systemFor, type Mind } from "./mind.ts";
import { isRecord } from "./shapes.ts";

/** One attempt and two repairs. */
const ATTEMPTS = 3;
/** Maximum characters of a plain text reply that are shown to the person. It may explain why the model cannot plan. */
const MOST_SAID = 500;

/** The result of validating a model's reply. `problem` is written for the model. */
export type Judged<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export type Question = {
  readonly instructions: string;
  readonly language: string;
  readonly prompt: string;
  /** The tools that the model may call. JSON in a plain text reply counts as a call of the first one. */
  readonly wanted: readonly [Wanted, ...Wanted[]];
};

/**
 * Asks the model until `judge` accepts the reply, and returns the accepted value. Each rejection is sent back to the
 * model as a correction. Throws a `Fault` (`agent_failed`) with the last problem after three attempts; model errors
 * pass through.
 */
export async function* askUntil<T>(
  mind: Mind,
  { instructions, language, prompt, wanted }: Question,
  judge: (name: string, value: unknown) => Judged<T>,
): AsyncGenerator<Said, T> {
  const asking = { ...mind, role: "blueprint", system: systemFor(instructions, language) };
  const messages: ChatMessage[] = [{ role: "user", content: prompt }];
  let problem = "";
  let said = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const reply = yield* consult(asking, wanted, messages);
    const given = givenIn(reply, wanted[0].name);
    const judged = given === null ? null : judge(given.name, given.value);
    if (judged?.ok === true) return judged.value;
    problem = judged?.problem ?? (reply.kind === "malformed" ? reply.problem : "");
    said = reply.kind === "text" ? reply.text.slice(0, MOST_SAID) : "";
    messages.push(...turnsAfter(reply, problem, wanted.map(({ name }) => name).join(" or "), attempt));
  }
  throw new Fault("agent_failed", inLanguage(UNPLANNED(problem || said), language));
}

type Reply =
  | Unread
  | { readonly kind: "called"; readonly name: string; readonly value: unknown; readonly arguments: string };

/** Returns the tool call of a reply, or JSON within its text as a call of `first`; null if there is neither. */
function givenIn(reply: Reply, first: string): { readonly name: string; readonly value: unknown } | null {
  switch (reply.kind) {
    case "called":
      return reply;
    case "malformed":
      return null;
    case "text": {
      const value = jsonIn(reply.text);
      return isRecord(value) ? { name: first, value } : null;
    }
  }
}

/** Returns the messages to append: the model's reply and the problem with it. */
function turnsAfter(reply: Reply, problem: string, calls: string, attempt: number): ChatMessage[] {
  switch (reply.kind) {
    case "called":
    case "malformed":
      return correctionOf({ ...reply, kind: "malformed", problem }, calls, attempt);
    case "text": {
      const turns = correctionOf(reply, calls, attempt);
      return problem === "" ? turns : [...turns, { role: "user", content: problem }];
    }
  }
}

/** Shown to the person after the last attempt. Contains the last problem. */
const UNPLANNED = (problem: string): Both => ({
  en: `The model could not plan this analysis. Please word it in another way. ${problem}`.trim(),
  zh: `模型没能规划出这个分析，请换一种说法。${problem}`,
});
