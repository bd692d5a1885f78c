// The output of a response: its items, and the events that build them.
//
// State of one output: the finished items and the open one. Items follow one another: reasoning before the text, then one
// message, then the calls of client tools. Progress after the beginning of the text is left out. Each method returns a
// generator that must be read to its end before the next call.

import { ensurePresent } from "../../lib/assert.ts";
import type { ToolCall } from "../../core/ports.ts";
import { formatStepLine } from "../answer-event.ts";
import { formatItemId, type ResponseRef } from "./response-ids.ts";
import type { MessageItem, OutputItem, OutputPart } from "./response-object.ts";

/** An event of a stream before it gets its number. */
export type ResponseEventDraft = { readonly type: string; readonly [member: string]: unknown };
export type ResponseEventDrafts = Generator<ResponseEventDraft, void>;

type OpenItem = { readonly kind: "text" | "refusal" | "reasoning"; readonly id: string; text: string };

/** Builds the output of one response. */
export class ResponseOutput {
  readonly #ref: ResponseRef;
  readonly #items: OutputItem[] = [];
  #open: OpenItem | null = null;
  #hasMessage = false;

  constructor(ref: ResponseRef) {
    this.#ref = ref;
  }

  /** The finished items. */
  get items(): OutputItem[] {
    return [...this.#items];
  }

  /** Adds text to the message. */
  *addText(delta: string): ResponseEventDrafts {
    if (this.#open?.kind !== "text") yield* this.#openMessage("text", createPart("text", ""));
    const open = this.#append(delta);
    yield { type: "response.output_text.delta", ...this.#position(open), content_index: 0, delta, logprobs: [] };
  }

  /** Adds a paragraph to the message. */
  addParagraph(text: string): ResponseEventDrafts {
    return this.addText(this.#hasMessage ? `\n\n${text}` : text);
  }

  /** Adds a message with a refusal. */
  *addRefusal(delta: string): ResponseEventDrafts {
    yield* this.#openMessage("refusal", createPart("refusal", ""));
    const open = this.#append(delta);
    yield { type: "response.refusal.delta", ...this.#position(open), content_index: 0, delta };
  }

  /** Adds a line about the progress to the reasoning. */
  addStep(text: string): ResponseEventDrafts {
    return this.addReasoning(formatStepLine(this.#open?.text ?? "", text));
  }

  *addReasoning(delta: string): ResponseEventDrafts {
    if (this.#hasMessage) return;
    if (this.#open === null) {
      const { id } = this.#openItem("reasoning", "rs");
      yield this.#createItemEvent("added", { type: "reasoning", id, status: "in_progress", summary: [] });
      const part = { type: "summary_text", text: "" };
      yield { type: "response.reasoning_summary_part.added", ...this.#position({ id }), summary_index: 0, part };
    }
    const open = this.#append(delta);
    yield { type: "response.reasoning_summary_text.delta", ...this.#position(open), summary_index: 0, delta };
  }

  *addCall({ id: call_id, name, arguments: args }: ToolCall): ResponseEventDrafts {
    yield* this.#close("completed");
    const number = this.#items.filter(({ type }) => type === "function_call").length;
    const item = { type: "function_call", id: formatItemId("fc", number, this.#ref), call_id, name } as const;
    yield this.#createItemEvent("added", { ...item, status: "in_progress", arguments: "" });
    yield { type: "response.function_call_arguments.delta", ...this.#position(item), delta: args };
    yield { type: "response.function_call_arguments.done", ...this.#position(item), name, arguments: args };
    yield this.#finishItem({ ...item, status: "completed", arguments: args });
  }

  /** Closes the open item. A complete output has a message or a call, even if the text is empty. */
  *end(status: MessageItem["status"]): ResponseEventDrafts {
    const hasAnswer = this.#hasMessage || this.#items.some(({ type }) => type === "function_call");
    if (!hasAnswer && status === "completed") yield* this.addText("");
    yield* this.#close(status);
  }

  *#openMessage(kind: "text" | "refusal", part: OutputPart): ResponseEventDrafts {
    yield* this.#close("completed");
    this.#hasMessage = true;
    const open = this.#openItem(kind, "msg");
    yield this.#createItemEvent("added", createMessageItem(open.id, "in_progress", []));
    yield { type: "response.content_part.added", ...this.#position(open), content_index: 0, part };
  }

  *#close(status: MessageItem["status"]): ResponseEventDrafts {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { id, kind, text } = open;
    if (kind === "reasoning") {
      const part = { type: "summary_text" as const, text };
      yield { type: "response.reasoning_summary_text.done", ...this.#position(open), summary_index: 0, text };
      yield { type: "response.reasoning_summary_part.done", ...this.#position(open), summary_index: 0, part };
      yield this.#finishItem({ type: "reasoning", id, status, summary: [part] });
      return;
    }
    const content = { ...this.#position(open), content_index: 0 };
    if (kind === "refusal") yield { type: "response.refusal.done", ...content, refusal: text };
    else yield { type: "response.output_text.done", ...content, text, logprobs: [] };
    const part = createPart(kind, text);
    yield { type: "response.content_part.done", ...content, part };
    yield this.#finishItem(createMessageItem(id, status, [part]));
  }

  #openItem(kind: OpenItem["kind"], prefix: "msg" | "rs"): OpenItem {
    return (this.#open = { kind, id: formatItemId(prefix, 0, this.#ref), text: "" });
  }

  #append(delta: string): OpenItem {
    const open = ensurePresent(this.#open, "the open item");
    open.text += delta;
    return open;
  }

  #finishItem(item: OutputItem): ResponseEventDraft {
    const event = this.#createItemEvent("done", item);
    this.#items.push(item);
    return event;
  }

  #createItemEvent(change: "added" | "done", item: OutputItem): ResponseEventDraft {
    return { type: `response.output_item.${change}`, output_index: this.#items.length, item };
  }

  #position({ id }: { readonly id: string }): { readonly item_id: string; readonly output_index: number } {
    return { item_id: id, output_index: this.#items.length };
  }
}

function createPart(kind: "text" | "refusal", text: string): OutputPart {
  return kind === "refusal"
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs: [] };
}

function createMessageItem(id: string, status: MessageItem["status"], content: OutputPart[]): MessageItem {
  return { type: "message", id, status, role: "assistant", content };
}
