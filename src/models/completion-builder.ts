// Builds the completion of one attempt from the chunks of its stream.
//
// `readCompletion` creates a `CompletionBuilder` per response, calls `addChunk` for each chunk, `flush` after each
// group of chunks that were read together, and builds the completion once, after a good end. Single use; calls must not
// overlap.
// - Consecutive deltas of one type are joined until `flush`, so a group costs few calls of `onDelta`. A change of type
//   flushes first, which keeps the order.
// - The text of the completion is the concatenation of the text deltas that `onDelta` received.
// - If `addChunk` throws, deltas before the error are still pending; the caller flushes them.
// - The output, reasoning and tool calls included, has at most `maxBytes` bytes. Text beyond is dropped, and `isFull` is
//   true from then on: the caller stops reading.

import { tryParseJson } from "../lib/parse-json.ts";
import {
  type ModelCompletion,
  type ModelDelta,
  type ModelRequest,
  type ModelUsage,
  type ToolCall,
} from "../core/ports.ts";
import { detectLanguage } from "../language/detect-language.ts";
import { createMessage, formatMessage, type Message, type MessageKey } from "../language/messages.ts";
import {
  toObject,
  toText,
  getFirstChoice,
  getContentText,
  getReasoningText,
  type ModelChunk,
  type ModelChunkDelta,
} from "./model-chunk.ts";
import { ToolCallBuilder } from "./tool-call-builder.ts";
import { countBytes, truncateToBytes } from "../lib/text-size.ts";
import { createInStreamError, createMalformedFailure, createTooLongFailure } from "./model-errors.ts";
import { estimateUsage, parseUsage } from "./model-usage.ts";
import { Failure } from "../protocol/wire/message-error.ts";

/** The length of the beginning of a text, in UTF-16 units, from which the language of a notice is detected. */
const MAX_DETECTED_CHARS = 10_000;
/** The maximum number of tool calls per completion, so that a runaway stream ends early. */
const MAX_TOOL_CALLS = 128;
/** The maximum size of the arguments of all tool calls of a completion, in bytes of UTF-8. */
const MAX_TOOL_ARGUMENTS_BYTES = 512 * 1024;

/**
 * Notices by `finish_reason`, appended to a truncated text. Its readers, other models included, must not take it for
 * complete.
 */
const TRUNCATION_NOTICES: ReadonlyMap<string, MessageKey> = new Map([
  ["length", "model.lengthLimitNotice"],
  ["content_filter", "model.contentFilterNotice"],
]);

/** The completion of one attempt while its chunks arrive. */
export class CompletionBuilder {
  readonly #onDelta: (delta: ModelDelta) => void;
  readonly #toolCalls = new ToolCallBuilder();
  /** Joined deltas that `onDelta` has not received yet. */
  #pending: { type: ModelDelta["type"]; text: string } | undefined;
  #text = "";
  #reasoning = "";
  /** The last `finish_reason`; "" until the endpoint sends one. */
  #finishReason = "";
  /** The last valid usage; undefined until the endpoint sends one. */
  #usage: ModelUsage | undefined;
  readonly #maxBytes: number;
  #bytes = 0;
  /** The part of `#bytes` that is arguments of tool calls. */
  #toolBytes = 0;

  constructor(onDelta: (delta: ModelDelta) => void, maxBytes: number) {
    this.#onDelta = onDelta;
    this.#maxBytes = maxBytes;
  }

  /** True once the output was longer than it may be. */
  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** True once the endpoint has sent a `finish_reason` other than `error`; only the usage may follow. */
  get isFinished(): boolean {
    return this.#finishReason !== "" && this.#finishReason !== "error";
  }

  /**
   * Adds one chunk of a stream, or a complete response. Throws an `APIError` if the endpoint sent an error object
   * instead or in its choice, and a `Failure` (`model_malformed`) for too many tool calls or too long ones.
   */
  addChunk(value: unknown): void {
    const chunk: ModelChunk = toObject(value) ?? {};
    throwInStreamError(chunk.object === "error" ? chunk : chunk.error);
    this.#usage = parseUsage(chunk.usage) ?? this.#usage;
    const choice = getFirstChoice(chunk);
    if (choice === undefined) return;
    const delta: ModelChunkDelta = toObject(choice.delta) ?? toObject(choice.message) ?? {};
    this.#append("reasoning", getReasoningText(delta));
    this.#append("text", getContentText(delta));
    if (Array.isArray(delta.tool_calls)) this.#addToolCalls(delta.tool_calls);
    throwInStreamError(choice.error);
    this.#finishReason = toText(choice.finish_reason) || this.#finishReason;
  }

  #addToolCalls(deltas: readonly unknown[]): void {
    for (const delta of deltas) {
      const bytes = this.#toolCalls.addDelta(delta);
      this.#bytes += bytes;
      this.#toolBytes += bytes;
      if (this.isFull) return;
      if (this.#toolBytes > MAX_TOOL_ARGUMENTS_BYTES) throw createTooLongFailure(MAX_TOOL_ARGUMENTS_BYTES);
      if (this.#toolCalls.count > MAX_TOOL_CALLS)
        throw createMalformedFailure(createMessage("model.tooManyToolCalls", { limit: MAX_TOOL_CALLS }));
    }
  }

  #append(type: ModelDelta["type"], whole: string): void {
    const text = this.#takeFitting(whole);
    if (text === "") return;
    if (type === "text") this.#text += text;
    else this.#reasoning += text;
    if (this.#pending?.type === type) {
      this.#pending.text += text;
      return;
    }
    this.flush();
    this.#pending = { type, text };
  }

  /** Counts a text and returns the beginning that still fits. */
  #takeFitting(text: string): string {
    const left = Math.max(0, this.#maxBytes - this.#bytes);
    this.#bytes += countBytes(text);
    return this.isFull ? truncateToBytes(text, left) : text;
  }

  /** Passes the pending delta to `onDelta`, if there is one. */
  flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) this.#onDelta(pending);
  }

  /**
   * Returns the completion after the stream has ended well or the output is full. Text that was cut at a length limit or
   * by the content filter is returned with a notice; the notice also goes to `onDelta`. Tool calls of a full output may be
   * incomplete and are left out. An empty completion with `finish_reason`
   * `stop` is valid. If the endpoint sent no usage, it is estimated from the request and the output.
   *
   * Throws a `Failure`: `model_malformed` for an empty or truncated answer, for a full one without text, for a tool call without a name or with
   * truncated arguments; `model_refused` if the content filter removed everything; `model_interrupted` for the
   * `finish_reason` `error`.
   */
  finish(request: ModelRequest): ModelCompletion {
    const toolCalls = this.isFull ? [] : this.#toolCalls.finish();
    this.#validate(toolCalls);
    const notice = this.#createNotice(toolCalls);
    if (notice !== undefined) {
      // The notice stays on the last line, because callers parse the last line of an answer.
      const text = ` ${formatMessage(detectLanguage(this.#text.slice(0, MAX_DETECTED_CHARS)), notice)}`;
      this.#text += text;
      this.flush();
      this.#onDelta({ type: "text", text });
    }
    const usage = this.#usage ?? estimateUsage(request, [this.#reasoning, this.#text], toolCalls);
    return { text: this.#text, toolCalls, usage };
  }

  /** Returns the notice for a truncated text; undefined if it is complete or belongs to tool calls. */
  #createNotice(calls: readonly ToolCall[]): Message | undefined {
    if (this.isFull) return createMessage("model.answerLimitNotice", { megabytes: this.#maxBytes / 1_048_576 });
    const key = calls.length === 0 ? TRUNCATION_NOTICES.get(this.#finishReason) : undefined;
    return key === undefined ? undefined : createMessage(key);
  }

  #validate(calls: readonly ToolCall[]): void {
    if (this.isFull) {
      if (this.#text.trim() === "") throw createTooLongFailure(this.#maxBytes);
      return;
    }
    if (this.#finishReason === "error") {
      throw new Failure("model_interrupted", createMessage("model.interrupted"), { retryable: true });
    }
    const isEmpty = this.#text.trim() === "" && calls.length === 0;
    if (isEmpty && this.#finishReason === "content_filter") {
      throw new Failure("model_refused", createMessage("model.contentFiltered"));
    }
    if (isEmpty && this.#finishReason === "length") throw createMalformedFailure("model.lengthLimit");
    if (isEmpty && this.#finishReason === "") throw createMalformedFailure("model.emptyAnswer");
    if (calls.some((call) => call.name === "")) throw createMalformedFailure("model.unnamedTool");
    if (this.#finishReason === "length" && calls.some((call) => tryParseJson(call.arguments) === undefined)) {
      throw createMalformedFailure("model.lengthLimitInToolCall");
    }
  }
}

/** Throws the `APIError` for an error object; does nothing without one. */
function throwInStreamError(sent: unknown): void {
  if (sent !== undefined && sent !== null) throw createInStreamError(sent);
}
