// Starts a run: with a message, or with answers to the questions that the last run ended with.

import type { Accepted } from "../../durable/api.ts";
import { sendSchema, type Send } from "../../protocol/commands.ts";
import { Fault } from "../../protocol/fault.ts";
import { boundedHistory, type Turn } from "../earlier.ts";
import type { Verbs } from "../verbs.ts";
import { isWhichQuestion } from "../which-question.ts";
import type { Message } from "./events.ts";
import { lastWords, type RunInput } from "./input.ts";
import { resume, type Late } from "./resume.ts";

/** The thread of a run and the position from which the run follows it. */
export type Begun = {
  readonly thread: string;
  /** The `seq` of the first event that belongs to this run. */
  readonly since: number;
  /**
   * True if the run starts with a message, which may have been accepted as an answer; false if it starts with resume
   * entries.
   */
  readonly isMessage: boolean;
  /** True if the message created the conversation. */
  readonly isFirst: boolean;
  /** Answers that were rejected because their questions were already closed. */
  readonly late: readonly Late[];
};

/** The ids of messages that this runtime produced. */
const OURS = /^item-[0-9a-f]{32}$/;

/**
 * Starts or resumes the thread of a run. A repeated run id returns the thread of the first time (T2). Null if the run
 * only withdraws questions that are already closed, so there is nothing to follow. Rejects with a `Fault` for invalid
 * input.
 */
export async function begin(verbs: Verbs, input: RunInput, agent: string | null): Promise<Begun | null> {
  const answered = input.resume.length === 0 ? null : await resume(verbs, input);
  if (answered !== null) return { ...answered, isMessage: false, isFirst: false };
  if (input.resume.length > 0 && input.messages.at(-1)?.role !== "user") return null;
  const { message, at } = lastWords(input);
  const options = knowing(input, saidElsewhere(input.messages.slice(0, at)));
  const send: Send = { ...options, message, ...(agent === null ? {} : { agent }) };
  const accepted = await started(verbs, input, send);
  return { thread: accepted.thread_id, since: accepted.seq, isMessage: true, isFirst: accepted.is_first, late: [] };
}

/**
 * Starts a thread. If the message may answer several open questions, the fault names `resume`, the field of this
 * protocol for answers.
 */
async function started(verbs: Verbs, { threadId, runId }: RunInput, send: Send): Promise<Accepted> {
  try {
    return await verbs.start(threadId, send, runId);
  } catch (thrown) {
    if (!isWhichQuestion(thrown)) throw thrown;
    throw new Fault("conflict", "Several questions are open: answer them with resume.", { field: "resume" });
  }
}

/** Adds the messages of other agents to the context of the command, unless the context would become invalid. */
function knowing({ options }: RunInput, turns: readonly Turn[]): RunInput["options"] {
  if (turns.length === 0) return options;
  const context = { ...options.context, history: boundedHistory(turns) };
  return sendSchema.shape.context.safeParse(context).success ? { ...options, context } : options;
}

/**
 * Returns the client's messages that are not in our log: its instructions, and everything up to the last answer of
 * another agent.
 */
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
