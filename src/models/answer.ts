// Builds the completion of one attempt from the chunks of its stream.
//
// `readCompletion` creates a `CompletionBuilder` per response, calls `addChunk` for each chunk, `flush` after each
// group of chunks that were read together, and builds the completion once, after a good end. Single use; calls must not
// overlap.
// - Consecutive deltas of one type are joined until `flush`, so a group costs few calls of `onDelta`. A change of type
//   flushes first, which keeps the order.
// - The text of the completion is the concatenation of the text deltas that `onDelta` received.
// - If `addChunk` throws, deltas before the error are still pending; the caller flushes them.

import { jsonIn } from "../protocol/json-text.ts";
import {
  ModelFault,
  type Completion,
  type ModelDelta,
  type ModelRequest,
  type ModelUsage,
  type ToolCall,
} from "../core/ports.ts";
import { languageOf, type Both } from "../protocol/words/language.ts";
import { asObject, asText, choiceOf, contentOf, reasoningOf, type Chunk, type Delta } from "./chunk.ts";
import { ToolCalls } from "./tool-calls.ts";
import { malformed, SentError } from "./trouble.ts";
import { estimateUsage, readUsage } from "./usage.ts";

/** The maximum number of tool calls per completion, so that a runaway stream ends early. */
const MAX_TOOL_CALLS = 128;

/**
 * Notices by `finish_reason`, appended to a truncated text. Its readers, other models included, must not take it for
 * complete.
 */
const CUT: ReadonlyMap<string, Both> = new Map([
  [
    "length",
    {
      en: "[The answer breaks off here: the model has reached its length limit.]",
      zh: "［回答在此中断：已达到模型的长度上限。］",
    },
  ],
  [
    "content_filter",
    {
      en: "[The answer breaks off here: the model's content filter held the rest back.]",
      zh: "［回答在此中断：其余内容被模型的内容过滤器拦下。］",
    },
  ],
]);

/** The completion of one attempt while its chunks arrive. */
export class Answer {
  readonly #hear: (delta: ModelDelta) => void;
  readonly #calls = new ToolCalls();
  /** Joined deltas that `onDelta` has not received yet. */
  #untold: { type: ModelDelta["type"]; text: string } | undefined;
  #text = "";
  #reasoning = "";
  /** The last `finish_reason`; "" until the endpoint sends one. */
  #finish = "";
  /** The last valid usage; undefined until the endpoint sends one. */
  #usage: ModelUsage | undefined;

  constructor(hear: (delta: ModelDelta) => void) {
    this.#hear = hear;
  }

  /** True once the endpoint has sent a `finish_reason`; only the usage may follow. */
  get isFinished(): boolean {
    return this.#finish !== "";
  }

  /**
   * Adds one chunk of a stream, or a complete response. Throws an `InStreamError` if the endpoint sent an error object
   * instead, and a `ModelFault` (`model_malformed`) for too many tool calls.
   */
  take(value: unknown): void {
    const chunk: Chunk = asObject(value) ?? {};
    if (chunk.error !== undefined && chunk.error !== null) throw new SentError(chunk.error);
    this.#usage = readUsage(chunk.usage) ?? this.#usage;
    const choice = choiceOf(chunk);
    if (choice === undefined) return;
    const delta: Delta = asObject(choice.delta) ?? asObject(choice.message) ?? {};
    this.#say("reasoning", reasoningOf(delta));
    this.#say("text", contentOf(delta));
    if (Array.isArray(delta.tool_calls)) this.#takeCalls(delta.tool_calls);
    this.#finish = asText(choice.finish_reason) || this.#finish;
  }

  #takeCalls(deltas: readonly unknown[]): void {
    for (const delta of deltas) {
      this.#calls.take(delta);
      if (this.#calls.count > MAX_TOOL_CALLS)
        throw malformed(`The model asked for more than ${MAX_TOOL_CALLS} tools at once.`);
    }
  }

  #say(type: ModelDelta["type"], text: string): void {
    if (text === "") return;
    if (type === "text") this.#text += text;
    else this.#reasoning += text;
    if (this.#untold?.type === type) {
      this.#untold.text += text;
      return;
    }
    this.flush();
    this.#untold = { type, text };
  }

  /** Passes pending text to `onDelta`. */
  flush(): void {
    const told = this.#untold;
    this.#untold = undefined;
    if (told !== undefined) this.#hear(told);
  }

  /**
   * Returns the completion after the stream has ended well. Text that was cut at the length limit or by the content
   * filter is returned with a notice; the notice also goes to `onDelta`. An empty completion with `finish_reason`
   * `stop` is valid. If the endpoint sent no usage, it is estimated from the request and the output.
   *
   * Throws a `ModelFault`: `model_malformed` for an empty or truncated answer, for a tool call without a name or with
   * truncated arguments; `model_refused` if the content filter removed everything; `model_interrupted` for the
   * `finish_reason` `error`.
   */
  complete(request: ModelRequest): Completion {
    const toolCalls = this.#calls.finish();
    this.#check(toolCalls);
    const cut = toolCalls.length === 0 ? CUT.get(this.#finish) : undefined;
    if (cut !== undefined) {
      // The notice stays on the last line, because callers parse the last line of an answer.
      this.#say("text", ` ${cut[languageOf(this.#text)]}`);
      this.flush();
    }
    const usage = this.#usage ?? estimateUsage(request, [this.#reasoning, this.#text], toolCalls);
    return { text: this.#text, toolCalls, usage };
  }

  #check(calls: readonly ToolCall[]): void {
    if (this.#finish === "error") {
      throw new ModelFault("model_interrupted", "The model broke off its answer. Please try again.", {
        retryable: true,
      });
    }
    const isEmpty = this.#text.trim() === "" && calls.length === 0;
    if (isEmpty && this.#finish === "content_filter") {
      const message = "The model's content filter held the answer back. Please put the request differently.";
      throw new ModelFault("model_refused", message, { retryable: false });
    }
    if (isEmpty && this.#finish === "length")
      throw malformed("The model reached its length limit before it said anything.");
    if (isEmpty && this.#finish === "") throw malformed("The model gave an empty answer.");
    if (calls.some((call) => call.name === "")) throw malformed("The model called a tool without naming it.");
    if (this.#finish === "length" && calls.some((call) => jsonIn(call.arguments) === undefined)) {
      throw malformed("The model reached its length limit in the middle of a tool call.");
    }
  }
}
