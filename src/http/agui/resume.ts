// Answers to the questions that a run ended with, and what becomes of those that come too late.

import type { Resume } from "../../protocol/commands.ts";
import { Fault } from "../../protocol/fault.ts";
import { textOf } from "../../protocol/items.ts";
import type { Pending } from "../../protocol/question.ts";
import type { Verbs } from "../verbs.ts";
import type { RunInput } from "./input.ts";
import { answerIn, type ResumeEntry } from "./interrupts.ts";

/** An answer that was not taken, and why. */
export type Late = { readonly interruptId: string; readonly code: string; readonly message: string };

/** Where the run is told from. */
type Place = { readonly thread: string; readonly since: number; readonly late: readonly Late[] };

type Entry = { readonly entry: ResumeEntry; readonly answer: Resume | null; readonly command: string };

/**
 * Answers, and withdraws, what a run's entries say. An answer that was given before, or that comes after somebody
 * else's, leads to what came of the question: the client has to learn that it is closed. Null when all was withdrawn
 * already.
 */
export async function resume(verbs: Verbs, input: RunInput): Promise<Place | null> {
  const { threadId } = input;
  // Nothing is answered unless everything that is wrong with the answers can be told first: closed ones come first.
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

/** The first answer is the run; what else there is needs names of its own, the same whenever the run comes again. */
function entriesOf({ resume: entries, runId }: RunInput): Entry[] {
  const first = entries.find(({ status }) => status === "resolved");
  const ids = new Set(entries.map(({ interruptId }) => interruptId));
  if (ids.size < entries.length) {
    throw new Fault("invalid_request", "resume: answer each question once", { field: "resume" });
  }
  return entries.map((entry, i) => ({
    entry,
    answer: entry.status === "resolved" ? answerIn(entry, i) : null,
    // As long as an id may be.
    command: entry === first ? runId : `${runId.slice(-90).toWellFormed()}/${entry.interruptId}`.slice(0, 128),
  }));
}

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

function isClosing(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code.startsWith("question_");
}

/** How a question ended that is not open any more: with its answer, or without. Null when nothing is left of it. */
async function closedIn(verbs: Verbs, id: string, requestId: string) {
  const items = await verbs.items(id);
  const question = items.find(({ payload }) => payload["request_id"] === requestId);
  if (question?.thread_id === undefined) return null;
  const answer = items.find(({ event, metadata }) => event === "message" && metadata["request_id"] === requestId);
  const words = answer === undefined ? null : textOf(answer);
  return { thread: question.thread_id, since: answer?.seq ?? question.seq + 1, words };
}

/** A tool call that nobody decides on is refused. Nothing for a question that is not open, unless this has closed it. */
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

/** Nobody answers: what waits for it is stopped. Resolves with its thread. */
async function withdraw(verbs: Verbs, id: string, { thread_id, task_id }: Pending): Promise<string> {
  try {
    await verbs.cancel(id, task_id === undefined ? { thread_id } : { task_id });
  } catch (thrown) {
    // It ended meanwhile.
    if (!(thrown instanceof Fault) || !/^(not_found|conflict)$/.test(thrown.code)) throw thrown;
  }
  return thread_id;
}
