// One model call of an agent, streamed as events, with retries.
//
// Deltas are yielded while the model works, and one usage event at the end of each attempt, also of a failed one. An
// attempt that fails with a retryable error or returns neither text nor calls is repeated, at most three times in
// all. If it has emitted output, it is repeated only with `mayRetract`, after a `retracted` event.

import type { Model, Said } from "./agent.ts";
import type { Allowance } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";

/** The parameters of a model call. */
export type ModelRequest = Parameters<Model["complete"]>[0];
/** The result of a model call. */
export type Completion = Awaited<ReturnType<Model["complete"]>>;

/** Attempts until the model returns a usable completion. */
const MAX_ATTEMPTS = 3;

/** An empty text. It resets the silence timer of the reader and is not displayed. */
const ALIVE: Said = { type: "text", text: "" };
/** Interval of keepalive events, for a model that emits no deltas, for example while it writes a tool call. */
const ALIVE_MS = 15_000;

/** The reason of a `retracted` event. */
const BROKE_OFF = "The model's answer broke off or made no sense; asking again.";

export type Manner = {
  /** Output of an attempt may be retracted, because a checkpoint precedes it. */
  readonly mayRetract?: boolean;
  /** A completion without text and calls is valid. */
  readonly mayBeSilent?: boolean;
};

/**
 * Calls the model, yields its deltas and returns the completion. Throws `AgentLimitError` if `used` allows no further
 * call, and the error of the last attempt.
 */
export async function* think(
  model: Model,
  request: ModelRequest,
  used: Allowance,
  { mayRetract = false, mayBeSilent = false }: Manner = {},
): AsyncGenerator<Said, Completion> {
  for (let attempt = 1; ; attempt += 1) {
    used.takeModelCall();
    const box = new Mailbox();
    let hasTold = false;
    const answer = model.complete({ ...request, attempt }, ({ type, text }) => {
      hasTold = true;
      box.push({ type, text });
    });
    const alive = setInterval(() => box.push(ALIVE), ALIVE_MS);
    const close = () => {
      clearInterval(alive);
      box.close();
    };
    const ended = answer.then(close, close);
    yield* box;
    await ended;
    const usage = { model_calls: 1, input_tokens: 0, output_tokens: 0 };
    try {
      const completion = await answer;
      used.addTokens(completion.usage);
      usage.input_tokens = completion.usage.inputTokens;
      usage.output_tokens = completion.usage.outputTokens;
      const isSilent = completion.text.trim() === "" && completion.toolCalls.length === 0;
      if (!isSilent || mayBeSilent || (hasTold && !mayRetract) || attempt >= MAX_ATTEMPTS) return completion;
    } catch (thrown) {
      if ((hasTold && !mayRetract) || attempt >= MAX_ATTEMPTS || !isRetryable(thrown)) throw thrown;
    } finally {
      yield { type: "usage", usage };
    }
    if (hasTold) yield { type: "retracted", reason: BROKE_OFF };
  }
}

function isRetryable(thrown: unknown): boolean {
  return thrown instanceof Error && "retryable" in thrown && thrown.retryable === true;
}

/** Returns the fields of tools that the model receives. */
export function specsOf(tools: NonNullable<ModelRequest["tools"]>): NonNullable<ModelRequest["tools"]> {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
