// The limits of a tool agent and the budget that enforces them. A budget belongs to one task: it is stored with the
// state of a question or checkpoint, and continues after a pause or a crash.

import * as z from "zod";
import { createMessage } from "../../language/messages.ts";
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

  /** Counts a model call. Throws `agent_exhausted` if no further call is allowed, or if the tokens are used up. */
  spendModelCall(): void {
    const { modelCalls, tokens } = this.#limits;
    const usage = this.#usage;
    if (usage.modelCalls >= modelCalls)
      throw new Failure("agent_exhausted", createMessage("agent.modelCallLimit", { limit: modelCalls }));
    if (usage.inputTokens + usage.outputTokens >= tokens)
      throw new Failure("agent_exhausted", createMessage("agent.tokenLimit", { limit: tokens }));
    this.#usage = { ...usage, modelCalls: usage.modelCalls + 1 };
  }

  /** Counts a tool call. Throws `agent_exhausted` if no further call is allowed. */
  spendToolCall(): void {
    const { toolCalls } = this.#limits;
    const usage = this.#usage;
    if (usage.toolCalls >= toolCalls)
      throw new Failure("agent_exhausted", createMessage("agent.toolCallLimit", { limit: toolCalls }));
    this.#usage = { ...usage, toolCalls: usage.toolCalls + 1 };
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
