// How a run begins: with a message, or with answers to the questions that the last one ended with.

import type { Accepted } from "../../durable/api.ts";
import { sendSchema, type Send } from "../../protocol/commands.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Pending } from "../../protocol/question.ts";
import { boundedHistory } from "../openai/history.ts";
import type { Turn } from "../openai/request.ts";
import type { Verbs } from "../verbs.ts";
import type { Message } from "./events.ts";
import { lastWords, type RunInput } from "./input.ts";
import { answerIn, type ResumeEntry } from "./interrupts.ts";

export type Begun = {
  readonly thread: string;
  /** What is told begins here. */
  readonly since: number;
  /** The run is the message that was sent, or the answer that it was taken as. */
  readonly isMessage: boolean;
  readonly isFirst: boolean;
};

/** The ids of texts that were said here. */
const OURS = /^item-[0-9a-f]{32}$/;

/** Null for a run that only withdraws what was withdrawn already: there is nothing to follow. */
export async function begin(verbs: Verbs, input: RunInput, agent: string | null): Promise<Begun | null> {
  const answered = input.resume.length === 0 ? null : await resume(verbs, input);
  if (answered !== null) return answered;
  if (input.resume.length > 0 && input.messages.at(-1)?.role !== "user") return null;
  const { message, at } = lastWords(input);
  const options = knowing(input, saidElsewhere(input.messages.slice(0, at)));
  const send: Send = { ...options, message, ...(agent === null ? {} : { agent }) };
  const accepted = await verbs.start(input.threadId, send, input.runId);
  return { thread: accepted.thread_id, since: accepted.seq, isMessage: true, isFirst: accepted.is_first };
}

/** The options of a message with what was said elsewhere before, as far as a context may hold it. */
function knowing({ options }: RunInput, turns: readonly Turn[]): RunInput["options"] {
  if (turns.length === 0) return options;
  const context = { ...options.context, history: boundedHistory(turns) };
  return sendSchema.shape.context.safeParse(context).success ? { ...options, context } : options;
}

/** What of a client's messages no conversation here knows: its instructions, and all up to the last answer of others. */
function saidElsewhere(messages: readonly Message[]): Turn[] {
  const last = messages.findLastIndex(
    ({ id, role, content }) => role === "assistant" && !OURS.test(id) && hasText(content),
  );
  return messages.flatMap(({ role, content }, i): Turn[] => {
    if (!hasText(content)) return [];
    if (role === "developer" || role === "system") return [{ role: "system", content }];
    return i <= last && (role === "user" || role === "assistant") ? [{ role, content }] : [];
  });
}

function hasText(content: unknown): content is string {
  return typeof content === "string" && content.trim() !== "";
}

/** Answers, and withdraws, what a run's entries say. Null when nothing of it was open any more. */
async function resume(verbs: Verbs, input: RunInput): Promise<Begun | null> {
  const { threadId, runId } = input;
  // Nothing is answered unless everything that is wrong with the answers can be told first.
  const entries = input.resume.map((entry, i) => ({
    entry,
    answer: entry.status === "resolved" ? answerIn(entry, i) : null,
  }));
  const pending = await openIn(verbs, threadId);
  const accepted: Accepted[] = [];
  let withdrawn: string | null = null;
  for (const { entry, answer } of entries) {
    const asked = pending.find(({ request_id }) => request_id === entry.interruptId);
    // The first answer is the run; others need names of their own.
    const command = accepted.length === 0 ? runId : `${runId}/${entry.interruptId}`;
    if (answer !== null) accepted.push(await verbs.resume(threadId, answer, command));
    else if (asked !== undefined && asked.approval === undefined) withdrawn = await withdraw(verbs, threadId, asked);
    else accepted.push(...(await refuse(verbs, threadId, entry, command)));
  }
  const [first] = accepted;
  if (first !== undefined) return { thread: first.thread_id, since: first.seq, isMessage: false, isFirst: false };
  return withdrawn === null ? null : { thread: withdrawn, since: 0, isMessage: false, isFirst: false };
}

async function openIn(verbs: Verbs, id: string): Promise<readonly Pending[]> {
  return (await verbs.context(id)).pending;
}

/** A tool call that nobody decides on is refused. Nothing for a question that is not open, unless this has closed it. */
async function refuse(verbs: Verbs, id: string, { interruptId }: ResumeEntry, command: string): Promise<Accepted[]> {
  try {
    return [await verbs.resume(id, { request_id: interruptId, message: "refuse" }, command)];
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code.startsWith("question_")) return [];
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
