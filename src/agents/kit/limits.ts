/** What one task of a tool agent may use. */
export type Limits = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Input and output tokens of all model calls. */
  readonly tokens: number;
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

/** Counts what a run has used, and says when it is too much. */
export class Allowance {
  modelCalls = 0;
  toolCalls = 0;
  inputTokens = 0;
  outputTokens = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Throws `Exhausted` when no further model call is allowed. */
  takeModelCall(): void {
    const { modelCalls, tokens } = this.#limits;
    if (this.modelCalls >= modelCalls) throw new Exhausted(`The agent had no answer after ${modelCalls} model calls.`);
    if (this.inputTokens + this.outputTokens >= tokens)
      throw new Exhausted(`The agent had no answer after ${tokens} tokens.`);
    this.modelCalls += 1;
  }

  takeToolCall(): void {
    const { toolCalls } = this.#limits;
    if (this.toolCalls >= toolCalls) throw new Exhausted(`The agent had no answer after ${toolCalls} tool calls.`);
    this.toolCalls += 1;
  }

  addTokens(usage: { readonly inputTokens: number; readonly outputTokens: number }): void {
    this.inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
  }
}
