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

const MAX_TOOL_CALLS = 128;

/** What an answer that was cut is given at its end: its reader, a model too, must not take it for whole. */
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

/**
 * One completion as it grows out of its chunks. What they say is told in `flush`, which the reader
 * calls once for everything that arrived together: as few calls as keep the order.
 */
export class Answer {
  readonly #hear: (delta: ModelDelta) => void;
  readonly #calls = new ToolCalls();
  #untold: { type: ModelDelta["type"]; text: string } | undefined;
  #text = "";
  #reasoning = "";
  #finish = "";
  #usage: ModelUsage | undefined;

  constructor(hear: (delta: ModelDelta) => void) {
    this.#hear = hear;
  }

  /** The model has said how it ended; at most the usage is still to come. */
  get isFinished(): boolean {
    return this.#finish !== "";
  }

  /** Takes one chunk, or a whole reply. Throws a `SentError` for an error in its place. */
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

  flush(): void {
    const told = this.#untold;
    this.#untold = undefined;
    if (told !== undefined) this.#hear(told);
  }

  /**
   * The completion, once the stream has ended well; a model may say that it is done without having said anything. An answer that was cut at the model's length limit
   * counts as far as it goes: its text is returned and says so, only a tool call that was cut makes it malformed.
   */
  complete(request: ModelRequest): Completion {
    const toolCalls = this.#calls.finish();
    this.#check(toolCalls);
    const cut = toolCalls.length === 0 ? CUT.get(this.#finish) : undefined;
    if (cut !== undefined) {
      // On the same line: what is read of an answer's last line is still read of it.
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
