// A model that is to write or change a blueprint, until it has written one that can be carried out.

import type { Said } from "../kit/agent.ts";
import { consult, correctionOf, type Unread, type Wanted } from "../kit/consult.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Both } from "../../protocol/words/language.ts";
import { jsonIn } from "./blocks-text.ts";
import { inLanguage } from "./language.ts";
import { systemFor, type Mind } from "./mind.ts";
import { isRecord } from "./shapes.ts";

/** The first one and two repairs. */
const ATTEMPTS = 3;
/** Characters of what a model says instead of planning: it may be why it cannot. */
const MOST_SAID = 500;

export type Judged<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export type Question = {
  readonly instructions: string;
  readonly language: string;
  readonly prompt: string;
  /** A text that holds JSON is taken for a call of the first. */
  readonly wanted: readonly [Wanted, ...Wanted[]];
};

/** Asks until `judge` is content. Throws a `Fault` that says what was wrong with the last attempt. */
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

/** What was wrong, as the turns that the model would remember. */
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

const UNPLANNED = (problem: string): Both => ({
  en: `The model could not plan this analysis. Please word it in another way. ${problem}`.trim(),
  zh: `模型没能规划出这个分析，请换一种说法。${problem}`,
});
