// A thread as a chat completion of the OpenAI API: as one response, or as a stream of chunks.
//
// After the first chunk the status is sent, so failures become an error event. Text that was sent cannot be retracted:
// the stream ignores retractions.

import type { ToolCall } from "../../core/ports.ts";
import type { Usage } from "../../protocol/wire/events.ts";
import { formatDataEvent } from "../sse.ts";
import { AnswerText, formatStepLine } from "../answer-event.ts";
import { formatFirstQuestion, type CheckedEvent } from "./checked-answer.ts";
import {
  toOpenAiErrorBody,
  createThreadError,
  toOpenAiError,
  createCancelledError,
  type OpenAiError,
} from "./openai-error.ts";

/** The properties that all chunks of a completion share. `created` is in seconds since the epoch. */
export type OpenAiCompletionHead = { readonly id: string; readonly created: number; readonly model: string };

/** The `finish_reason` of an incomplete answer. */
const UNFINISHED_REASON = "length";
/** The `finish_reason` of an answer that ends with calls of client tools. */
const CALLS_REASON = "tool_calls";

/**
 * Waits until the thread ends or asks, and returns the completion. The first question is appended to the content, and
 * so is the reason of a failure after some results (`finish_reason: "length"`). Rejects with an `OpenAiError` if the
 * thread was cancelled or failed without a result.
 */
export async function buildCompletion(
  head: OpenAiCompletionHead,
  events: AsyncIterable<CheckedEvent>,
): Promise<object> {
  const answer = new AnswerText();
  const calls: ToolCall[] = [];
  let closingText = "";
  let refusal: string | null = null;
  let finish = "stop";
  let usage: Usage | null = null;
  for await (const event of events) {
    if (event.kind === "refusal") refusal = event.text;
    else answer.apply(event);
    if (event.kind === "failed") throw createThreadError(event.code, event.message);
    if (event.kind === "done" && event.isCancelled) throw createCancelledError();
    if (event.kind === "client_call") calls.push(event.call);
    if (event.kind === "asked") closingText = formatFirstQuestion(event);
    if (event.kind === "unfinished") [closingText, finish] = [event.message, UNFINISHED_REASON];
    if (event.kind === "done" || event.kind === "unfinished") ({ usage } = event);
  }
  const content = [answer.text, closingText].filter((part) => part !== "").join("\n\n");
  const hasContent = content !== "" || (refusal === null && calls.length === 0);
  const message = {
    role: "assistant",
    content: hasContent ? content : null,
    refusal,
    ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toToolCall(call)) }),
  };
  const reason = calls.length > 0 ? CALLS_REASON : finish;
  return {
    ...createEnvelope(head, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
    ...(usage === null ? {} : { usage: toOpenAiUsage(usage) }),
  };
}

/**
 * Yields the completion as server-sent events up to `[DONE]`. Never throws: if the thread is cancelled, fails without a
 * result or cannot be read, the event before `[DONE]` is an error. `wantsUsage` adds an event with the usage.
 */
export async function* streamCompletion(
  head: OpenAiCompletionHead,
  events: AsyncIterable<CheckedEvent>,
  wantsUsage: boolean,
): AsyncGenerator<string, void> {
  const formatChunk = (choices: readonly object[], more: object = {}): string =>
    formatDataEvent(
      JSON.stringify({
        ...createEnvelope(head, "chat.completion.chunk"),
        choices,
        ...(wantsUsage ? { usage: null } : {}),
        ...more,
      }),
    );
  const formatDelta = (content: object, finish: string | null = null): string =>
    formatChunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);
  function* finishStream(finish: string, usage: Usage | null = null): Generator<string, void> {
    yield formatDelta({}, finish);
    if (wantsUsage && usage !== null) yield formatChunk([], { usage: toOpenAiUsage(usage) });
  }
  yield formatDelta({ role: "assistant", content: "" });
  let precedingText = "";
  let hasText = false;
  let calls = 0;
  try {
    for await (const event of events) {
      switch (event.kind) {
        case "text":
          yield formatDelta({ content: event.isNew ? `\n\n${event.text}` : event.text });
          hasText = true;
          break;
        case "thought":
        case "step": {
          const text = event.kind === "step" ? formatStepLine(precedingText, event.text) : event.text;
          precedingText = text;
          yield formatDelta({ reasoning_content: text });
          break;
        }
        case "taken_back":
          break;
        case "refusal":
          yield formatDelta({ refusal: event.text });
          break;
        case "client_call":
          yield formatDelta({ tool_calls: [{ index: calls, ...toToolCall({ ...event.call, arguments: "" }) }] });
          yield formatDelta({ tool_calls: [{ index: calls, function: { arguments: event.call.arguments } }] });
          calls += 1;
          break;
        case "asked":
          yield formatDelta({ content: (hasText ? "\n\n" : "") + formatFirstQuestion(event) });
          yield* finishStream("stop");
          break;
        case "unfinished":
          yield formatDelta({ content: `\n\n${event.message}` });
          yield* finishStream(UNFINISHED_REASON, event.usage);
          break;
        case "failed":
          return yield* generateErrorEvents(createThreadError(event.code, event.message));
        case "done":
          if (event.isCancelled) return yield* generateErrorEvents(createCancelledError());
          yield* finishStream(calls > 0 ? CALLS_REASON : "stop", event.usage);
      }
    }
  } catch (thrown) {
    return yield* generateErrorEvents(toOpenAiError(thrown));
  }
  yield formatDataEvent("[DONE]");
}

/** Converts a call to the format of OpenAI. */
function toToolCall({ id, name, arguments: args }: ToolCall): object {
  return { id, type: "function", function: { name, arguments: args } };
}

/** Yields an error event and the end of the stream. */
function* generateErrorEvents(error: OpenAiError): Generator<string, void> {
  yield formatDataEvent(JSON.stringify(toOpenAiErrorBody(error)));
  yield formatDataEvent("[DONE]");
}

/** Returns the common properties of a completion or chunk; `object` is its type. */
function createEnvelope({ id, created, model }: OpenAiCompletionHead, object: string): object {
  return { id, object, created, model, system_fingerprint: null };
}

/** Converts the usage to the format of OpenAI. */
function toOpenAiUsage({ input_tokens: prompt, output_tokens: completion }: Usage): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
