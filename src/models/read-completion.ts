// Reads the response of a model endpoint into a completion: an event stream, or a single JSON document.
//
// Each call owns its `BodyReader` and `CompletionBuilder`; calls may run in parallel.
// - A stream is complete if it contains `[DONE]` or a `finish_reason`. Any other end is an interruption.
// - Errors of a stream after its `finish_reason` are ignored, except an abort by the caller: only the usage is missing
//   then. It is awaited for `USAGE_WAIT_MS` at most.
// - Deltas before an error in the stream reach `onDelta` before the error is thrown.
// - An answer that reaches `maxAnswerBytes` ends there; the rest is not read. An event that is too long to parse at once
//   is an error. Neither is repeated.
// - `endpointProfiles` is shared by all calls of the isolate. It decides how large reads may be (see read-batching.ts).
//   An answer that breaks or stays open deletes the profile of its origin, since a read that waits for more bytes than
//   will come loses those that are there.

import type { ModelCompletion, ModelDelta, ModelRequest } from "../core/ports.ts";
import { createMessage } from "../language/messages.ts";
import { tryParseJson } from "../lib/parse-json.ts";
import { SseParser, type ServerSentEvent } from "../lib/sse-parser.ts";
import { CompletionBuilder } from "./completion-builder.ts";
import type { EndpointProfile } from "./read-batching.ts";
import { BodyReader } from "./body-reader.ts";
import { DeltaPacer } from "./delta-pacer.ts";
import {
  createInterruptedFailure,
  createMalformedFailure,
  createTooLongFailure,
  isInStreamError,
} from "./model-errors.ts";
import type { SilenceWatch } from "../lib/silence-watch.ts";
import { Failure } from "../protocol/wire/message-error.ts";

/** The maximum length of a response body in UTF-16 units, SSE framing included: a hundred times that of its text. */
const MAX_BODY_LENGTH = 128 * 1_048_576;
/** The maximum length of one event or document in UTF-16 units: parsing it takes less than 50 ms. */
const MAX_EVENT_LENGTH = 3 * 1_048_576;
/** The maximum time in ms between the `finish_reason` and the usage. */
const USAGE_WAIT_MS = 2_000;
/** The profile of each endpoint, by origin. An absent entry means `unknown`. */
const endpointProfiles = new Map<string, EndpointProfile>();

/**
 * Reads the response to its end and returns the completion. Rejects with a `Failure`, with the `APIError` of an error
 * in the stream, or with the reason of the watch's signal. A retry ignores the profile: it reads every byte at once, so
 * that nothing before a break is lost. After the completion the rest of the body is drained in the background, so that
 * the connection can be reused and the profile is known.
 */
export async function readCompletion(
  response: Response,
  request: ModelRequest,
  onDelta: (delta: ModelDelta) => void,
  watch: SilenceWatch,
  { isRetry, maxAnswerBytes }: { readonly isRetry: boolean; readonly maxAnswerBytes: number },
): Promise<ModelCompletion> {
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  if (type.includes("html")) throw createWebPageFailure();
  if (response.body === null) throw createMalformedFailure("model.emptyAnswer");
  const origin = URL.parse(response.url)?.origin ?? "";
  const profile = isRetry ? "unknown" : (endpointProfiles.get(origin) ?? "unknown");
  const reader = new BodyReader(response.body, watch.signal, profile);
  const pacer = new DeltaPacer(onDelta, watch.signal);
  try {
    const builder = new CompletionBuilder(pacer.write, maxAnswerBytes);
    if (type.includes("json")) await readJsonDocument(reader, builder, watch);
    else await readEventStream(reader, builder, watch);
    const completion = builder.finish(request);
    await pacer.finish();
    void reader.drain().then((isOver) => {
      if (!isOver) endpointProfiles.delete(origin);
      // A retry ignores the profile, so its result does not update it.
      else if (!isRetry) endpointProfiles.set(origin, reader.profile);
    });
    return completion;
  } catch (thrown) {
    endpointProfiles.delete(origin);
    await pacer.finish();
    throw thrown;
  }
}

/** Reads an event stream. Also accepts one JSON document under a wrong or missing content type. */
async function readEventStream(reader: BodyReader, builder: CompletionBuilder, watch: SilenceWatch): Promise<void> {
  const splitter = new SseParser();
  let isDone = false;
  // The body as long as it has contained no event; undefined after the first one.
  let textBeforeEvents: string | undefined = "";
  try {
    await readBodyText(reader, watch, (text) => {
      const events = splitter.feed(text);
      checkEventLength(splitter.incompleteLength);
      textBeforeEvents = events.length > 0 ? undefined : textBeforeEvents?.concat(text);
      isDone = addEvents(events, builder);
      if (!isDone && builder.isFinished) watch.shorten(USAGE_WAIT_MS);
      return isDone;
    });
  } catch (thrown) {
    const isEndpointError = thrown instanceof Failure || isInStreamError(thrown);
    if (!builder.isFinished || !isEndpointError) throw thrown;
    return;
  }
  isDone ||= addEvents(splitter.end(), builder);
  if (isDone || builder.isFinished || (textBeforeEvents !== undefined && addUntypedDocument(textBeforeEvents, builder)))
    return;
  throw createInterruptedFailure(undefined);
}

/** Adds a body without events if it is a JSON document; returns false if it is not. Throws for an HTML page. */
function addUntypedDocument(text: string, builder: CompletionBuilder): boolean {
  if (/^\s*<(?:!doctype|html)/i.test(text)) throw createWebPageFailure();
  const document = tryParseJson(text);
  if (document === undefined) return false;
  builder.addChunk(document);
  builder.flush();
  return true;
}

function createWebPageFailure(): Failure {
  return new Failure("model_refused", createMessage("model.webPage"));
}

/** Throws a `Failure` if an event is too long to be parsed at once. */
function checkEventLength(length: number): void {
  if (length <= MAX_EVENT_LENGTH) return;
  const text = createMessage("model.eventTooLong", { megabytes: MAX_EVENT_LENGTH / 1_048_576 });
  throw new Failure("model_malformed", text, { retryable: false });
}

/** Adds the events and returns true at `[DONE]` or if the answer is full. Flushes also if an event throws. */
function addEvents(events: readonly ServerSentEvent[], builder: CompletionBuilder): boolean {
  try {
    for (const { name, data } of events) {
      if (data === "[DONE]") return true;
      const value = parseEventData(data);
      builder.addChunk(name === "error" ? { error: value } : value);
      if (builder.isFull) return true;
    }
    return false;
  } finally {
    builder.flush();
  }
}

/** Reads a response that is one JSON document; some gateways do not stream. */
async function readJsonDocument(reader: BodyReader, builder: CompletionBuilder, watch: SilenceWatch): Promise<void> {
  let document = "";
  await readBodyText(reader, watch, (text) => {
    document += text;
    checkEventLength(document.length);
    return false;
  });
  builder.addChunk(parseEventData(document));
  builder.flush();
}

/** Reads text until the body ends or `onText` returns true. Restarts the silence timeout with each batch. */
function readBodyText(reader: BodyReader, watch: SilenceWatch, onText: (text: string) => boolean): Promise<void> {
  let length = 0;
  return reader.readAll((text) => {
    watch.touch();
    length += text.length;
    if (length > MAX_BODY_LENGTH) throw createTooLongFailure(MAX_BODY_LENGTH);
    return onText(text);
  });
}

function parseEventData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw createMalformedFailure("model.answerUnreadable", cause);
  }
}
