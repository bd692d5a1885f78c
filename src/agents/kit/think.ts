import type { Model, Said } from "./agent.ts";
import type { Allowance } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";

export type ModelRequest = Parameters<Model["complete"]>[0];
export type Completion = Awaited<ReturnType<Model["complete"]>>;

/**
 * One model call, told while it is heard, and what it cost once it is over. Throws `Exhausted` when `used` allows
 * no further one, and what the model throws.
 */
export async function* think(model: Model, request: ModelRequest, used: Allowance): AsyncGenerator<Said, Completion> {
  used.takeModelCall();
  const box = new Mailbox();
  const answer = model.complete(request, (delta) => box.push({ type: delta.type, text: delta.text }));
  const ended = answer.then(
    () => box.close(),
    () => box.close(),
  );
  yield* box;
  await ended;
  const usage = { model_calls: 1, input_tokens: 0, output_tokens: 0 };
  try {
    const completion = await answer;
    used.addTokens(completion.usage);
    usage.input_tokens = completion.usage.inputTokens;
    usage.output_tokens = completion.usage.outputTokens;
    return completion;
  } finally {
    yield { type: "usage", usage };
  }
}

/** What a model is told of tools. */
export function specsOf(tools: NonNullable<ModelRequest["tools"]>): NonNullable<ModelRequest["tools"]> {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
