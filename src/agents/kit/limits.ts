import * as z from "zod";

/** What one task of a tool agent may use, its questions and their answers included. */
export type Limits = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Input and output tokens of all model calls. */
  readonly tokens: number;
  /** From the request, or from an answer, to the next question or the end. */
  readonly seconds: number;
  /** Longest tool result that the model sees; the rest is cut. */
  readonly resultChars: number;
};

export const DEFAULT_LIMITS: Limits = {
  modelCalls: 8,
  toolCalls: 24,
  tokens: 100_000,
  seconds: 120,
  resultChars: 16_000,
};

/** Ends a run with a reason that the person reads. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
}

const count = z.int().nonnegative();

export const usedSchema = z.object({ modelCalls: count, toolCalls: count, inputTokens: count, outputTokens: count });
export type Used = z.infer<typeof usedSchema>;

const NOTHING: Used = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

/** Counts what a task has used, and says when it is too much. */
export class Allowance {
  #used: Used;
  readonly #limits: Limits;

  constructor(limits: Limits, used: Used = NOTHING) {
    this.#limits = limits;
    this.#used = used;
  }

  get used(): Used {
    return this.#used;
  }

  /** Throws `Exhausted` when no further model call is allowed. */
  takeModelCall(): void {
    const { modelCalls, tokens } = this.#limits;
    const used = this.#used;
    if (used.modelCalls >= modelCalls) throw new Exhausted(`The agent had no answer after ${modelCalls} model calls.`);
    if (used.inputTokens + used.outputTokens >= tokens)
      throw new Exhausted(`The agent had no answer after ${tokens} tokens.`);
    this.#used = { ...used, modelCalls: used.modelCalls + 1 };
  }

  takeToolCall(): void {
    const { toolCalls } = this.#limits;
    const used = this.#used;
    if (used.toolCalls >= toolCalls) throw new Exhausted(`The agent had no answer after ${toolCalls} tool calls.`);
    this.#used = { ...used, toolCalls: used.toolCalls + 1 };
  }

  addTokens({ inputTokens, outputTokens }: Pick<Used, "inputTokens" | "outputTokens">): void {
    const used = this.#used;
    this.#used = {
      ...used,
      inputTokens: used.inputTokens + inputTokens,
      outputTokens: used.outputTokens + outputTokens,
    };
  }
}
