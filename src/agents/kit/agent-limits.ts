// The limits of a tool agent and the budget that enforces them. A budget belongs to one task: it is stored with the
// state of a question or checkpoint, and continues after a pause or a crash.

import * as z from "zod";
import { createMessage, type MessageKey } from "../../language/messages.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/** The maximum that one task of a tool agent may use, including its questions and their answers. */
export type AgentLimits = {
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
export const DEFAULT_LIMITS: AgentLimits = {
  modelCalls: 8,
  toolCalls: 24,
  tokens: 100_000,
  seconds: 120,
  resultChars: 16_000,
};

const countSchema = z.int().nonnegative();

/** The stored form of a budget: the usage so far. */
export const agentUsageSchema = z.object({
  modelCalls: countSchema,
  toolCalls: countSchema,
  inputTokens: countSchema,
  outputTokens: countSchema,
});
export type AgentUsage = z.infer<typeof agentUsageSchema>;

const NO_USAGE: AgentUsage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

/**
 * Counts the usage of one task; starts from `usage` to continue a stored one. The `spend…` methods throw a `Failure`
 * (`agent_exhausted`) instead of counting beyond a limit. The tokens of the last model call may exceed their limit.
 */
export class AgentBudget {
  #usage: AgentUsage;
  readonly #limits: AgentLimits;

  constructor(limits: AgentLimits, usage: AgentUsage = NO_USAGE) {
    this.#limits = limits;
    this.#usage = usage;
  }

  get usage(): AgentUsage {
    return this.#usage;
  }

  /** Counts a model call. The tokens may be used up too. */
  spendModelCall(): void {
    const { modelCalls, inputTokens, outputTokens } = this.#usage;
    this.#requireBelow("modelCalls", modelCalls, "agent.modelCallLimit");
    this.#requireBelow("tokens", inputTokens + outputTokens, "agent.tokenLimit");
    this.#usage = { ...this.#usage, modelCalls: modelCalls + 1 };
  }

  spendToolCall(): void {
    const { toolCalls } = this.#usage;
    this.#requireBelow("toolCalls", toolCalls, "agent.toolCallLimit");
    this.#usage = { ...this.#usage, toolCalls: toolCalls + 1 };
  }

  #requireBelow(kind: keyof AgentLimits, used: number, key: MessageKey): void {
    const limit = this.#limits[kind];
    if (used >= limit) throw new Failure("agent_exhausted", createMessage(key, { limit }));
  }

  /** Adds the tokens of a finished model call. Never throws: `spendModelCall` checks the sum. */
  addTokens({ inputTokens, outputTokens }: Pick<AgentUsage, "inputTokens" | "outputTokens">): void {
    const usage = this.#usage;
    this.#usage = {
      ...usage,
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
    };
  }
}
