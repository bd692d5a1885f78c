// What is said in a thread (`speech.ts`), and how it reads.

import type { Usage } from "../protocol/events.ts";
import type { Pending } from "../protocol/question.ts";

export type Failure = { readonly code: string; readonly message: string };

export type Spoken =
  /** A piece of the answer. `isNew`: it begins a paragraph. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isNew: boolean;
      readonly seq: number;
      readonly taskId: string;
    }
  /** What this task has said of the answer after `since` is taken back. */
  | { readonly kind: "taken_back"; readonly since: number; readonly taskId: string }
  /** A piece of what whoever answers thinks. */
  | { readonly kind: "thought"; readonly text: string }
  /** One line about the work. */
  | { readonly kind: "step"; readonly text: string }
  /** Nothing more comes before these are answered. */
  | { readonly kind: "asked"; readonly questions: readonly Pending[] }
  | ({ readonly kind: "failed" } & Failure)
  /** It failed after tasks had completed; what they brought has been told. */
  | ({ readonly kind: "unfinished"; readonly usage: Usage | null } & Failure)
  /** `isCancelled`: it was stopped before it was done. */
  | { readonly kind: "done"; readonly usage: Usage | null; readonly isCancelled: boolean };

/** An answer that is put together from its pieces, without what was taken back. */
export class Answer {
  #pieces: Extract<Spoken, { kind: "text" }>[] = [];
  #thoughts = "";

  take(spoken: Spoken): void {
    if (spoken.kind === "text") this.#pieces.push(spoken);
    if (spoken.kind === "thought") this.#thoughts += spoken.text;
    if (spoken.kind === "step") this.#thoughts += stepLine(this.#thoughts, spoken.text);
    if (spoken.kind === "taken_back") {
      const { taskId, since } = spoken;
      this.#pieces = this.#pieces.filter((piece) => piece.taskId !== taskId || piece.seq <= since);
    }
  }

  get text(): string {
    return this.#pieces.map(({ text, isNew }, i) => (isNew && i > 0 ? `\n\n${text}` : text)).join("");
  }

  get thoughts(): string {
    return this.#thoughts;
  }
}

/** A step on a line of its own, whatever was thought before it. */
export function stepLine(before: string, text: string): string {
  return `${before === "" || before.endsWith("\n") ? "" : "\n"}${text}\n`;
}

/** A question as a person reads it, with what it may be answered with. Arguments that it has told already are not told again. */
export function questionWords({ prompt, options = [], approval }: Pending): string {
  const isTold = approval !== undefined && prompt.includes(JSON.stringify(approval.arguments, null, 2));
  const call = approval === undefined || isTold ? [] : [`${approval.tool}: ${JSON.stringify(approval.arguments)}`];
  const choices = approval === undefined ? options : ["approve", "refuse"];
  return [prompt, ...call, choices.map((choice) => `- ${choice}`).join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}
