// Answers that must have a format: their text is held back until it is complete, and checked once more.

import { findFormatMistake } from "../../core/models/answer-format.ts";
import type { AnswerFormat } from "../../core/ports.ts";
import { AnswerText, formatQuestion, type AnswerEvent } from "../answer-event.ts";

/** An event of an answer, or the text that is not the requested answer: a question, a reason, guidance. */
export type CheckedEvent = AnswerEvent | { readonly kind: "refusal"; readonly text: string };

/**
 * Yields the events of an answer. With a format, the whole text comes in one piece before the end, if it has the format;
 * any other text is a refusal, and so is a question. A client therefore never receives text of another format as answer.
 */
export async function* checkAnswer(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
  format: AnswerFormat | undefined,
): AsyncGenerator<CheckedEvent, void> {
  if (format === undefined) {
    yield* events;
    return;
  }
  const answer = new AnswerText();
  let hasCalls = false;
  for await (const event of events) {
    switch (event.kind) {
      case "text":
      case "taken_back":
        answer.apply(event);
        break;
      case "asked":
        yield createRefusal(answer.text, formatFirstQuestion(event));
        yield { kind: "done", usage: null, isCancelled: false };
        break;
      case "unfinished":
        yield createRefusal(answer.text, event.message);
        yield { kind: "done", usage: event.usage, isCancelled: false };
        break;
      case "done":
        if (!event.isCancelled) yield* checkText(format, answer.text, hasCalls);
        yield event;
        break;
      case "client_call":
        hasCalls = true;
        yield event;
        break;
      default:
        yield event;
    }
  }
}

function* checkText(format: AnswerFormat, text: string, hasCalls: boolean): Generator<CheckedEvent, void> {
  if (hasCalls && text.trim() === "") return;
  if (findFormatMistake(format, text) !== null) yield createRefusal(text);
  else yield { kind: "text", text, isNew: false, seq: Number.MAX_SAFE_INTEGER, taskId: "" };
}

function createRefusal(...parts: readonly string[]): CheckedEvent {
  return { kind: "refusal", text: parts.filter((part) => part !== "").join("\n\n") };
}

/** Formats the first question only, because the next message can answer only one. */
export function formatFirstQuestion({ questions }: Extract<AnswerEvent, { kind: "asked" }>): string {
  return questions.slice(0, 1).map(formatQuestion).join("");
}
