// A thread as a chat completion of the OpenAI API: as one response, or as a stream of chunks.
//
// The stream owns the generator of chunks and the timer of the heartbeat. Both end together: with the thread, with an
// error, or when the client disconnects, which does not stop the work of the thread. After the first chunk the status
// is sent, so failures become an error event. Text that was sent cannot be retracted: the stream ignores retractions.

import type { Usage } from "../../protocol/events.ts";
import type { Pending } from "../../protocol/question.ts";
import { HEARTBEAT } from "../../protocol/server-events.ts";
import { HEARTBEAT_MS } from "../sse.ts";
import { Answer, questionWords, stepLine, type Spoken } from "../spoken.ts";
import { bodyOf, failureOf, refusalOf, stopped, type Refusal } from "./refusal.ts";

const utf8 = new TextEncoder();

/** The properties that all chunks of a completion share. `created` is in seconds since the epoch. */
export type Head = { readonly id: string; readonly created: number; readonly model: string };

/** The `finish_reason` of an incomplete answer. */
const UNFINISHED = "length";

/**
 * Waits until the thread ends or asks, and returns the completion. A question is appended to the content. Throws an
 * `OpenAiError` if the thread was cancelled or failed without a result.
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
 * Streams the completion as server-sent events. If the thread is cancelled or fails without a result, the last event
 * before `[DONE]` is an error. `onDisconnect` is called when the client disconnects.
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

/** Yields the formatted events of the stream. Never throws. */
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

/** Formats the first question only, because the next message can answer only one. */
function askedWords(questions: readonly Pending[]): string {
  return questions.slice(0, 1).map(questionWords).join("");
}

/** Yields an error event and the end of the stream. */
function* failing(refusal: Refusal): Generator<string, void> {
  yield event(bodyOf(refusal));
  yield "data: [DONE]\n\n";
}

/** Formats an event. The events of OpenAI have no name. */
function event(body: object): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** Returns the common properties of a completion or chunk; `object` is its type. */
function named({ id, created, model }: Head, object: string): object {
  return { id, object, created, model, system_fingerprint: null };
}

/** Converts the usage to the format of OpenAI. */
function usageOf({ input_tokens: prompt, output_tokens: completion }: Usage): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
