// Reads the response of a model endpoint into a completion: an event stream, or a single JSON document.
//
// Each call owns its `BodyReader` and `CompletionBuilder`; calls may run in parallel.
// - A stream is complete if it contains `[DONE]` or a `finish_reason`. Any other end is an interruption.
// - Errors of a stream after its `finish_reason` are ignored, except an abort by the caller: only the usage is missing
//   then. It is awaited for `USAGE_WAIT_MS` at most.
// - Deltas before an error in the stream reach `onDelta` before the error is thrown.
// - `endpointProfiles` is shared by all calls of the isolate. It decides how large reads may be (see read-batching.ts).
//   An answer that breaks or stays open deletes the profile of its origin, since a read that waits for more bytes than
//   will come loses those that are there.

import type { Completion, ModelDelta, ModelRequest } from "../core/ports.ts";
import { ModelFault } from "../core/ports.ts";
import { jsonIn } from "../protocol/json-text.ts";
import { EventSplitter, type ServerEvent } from "../protocol/server-events.ts";
import { Answer } from "./answer.ts";
import type { Habit } from "./pace.ts";
import { Pieces } from "./pieces.ts";
import { interrupted, malformed, SentError } from "./trouble.ts";
import type { Watch } from "./watch.ts";

/** The maximum length of a response body in UTF-16 units, SSE framing included. */
const MAX_ANSWER_LENGTH = 16 * 1_048_576;
/** The maximum time in ms between the `finish_reason` and the usage. */
const USAGE_WAIT_MS = 2_000;
/** The profile of each endpoint, by origin. An absent entry means `unknown`. */
const habits = new Map<string, Habit>();

/**
 * Reads the response to its end and returns the completion. Rejects with a `ModelFault`, with an `InStreamError`, or
 * with the reason of the watch's signal. A retry ignores the profile: it reads every byte at once, so that nothing
 * before a break is lost. After the completion the rest of the body is drained in the background, so that the
 * connection can be reused and the profile is known.
 */
export async function listen(
  response: Response,
  request: ModelRequest,
  hear: (delta: ModelDelta) => void,
  watch: Watch,
  isCareful: boolean,
): Promise<Completion> {
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  if (type.includes("html")) throw webPage();
  if (response.body === null) throw malformed("The model gave an empty answer.");
  const origin = URL.parse(response.url)?.origin ?? "";
  const known = isCareful ? "unknown" : (habits.get(origin) ?? "unknown");
  const pieces = new Pieces(response.body, watch.signal, known);
  try {
    const answer = new Answer(hear);
    if (type.includes("json")) await readWhole(pieces, answer, watch);
    else await readStream(pieces, answer, watch);
    const completion = answer.complete(request);
    void pieces.drain().then((isOver) => {
      if (!isOver) habits.delete(origin);
      // A retry ignores the profile, so its result does not update it.
      else if (!isCareful) habits.set(origin, pieces.habit);
    });
    return completion;
  } catch (thrown) {
    habits.delete(origin);
    throw thrown;
  }
}

/** Reads an event stream. Also accepts one JSON document under a wrong or missing content type. */
async function readStream(pieces: Pieces, answer: Answer, watch: Watch): Promise<void> {
  const splitter = new EventSplitter();
  let isDone = false;
  // The body as long as it has contained no event; undefined after the first one.
  let eventless: string | undefined = "";
  try {
    await readText(pieces, watch, (text) => {
      const events = splitter.feed(text);
      eventless = events.length > 0 ? undefined : eventless?.concat(text);
      isDone = takeEvents(events, answer);
      if (!isDone && answer.isFinished) watch.shorten(USAGE_WAIT_MS);
      return isDone;
    });
  } catch (thrown) {
    const isOfTheEndpoint = thrown instanceof ModelFault || thrown instanceof SentError;
    if (!answer.isFinished || !isOfTheEndpoint) throw thrown;
    return;
  }
  isDone ||= takeEvents(splitter.end(), answer);
  if (isDone || answer.isFinished || (eventless !== undefined && takeUntyped(eventless, answer))) return;
  throw interrupted(undefined);
}

/** Adds a body without events if it is a JSON document; returns false if it is not. Throws for an HTML page. */
function takeUntyped(text: string, answer: Answer): boolean {
  if (/^\s*<(?:!doctype|html)/i.test(text)) throw webPage();
  const document = jsonIn(text);
  if (document === undefined) return false;
  answer.take(document);
  answer.flush();
  return true;
}

function webPage(): ModelFault {
  const message = "The model's endpoint answered with a web page. Please check OPENAI_BASE_URL.";
  return new ModelFault("model_refused", message, { retryable: false });
}

/** Adds the events and returns true at `[DONE]`. Flushes also if an event throws. */
function takeEvents(events: readonly ServerEvent[], answer: Answer): boolean {
  try {
    for (const { name, data } of events) {
      if (data === "[DONE]") return true;
      const value = parse(data);
      answer.take(name === "error" ? { error: value } : value);
    }
    return false;
  } finally {
    answer.flush();
  }
}

/** Reads a response that is one JSON document; some gateways do not stream. */
async function readWhole(pieces: Pieces, answer: Answer, watch: Watch): Promise<void> {
  let document = "";
  await readText(pieces, watch, (text) => {
    document += text;
    return false;
  });
  answer.take(parse(document));
  answer.flush();
}

/** Reads text until the body ends or `onText` returns true. Restarts the silence timeout with each batch. */
function readText(pieces: Pieces, watch: Watch, hear: (text: string) => boolean): Promise<void> {
  let length = 0;
  return pieces.listen((text) => {
    watch.touch();
    length += text.length;
    if (length > MAX_ANSWER_LENGTH) throw malformed("The model's answer is far too long.");
    return hear(text);
  });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw malformed("The model's answer could not be read.", cause);
  }
}
