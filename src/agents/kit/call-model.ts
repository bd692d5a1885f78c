// One model call of an agent, streamed as events, with retries.
//
// Deltas are yielded while the model works, and one usage event at the end of each attempt, also of a failed one. An
// attempt that fails with a retryable error or returns neither text nor calls is repeated, at most three times in
// all. If it has emitted output, it is repeated only with `mayRetract`, after a `retracted` event.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import type { AgentModel, AgentRunEvent } from "./agent.ts";
import type { AgentBudget } from "./agent-limits.ts";
import { createEventQueue } from "./event-queue.ts";

/** The parameters of a model call. */
export type AgentModelRequest = Parameters<AgentModel["complete"]>[0];
/** The result of a model call. */
export type AgentCompletion = Awaited<ReturnType<AgentModel["complete"]>>;

const MAX_ATTEMPTS = 3;

/** An empty text. It resets the silence timer of the reader and is not displayed. */
const KEEPALIVE_EVENT: AgentRunEvent = { type: "text", text: "" };
/** Interval of keepalive events, for a model that emits no deltas, for example while it writes a tool call. */
const KEEPALIVE_MS = 15_000;

/** The options of `callModel`. */
export type CallModelOptions = {
  /** Output of an attempt may be retracted, because a checkpoint precedes it. */
  readonly mayRetract?: boolean;
  /** A completion without text and calls is valid. */
  readonly mayBeEmpty?: boolean;
  /** The language of the reason of a `retracted` event; English by default. */
  readonly language?: Language;
};

/**
 * Calls the model, yields its deltas and returns the completion. Counts every attempt in `budget`. Returns an empty
 * completion if the attempts are used up. Throws `agent_exhausted` if the budget allows no further call, and the error
 * of the last attempt, which may be the abort reason of the request's signal.
 */
export async function* callModel(
  model: AgentModel,
  request: AgentModelRequest,
  budget: AgentBudget,
  { mayRetract = false, mayBeEmpty = false, language = "en" }: CallModelOptions = {},
): AsyncGenerator<AgentRunEvent, AgentCompletion> {
  for (let attempt = 1; ; attempt += 1) {
    budget.spendModelCall();
    const queue = createEventQueue();
    let hasOutput = false;
    const completing = model.complete({ ...request, attempt }, ({ type, text }) => {
      hasOutput = true;
      queue.push({ type, text });
    });
    const keepalive = setInterval(() => queue.push(KEEPALIVE_EVENT), KEEPALIVE_MS);
    const close = () => {
      clearInterval(keepalive);
      queue.close();
    };
    const closed = completing.then(close, close);
    yield* queue;
    await closed;
    const usage = { model_calls: 1, input_tokens: 0, output_tokens: 0 };
    try {
      const completion = await completing;
      budget.addTokens(completion.usage);
      usage.input_tokens = completion.usage.inputTokens;
      usage.output_tokens = completion.usage.outputTokens;
      const isEmpty = completion.text.trim() === "" && completion.toolCalls.length === 0;
      if (!isEmpty || mayBeEmpty || (hasOutput && !mayRetract) || attempt >= MAX_ATTEMPTS) return completion;
    } catch (thrown) {
      if ((hasOutput && !mayRetract) || attempt >= MAX_ATTEMPTS || !isRetryable(thrown)) throw thrown;
    } finally {
      yield { type: "usage", usage };
    }
    if (hasOutput) yield { type: "retracted", reason: formatMessage(language, createMessage("turn.modelRetry")) };
  }
}

function isRetryable(thrown: unknown): boolean {
  return thrown instanceof Error && "retryable" in thrown && thrown.retryable === true;
}

/** Returns the tools reduced to the fields that the model receives: name, description and parameters. */
export function toToolSpecs(tools: NonNullable<AgentModelRequest["tools"]>): NonNullable<AgentModelRequest["tools"]> {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
