// A thread as a chat completion: whole, or in chunks.

import type { Usage } from "../../protocol/events.ts";
import type { Pending } from "../../protocol/question.ts";
import { HEARTBEAT } from "../../protocol/server-events.ts";
import { HEARTBEAT_MS } from "../sse.ts";
import { Answer, questionWords, stepLine, type Spoken } from "../spoken.ts";
import { bodyOf, failureOf, refusalOf, stopped, type Refusal } from "./refusal.ts";

const utf8 = new TextEncoder();

/** What every chunk of a completion carries. `created` is in seconds since the epoch. */
export type Head = { readonly id: string; readonly created: number; readonly model: string };

/** Of their reasons, the one that says that there is less than there should be. */
const UNFINISHED = "length";

/**
 * The completion, once the thread is over or asks. Throws a `Refusal` for a thread that was stopped, or that failed
 * before there was anything to answer with.
 */
export async function wholeAnswer(head: Head, spoken: AsyncIterable<Spoken>): Promise<object> {
  const answer = new Answer();
  let last = "";
  let finish = "stop";
  let usage: Usage | null = null;
  for await (const piece of spoken) {
    answer.take(piece);
    if (piece.kind === "failed") throw failureOf(piece.code, piece.message);
    if (piece.kind === "done" && piece.isCancelled) throw stopped();
    if (piece.kind === "asked") last = askedWords(piece.questions);
    if (piece.kind === "unfinished") [last, finish] = [piece.message, UNFINISHED];
    if (piece.kind === "done" || piece.kind === "unfinished") ({ usage } = piece);
  }
  const content = [answer.text, last].filter((part) => part !== "").join("\n\n");
  const thoughts = answer.thoughts === "" ? {} : { reasoning_content: answer.thoughts };
  const message = { role: "assistant", content, refusal: null, ...thoughts };
  return {
    ...named(head, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage === null ? {} : { usage: usageOf(usage) }),
  };
}

/**
 * The completion as it comes, in server-sent events. A thread that is stopped, or that fails with nothing to
 * answer with, ends the stream with an error; `leave` is called when the reader does.
 */
export function streamedAnswer(
  head: Head,
  spoken: AsyncIterable<Spoken>,
  wantsUsage: boolean,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const events = eventsOf(head, spoken, wantsUsage);
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => controller.enqueue(utf8.encode(HEARTBEAT)), HEARTBEAT_MS);
    },
    async pull(controller) {
      const { done, value } = await events.next();
      if (done !== true) return controller.enqueue(utf8.encode(value));
      clearInterval(heartbeat);
      controller.close();
    },
    async cancel() {
      clearInterval(heartbeat);
      leave();
      await events.return();
    },
  });
}

async function* eventsOf(head: Head, spoken: AsyncIterable<Spoken>, wantsUsage: boolean): AsyncGenerator<string, void> {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    event({ ...named(head, "chat.completion.chunk"), choices, ...(wantsUsage ? { usage: null } : {}), ...more });
  const delta = (said: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: said, logprobs: null, finish_reason: finish }]);
  function* end(finish: string, usage: Usage | null = null): Generator<string, void> {
    yield delta({}, finish);
    if (wantsUsage && usage !== null) yield chunk([], { usage: usageOf(usage) });
  }
  yield delta({ role: "assistant", content: "" });
  let last = "";
  let hasSpoken = false;
  try {
    for await (const piece of spoken) {
      switch (piece.kind) {
        case "text":
          yield delta({ content: piece.isNew ? `\n\n${piece.text}` : piece.text });
          hasSpoken = true;
          break;
        case "thought":
        case "step": {
          const text = piece.kind === "step" ? stepLine(last, piece.text) : piece.text;
          last = text;
          yield delta({ reasoning_content: text });
          break;
        }
        case "taken_back":
          break;
        case "asked":
          yield delta({ content: (hasSpoken ? "\n\n" : "") + askedWords(piece.questions) });
          yield* end("stop");
          break;
        case "unfinished":
          yield delta({ content: `\n\n${piece.message}` });
          yield* end(UNFINISHED, piece.usage);
          break;
        case "failed":
          return yield* failing(failureOf(piece.code, piece.message));
        case "done":
          if (piece.isCancelled) return yield* failing(stopped());
          yield* end("stop", piece.usage);
      }
    }
  } catch (thrown) {
    return yield* failing(refusalOf(thrown));
  }
  yield "data: [DONE]\n\n";
}

/** One question after the other: the next message can answer no more than one. */
function askedWords(questions: readonly Pending[]): string {
  return questions.slice(0, 1).map(questionWords).join("");
}

function* failing(refusal: Refusal): Generator<string, void> {
  yield event(bodyOf(refusal));
  yield "data: [DONE]\n\n";
}

function event(body: object): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}

function named({ id, created, model }: Head, object: string): object {
  return { id, object, created, model, system_fingerprint: null };
}

function usageOf({ input_tokens: prompt, output_tokens: completion }: Usage): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
