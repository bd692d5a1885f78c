// Answers the questions that a run ended with, and reports answers that came too late.
//
// Order of operations: all entries are parsed before the first is sent. Answers to closed questions are sent first, so
// that an error in one of them changes nothing. Entries are sent one after the other. Each entry has a command id that
// is derived from the run id, so a repeated request repeats no answer (T2).

import type { Resume } from "../../protocol/commands.ts";
import { Fault } from "../../protocol/fault.ts";
import { textOf } from "../../protocol/items.ts";
import type { Pending } from "../../protocol/question.ts";
import type { Verbs } from "../verbs.ts";
import type { RunInput } from "./input.ts";
import { answerIn, type ResumeEntry } from "./interrupts.ts";

/** An answer that was rejected, with the code and message of the fault. */
export type Late = { readonly interruptId: string; readonly code: string; readonly message: string };

/** The thread and the `seq` from which the run follows it. */
type Place = { readonly thread: string; readonly since: number; readonly late: readonly Late[] };

/** A parsed resume entry. `answer` is null for a cancellation; `command` is its idempotency key. */
type Entry = { readonly entry: ResumeEntry; readonly answer: Resume | null; readonly command: string };

/**
 * Sends the answers and withdrawals of a run, and returns the thread to follow: the thread of the last answer. An
 * answer to a closed question returns the position where it was closed, so that the client learns the outcome. Null if
 * nothing was open. Rejects with a `Fault` for an invalid entry.
 */
export async function resume(verbs: Verbs, input: RunInput): Promise<Place | null> {
  const { threadId } = input;
  const entries = entriesOf(input);
  const { pending } = await verbs.context(threadId);
  const openOf = ({ entry }: Entry) => pending.find(({ request_id }) => request_id === entry.interruptId);
  const isClosed = (one: Entry) => openOf(one) === undefined;
  const places: Place[] = [];
  let withdrawn: string | null = null;
  for (const one of [...entries.filter(isClosed), ...entries.filter((entry) => !isClosed(entry))]) {
    const asked = openOf(one);
    if (one.answer !== null) places.push(await answered(verbs, threadId, one, one.answer));
    else if (asked !== undefined && asked.approval === undefined) withdrawn = await withdraw(verbs, threadId, asked);
    else places.push(...(await refuse(verbs, threadId, one)));
  }
  const thread = places.at(-1)?.thread;
  if (thread === undefined) return withdrawn === null ? null : { thread: withdrawn, since: 0, late: [] };
  const since = Math.min(...places.filter((place) => place.thread === thread).map((place) => place.since));
  return { thread, since, late: places.flatMap(({ late }) => late) };
}

/**
 * Parses the entries. The first answer uses the run id as its command id; others use the run id with their interrupt
 * id. Throws a `Fault` for an invalid payload or two entries for one question.
 */
function entriesOf({ resume: entries, runId }: RunInput): Entry[] {
  const first = entries.find(({ status }) => status === "resolved");
  const ids = new Set(entries.map(({ interruptId }) => interruptId));
  if (ids.size < entries.length) {
    throw new Fault("invalid_request", "resume: answer each question once", { field: "resume" });
  }
  return entries.map((entry, i) => ({
    entry,
    answer: entry.status === "resolved" ? answerIn(entry, i) : null,
    // Ids have at most 128 characters.
    command: entry === first ? runId : `${runId.slice(-90).toWellFormed()}/${entry.interruptId}`.slice(0, 128),
  }));
}

/**
 * Sends an answer. If the question is closed, returns its position, and reports the answer unless it equals the
 * accepted answer.
 */
async function answered(verbs: Verbs, id: string, { entry, command }: Entry, answer: Resume): Promise<Place> {
  try {
    const { thread_id: thread, seq: since } = await verbs.resume(id, answer, command);
    return { thread, since, late: [] };
  } catch (thrown) {
    const closed = isClosing(thrown) ? await closedIn(verbs, id, entry.interruptId) : null;
    if (closed === null) throw thrown;
    const { thread, since, words } = closed;
    const { code, message } = thrown as Fault;
    const isSame = words === answer.message;
    return { thread, since, late: isSame ? [] : [{ interruptId: entry.interruptId, code, message }] };
  }
}

/** True for the faults of a closed question. */
function isClosing(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code.startsWith("question_");
}

/**
 * Finds a closed question: its thread, the `seq` where it was closed, and the text of its answer, or null if it had
 * none. Returns null if the conversation does not contain the question.
 */
async function closedIn(verbs: Verbs, id: string, requestId: string) {
  const items = await verbs.items(id);
  const question = items.find(({ payload }) => payload["request_id"] === requestId);
  if (question?.thread_id === undefined) return null;
  const answer = items.find(({ event, metadata }) => event === "message" && metadata["request_id"] === requestId);
  const words = answer === undefined ? null : textOf(answer);
  return { thread: question.thread_id, since: answer?.seq ?? question.seq + 1, words };
}

/**
 * Refuses an approval that the client has cancelled. Returns an empty list if the question is closed, unless this
 * command closed it.
 */
async function refuse(verbs: Verbs, id: string, { entry, command }: Entry): Promise<Place[]> {
  try {
    const refusal = { request_id: entry.interruptId, message: "refuse" };
    const { thread_id: thread, seq: since } = await verbs.resume(id, refusal, command);
    return [{ thread, since, late: [] }];
  } catch (thrown) {
    if (isClosing(thrown)) return [];
    throw thrown;
  }
}

/** Cancels the task or thread that waits for an answer, and returns the thread. */
async function withdraw(verbs: Verbs, id: string, { thread_id, task_id }: Pending): Promise<string> {
  try {
    await verbs.cancel(id, task_id === undefined ? { thread_id } : { task_id });
  } catch (thrown) {
    // The thread has ended in the meantime.
    if (!(thrown instanceof Fault) || !/^(not_found|conflict)$/.test(thrown.code)) throw thrown;
  }
  return thread_id;
}
