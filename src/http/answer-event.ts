// The events of an answer stream (`answer-stream.ts`), and their text form.

import type { ToolCall } from "../core/ports.ts";
import type { Usage } from "../protocol/wire/events.ts";
import type { PendingQuestion } from "../protocol/wire/question.ts";

/** The code of the failed event, and its sentence for people. */
export type AnswerFailure = { readonly code: string; readonly message: string };

/** An event of an answer stream. `seq` is that of the frame; `usage` is null if the thread does not report it. */
export type AnswerEvent =
  /** A piece of the answer. `isNew`: it starts a paragraph. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isNew: boolean;
      readonly seq: number;
      readonly taskId: string;
    }
  /** Removes the text of this task with a `seq` greater than `since`. */
  | { readonly kind: "taken_back"; readonly since: number; readonly taskId: string }
  /** A piece of the reasoning. */
  | { readonly kind: "thought"; readonly text: string }
  /** One line about the progress of the work. */
  | { readonly kind: "step"; readonly text: string }
  /** A call of a client tool. It gets no result in this thread. */
  | { readonly kind: "client_call"; readonly call: ToolCall }
  /** The thread waits for answers to these questions. */
  | { readonly kind: "asked"; readonly questions: readonly PendingQuestion[] }
  /** The thread failed without a result. */
  | ({ readonly kind: "failed" } & AnswerFailure)
  /** The thread failed after tasks had completed. Their results are part of the answer. */
  | ({ readonly kind: "unfinished"; readonly usage: Usage | null } & AnswerFailure)
  /** The thread has ended. `isCancelled`: it was cancelled before its end. */
  | { readonly kind: "done"; readonly usage: Usage | null; readonly isCancelled: boolean };

/**
 * Collects the events of a stream to one text. Owns the pieces that are not retracted, and the reasoning with the
 * steps. Pass each event once, in order.
 */
export class AnswerText {
  #pieces: Extract<AnswerEvent, { kind: "text" }>[] = [];
  #reasoning = "";

  /** Adds text, reasoning or a step, or removes retracted text. Ignores the other kinds. */
  apply(event: AnswerEvent): void {
    if (event.kind === "text") this.#pieces.push(event);
    if (event.kind === "thought") this.#reasoning += event.text;
    if (event.kind === "step") this.#reasoning += formatStepLine(this.#reasoning, event.text);
    if (event.kind === "taken_back") {
      const { taskId, since } = event;
      this.#pieces = this.#pieces.filter((piece) => piece.taskId !== taskId || piece.seq <= since);
    }
  }

  /** The answer so far. A blank line separates its paragraphs. */
  get text(): string {
    return this.#pieces.map(({ text, isNew }, i) => (isNew && i > 0 ? `\n\n${text}` : text)).join("");
  }

  /** The reasoning and the steps so far, each step on its own line. */
  get reasoning(): string {
    return this.#reasoning;
  }
}

/** Returns a step with a line feed after it, and with one before it if `precedingText` does not end a line. */
export function formatStepLine(precedingText: string, text: string): string {
  return `${precedingText === "" || precedingText.endsWith("\n") ? "" : "\n"}${text}\n`;
}

/**
 * Formats a question as Markdown: its prompt and a list of its options. An approval lists `approve` and `refuse`
 * instead, and its tool with the arguments unless the prompt contains them.
 */
export function formatQuestion({ prompt, options = [], approval }: PendingQuestion): string {
  const isCallShown = approval !== undefined && prompt.includes(JSON.stringify(approval.arguments, null, 2));
  const callLines =
    approval === undefined || isCallShown ? [] : [`${approval.tool}: ${JSON.stringify(approval.arguments)}`];
  const choices = approval === undefined ? options : ["approve", "refuse"];
  return [prompt, ...callLines, choices.map((choice) => `- ${choice}`).join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}
