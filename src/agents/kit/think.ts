import type { Model, Said } from "./agent.ts";
import type { Allowance } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";

export type ModelRequest = Parameters<Model["complete"]>[0];
export type Completion = Awaited<ReturnType<Model["complete"]>>;

/** Calls until a model says something that can be used. */
const MAX_ATTEMPTS = 3;

/** Says nothing: a stream with nothing to tell shows that its agent is there. */
const ALIVE: Said = { type: "text", text: "" };
/** How often a model that says nothing for long, as while it writes a tool call, lets its agent say so. */
const ALIVE_MS = 15_000;

/** What readers are told of an answer that has to be taken back. */
const BROKE_OFF = "The model's answer broke off or made no sense; asking again.";

export type Manner = {
  /** What was told of an answer can be taken back. */
  readonly mayRetract?: boolean;
  /** An answer without a word or a call is one to read. */
  readonly mayBeSilent?: boolean;
};

/**
 * What a model says, told while it is heard, and what it cost once it is over. An answer that breaks off, is empty or
 * makes no sense is asked for again, three times at most; where something of it was told, only if that can be taken back.
 * Throws `Exhausted` when `used` allows no further call, and what the model throws.
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

/** What a model is told of tools. */
export function specsOf(tools: NonNullable<ModelRequest["tools"]>): NonNullable<ModelRequest["tools"]> {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
