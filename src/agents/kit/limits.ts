// The limits of a tool agent and the budget that enforces them. A budget belongs to one task: it is stored with the
// state of a question or checkpoint, and continues after a pause or a crash.

import * as z from "zod";

/** The maximum that one task of a tool agent may use, including its questions and their answers. */
export type Limits = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Input and output tokens of all model calls. */
  readonly tokens: number;
  /** Seconds from the request, or from an answer, to the next question or the end. */
  readonly seconds: number;
  /** Maximum characters of a tool result that the model sees; the rest is truncated. */
  readonly resultChars: number;
};

/** The limits of a tool agent that sets none. */
export const DEFAULT_LIMITS: Limits = {
  modelCalls: 8,
  toolCalls: 24,
  tokens: 100_000,
  seconds: 120,
  resultChars: 16_000,
};

/** Thrown when a limit is reached. The person reads the message. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
}

const count = z.int().nonnegative();

/** The stored form of a budget: the usage so far. */
export const usedSchema = z.object({ modelCalls: count, toolCalls: count, inputTokens: count, outputTokens: count });
export type Used = z.infer<typeof usedSchema>;

const NOTHING: Used = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

/** Counts the usage of one task. The `spend…` methods throw before a limit is exceeded. */
export class Allowance {
  #used: Used;
  readonly #limits: Limits;

  constructor(limits: Limits, used: Used = NOTHING) {
    this.#limits = limits;
    this.#used = used;
  }

  /** The usage so far, as a plain object that can be stored. */
  get used(): Used {
    return this.#used;
  }

  /** Counts a model call. Throws `AgentLimitError` if no further call is allowed, or if the tokens are used up. */
  takeModelCall(): void {
    const { modelCalls, tokens } = this.#limits;
    const used = this.#used;
    if (used.modelCalls >= modelCalls) throw new Exhausted(`The agent had no answer after ${modelCalls} model calls.`);
    if (used.inputTokens + used.outputTokens >= tokens)
      throw new Exhausted(`The agent had no answer after ${tokens} tokens.`);
    this.#used = { ...used, modelCalls: used.modelCalls + 1 };
  }

  /** Counts a tool call. Throws `AgentLimitError` if no further call is allowed. */
  takeToolCall(): void {
    const { toolCalls } = this.#limits;
    const used = this.#used;
    if (used.toolCalls >= toolCalls) throw new Exhausted(`The agent had no answer after ${toolCalls} tool calls.`);
    this.#used = { ...used, toolCalls: used.toolCalls + 1 };
  }

  /** Adds the tokens of a finished model call. Never throws: `spendModelCall` checks the sum. */
  addTokens({ inputTokens, outputTokens }: Pick<Used, "inputTokens" | "outputTokens">): void {
    const used = this.#used;
    this.#used = {
      ...used,
      inputTokens: used.inputTokens + inputTokens,
      outputTokens: used.outputTokens + outputTokens,
    };
  }
}
