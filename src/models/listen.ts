import type { Completion, ModelDelta, ModelRequest } from "../core/ports.ts";
import { ModelFault } from "../core/ports.ts";
import { jsonIn } from "../protocol/json-text.ts";
import { EventSplitter, type ServerEvent } from "../protocol/server-events.ts";
import { Answer } from "./answer.ts";
import type { Habit } from "./pace.ts";
import { Pieces } from "./pieces.ts";
import { interrupted, malformed, SentError } from "./trouble.ts";
import type { Watch } from "./watch.ts";

/** Characters of a whole answer on the wire, its frames included. */
const MAX_ANSWER_LENGTH = 16 * 1_048_576;
/** How long the usage may take after the last word. */
const USAGE_WAIT_MS = 2_000;
/** What endpoints are like, by their origins: where an answer breaks or stays open, a read that waits gets nothing. */
const habits = new Map<string, Habit>();

/**
 * Reads one answer to its end. Rejects with a `ModelFault`, a `SentError`, or the reason of the watch's signal.
 * What goes wrong with a stream after the model has said how it ended leaves the answer complete. `isCareful` takes in
 * all that came before a break, whatever it costs.
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
      // One that is asked for again says nothing of those that are not.
      else if (!isCareful) habits.set(origin, pieces.habit);
    });
    return completion;
  } catch (thrown) {
    habits.delete(origin);
    throw thrown;
  }
}

async function readStream(pieces: Pieces, answer: Answer, watch: Watch): Promise<void> {
  const splitter = new EventSplitter();
  let isDone = false;
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

/** Whether what came instead of events is a document that the endpoint did not call one. */
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

/** Whether the stream said that it is complete. What was said before trouble is heard before it is thrown. */
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

/** Some gateways answer a request for a stream with one JSON document. */
async function readWhole(pieces: Pieces, answer: Answer, watch: Watch): Promise<void> {
  let document = "";
  await readText(pieces, watch, (text) => {
    document += text;
    return false;
  });
  answer.take(parse(document));
  answer.flush();
}

/** Until it ends or `hear` says that this is all. */
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
