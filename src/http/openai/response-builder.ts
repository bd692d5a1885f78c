// Builds a response from the events of an answer, as an object and as the events of a stream.
//
// State of one response: its object, its output and the number of the next event. Text that was sent cannot be retracted.

import { assertNever } from "../../lib/assert.ts";
import type { Usage } from "../../protocol/wire/events.ts";
import { formatFirstQuestion, type CheckedEvent } from "./checked-answer.ts";
import { createCancelledError, createThreadError, toOpenAiError, type OpenAiError } from "./openai-error.ts";
import { createResponseObject, toResponseUsage, type ResponseHead, type ResponseObject } from "./response-object.ts";
import { ResponseOutput, type ResponseEventDraft, type ResponseEventDrafts } from "./response-output.ts";

/** An event of a stream. */
export type ResponseEvent = ResponseEventDraft & { readonly sequence_number: number };

/** Builds one response. Pass the events of its answer in order, each once. */
export class ResponseBuilder {
  readonly #output: ResponseOutput;
  #response: ResponseObject;
  #error: OpenAiError | null = null;
  #number = 0;

  constructor(head: ResponseHead) {
    this.#output = new ResponseOutput(head.ref);
    this.#response = createResponseObject(head);
  }

  /** The response with its finished output. */
  get response(): ResponseObject {
    return { ...this.#response, output: this.#output.items };
  }

  /** The failure or cancellation that has ended the response; otherwise null. */
  get error(): OpenAiError | null {
    return this.#error;
  }

  /** Returns the first events of the stream. */
  start(): ResponseEvent[] {
    return this.#toEvents([this.#createStateEvent("created"), this.#createStateEvent("in_progress")]);
  }

  /** Applies an event of the answer and returns the events of the stream, possibly none. */
  apply(event: CheckedEvent): ResponseEvent[] {
    return this.#toEvents(this.#encode(event));
  }

  /** Ends the response because its thread cannot be read. */
  break(thrown: unknown): ResponseEvent[] {
    return this.#toEvents(this.#fail(toOpenAiError(thrown), "failed"));
  }

  #toEvents(drafts: Iterable<ResponseEventDraft>): ResponseEvent[] {
    return Array.from(drafts, ({ type, ...rest }) => ({ type, sequence_number: this.#number++, ...rest }));
  }

  *#encode(event: CheckedEvent): ResponseEventDrafts {
    switch (event.kind) {
      case "text":
        return yield* this.#output.addText(event.isNew ? `\n\n${event.text}` : event.text);
      case "thought":
        return yield* this.#output.addReasoning(event.text);
      case "step":
        return yield* this.#output.addStep(event.text);
      case "taken_back":
        return;
      case "refusal":
        return yield* this.#output.addRefusal(event.text);
      case "client_call":
        return yield* this.#output.addCall(event.call);
      case "asked":
        yield* this.#output.addParagraph(formatFirstQuestion(event));
        return yield* this.#complete("completed", null);
      case "failed":
        return yield* this.#fail(createThreadError(event.code, event.message), "failed");
      case "unfinished":
        yield* this.#output.addParagraph(event.message);
        this.#response = { ...this.#response, incomplete_details: { reason: "max_output_tokens" } };
        return yield* this.#complete("incomplete", event.usage);
      case "done":
        if (event.isCancelled) return yield* this.#fail(createCancelledError(), "cancelled", event.usage);
        return yield* this.#complete("completed", event.usage);
      default:
        return assertNever(event);
    }
  }

  *#complete(status: "completed" | "incomplete", usage: Usage | null): ResponseEventDrafts {
    yield* this.#output.end(status);
    this.#response = { ...this.#response, status, usage: usage === null ? null : toResponseUsage(usage) };
    yield this.#createStateEvent(status);
  }

  *#fail(error: OpenAiError, status: "failed" | "cancelled", usage: Usage | null = null): ResponseEventDrafts {
    this.#error = error;
    yield* this.#output.end("incomplete");
    const { code, message } = error;
    const used = usage === null ? null : toResponseUsage(usage);
    this.#response = { ...this.#response, status, usage: used, error: { code, message } };
    // The API has no event for a cancelled response.
    yield this.#createStateEvent("failed");
  }

  #createStateEvent(state: string): ResponseEventDraft {
    return { type: `response.${state}`, response: this.response };
  }
}
