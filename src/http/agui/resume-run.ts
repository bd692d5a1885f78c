// Answers the questions that a run ended with, and reports answers that came too late.
//
// Order of operations: all entries are parsed before the first is sent. Answers to closed questions are sent first, so
// that an error in one of them changes nothing. Entries are sent one after the other. Each entry has a command id that
// is derived from the run id, so a repeated request repeats no answer (T2).

import type { ResumeCommand } from "../../protocol/wire/commands.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { getItemText } from "../../protocol/wire/items.ts";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import type { Operations } from "../api/operations.ts";
import type { RunInput } from "./run-input.ts";
import { parseInterruptAnswer, type ResumeEntry } from "./interrupts.ts";

/** An answer that was rejected, with the code and message of the fault. */
export type RejectedAnswer = { readonly interruptId: string; readonly code: string; readonly message: string };

/** The thread and the `seq` from which the run follows it. */
type ResumePosition = {
  readonly thread: string;
  readonly since: number;
  readonly rejectedAnswers: readonly RejectedAnswer[];
};

/** A parsed resume entry. `answer` is null for a cancellation; `command` is its idempotency key. */
type PreparedEntry = { readonly entry: ResumeEntry; readonly answer: ResumeCommand | null; readonly command: string };

/**
 * Sends the answers and withdrawals of a run, and returns the thread to follow: the thread of the last answer. An
 * answer to a closed question returns the position where it was closed, so that the client learns the outcome. Null if
 * no thread is affected. Rejects with a `Fault` for an invalid entry.
 */
export async function answerInterrupts(operations: Operations, input: RunInput): Promise<ResumePosition | null> {
  const { threadId } = input;
  const entries = prepareEntries(input);
  const { pending } = await operations.context({ id: threadId });
  const findPendingQuestion = ({ entry }: PreparedEntry) =>
    pending.find(({ request_id }) => request_id === entry.interruptId);
  const isClosed = (prepared: PreparedEntry) => findPendingQuestion(prepared) === undefined;
  const positions: ResumePosition[] = [];
  let withdrawn: string | null = null;
  for (const prepared of [...entries.filter(isClosed), ...entries.filter((entry) => !isClosed(entry))]) {
    const question = findPendingQuestion(prepared);
    if (prepared.answer !== null) positions.push(await sendAnswer(operations, threadId, prepared, prepared.answer));
    else if (question !== undefined && question.approval === undefined)
      withdrawn = await withdrawQuestion(operations, threadId, question);
    else positions.push(...(await refuseApproval(operations, threadId, prepared)));
  }
  const thread = positions.at(-1)?.thread;
  if (thread === undefined) return withdrawn === null ? null : { thread: withdrawn, since: 0, rejectedAnswers: [] };
  const since = Math.min(
    ...positions.filter((position) => position.thread === thread).map((position) => position.since),
  );
  return { thread, since, rejectedAnswers: positions.flatMap(({ rejectedAnswers }) => rejectedAnswers) };
}

/**
 * Parses the entries. The first answer uses the run id as its command id; others use the run id with their interrupt
 * id. Throws a `Fault` for an invalid payload or two entries for one question.
 */
function prepareEntries({ resume: entries, runId }: RunInput): PreparedEntry[] {
  const first = entries.find(({ status }) => status === "resolved");
  const ids = new Set(entries.map(({ interruptId }) => interruptId));
  if (ids.size < entries.length) {
    throw new Fault("invalid_request", "resume: must answer each question only once", { field: "resume" });
  }
  return entries.map((entry, i) => ({
    entry,
    answer: entry.status === "resolved" ? parseInterruptAnswer(entry, i) : null,
    // Ids have at most 128 characters.
    command: entry === first ? runId : `${runId.slice(-90).toWellFormed()}/${entry.interruptId}`.slice(0, 128),
  }));
}

/**
 * Sends an answer. If the question is closed, returns its position, and reports the answer unless it equals the
 * accepted answer.
 */
async function sendAnswer(
  operations: Operations,
  id: string,
  { entry, command }: PreparedEntry,
  answer: ResumeCommand,
): Promise<ResumePosition> {
  try {
    const { thread_id: thread, seq: since } = await operations.resume({ id, body: answer, commandId: command });
    return { thread, since, rejectedAnswers: [] };
  } catch (thrown) {
    const closed = isQuestionClosed(thrown) ? await findClosedQuestion(operations, id, entry.interruptId) : null;
    if (closed === null) throw thrown;
    const { thread, since, answerText } = closed;
    const { code, message } = thrown as Fault;
    const isSame = answerText === answer.message;
    return { thread, since, rejectedAnswers: isSame ? [] : [{ interruptId: entry.interruptId, code, message }] };
  }
}

/** True for the faults of a closed question. */
function isQuestionClosed(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code.startsWith("question_");
}

/**
 * Finds a closed question: its thread, the `seq` where it was closed, and the text of its answer, or null if it had
 * none. Returns null if the conversation does not contain the question.
 */
async function findClosedQuestion(operations: Operations, id: string, requestId: string) {
  const items = await operations.items({ id });
  const question = items.find(({ payload }) => payload["request_id"] === requestId);
  if (question?.thread_id === undefined) return null;
  const answer = items.find(({ event, metadata }) => event === "message" && metadata["request_id"] === requestId);
  const answerText = answer === undefined ? null : getItemText(answer);
  return { thread: question.thread_id, since: answer?.seq ?? question.seq + 1, answerText };
}

/**
 * Refuses an approval that the client has cancelled. Returns an empty list if the question is closed, unless this
 * command closed it.
 */
async function refuseApproval(
  operations: Operations,
  id: string,
  { entry, command }: PreparedEntry,
): Promise<ResumePosition[]> {
  try {
    const refusal = { request_id: entry.interruptId, message: "refuse" };
    const { thread_id: thread, seq: since } = await operations.resume({ id, body: refusal, commandId: command });
    return [{ thread, since, rejectedAnswers: [] }];
  } catch (thrown) {
    if (isQuestionClosed(thrown)) return [];
    throw thrown;
  }
}

/** Cancels the task or thread that waits for an answer, and returns the thread. */
async function withdrawQuestion(
  operations: Operations,
  id: string,
  { thread_id, task_id }: PendingQuestion,
): Promise<string> {
  try {
    await operations.cancel({ id, body: task_id === undefined ? { thread_id } : { task_id } });
  } catch (thrown) {
    // The thread has ended in the meantime.
    if (!(thrown instanceof Fault) || !/^(not_found|conflict)$/.test(thrown.code)) throw thrown;
  }
  return thread_id;
}
