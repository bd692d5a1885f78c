// How a run begins: with a message, or with answers to the questions that the last one ended with.

import type { Accepted } from "../../durable/api.ts";
import { sendSchema, type Send } from "../../protocol/commands.ts";
import { Fault } from "../../protocol/fault.ts";
import { boundedHistory, type Turn } from "../earlier.ts";
import type { Verbs } from "../verbs.ts";
import { isWhichQuestion } from "../which-question.ts";
import type { Message } from "./events.ts";
import { lastWords, type RunInput } from "./input.ts";
import { resume, type Late } from "./resume.ts";

export type Begun = {
  readonly thread: string;
  /** What is told begins here. */
  readonly since: number;
  /** The run is the message that was sent, or the answer that it was taken as. */
  readonly isMessage: boolean;
  readonly isFirst: boolean;
  /** Answers that were not taken, because their questions were closed before. */
  readonly late: readonly Late[];
};

/** The ids of texts that were said here. */
const OURS = /^item-[0-9a-f]{32}$/;

/** Null for a run that only withdraws what was withdrawn already: there is nothing to follow. */
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

/** Words that may be meant for one of several questions are refused, in the words of this protocol. */
async function started(verbs: Verbs, { threadId, runId }: RunInput, send: Send): Promise<Accepted> {
  try {
    return await verbs.start(threadId, send, runId);
  } catch (thrown) {
    if (!isWhichQuestion(thrown)) throw thrown;
    throw new Fault("conflict", "Several questions are open: answer them with resume.", { field: "resume" });
  }
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
