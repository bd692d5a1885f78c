// Starts a run: with a message, or with answers to the questions that the last run ended with.

import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { messageSchema, sendCommandSchema, type SendCommand } from "../../protocol/wire/commands.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { limitHistory, type HistoryMessage } from "../client-history.ts";
import type { Operations } from "../api/operations.ts";
import { isAmbiguousAnswer } from "../api/messages.ts";
import type { AgUiMessage } from "./agui-events.ts";
import { findUserMessage, type RunInput } from "./run-input.ts";
import { answerInterrupts, type RejectedAnswer } from "./resume-run.ts";

/** The thread of a run and the position from which the run follows it. */
export type StartedRun = {
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
  readonly rejectedAnswers: readonly RejectedAnswer[];
};

/** The ids of messages that this runtime produced. */
const OWN_TEXT_ID = /^item-[0-9a-f]{32}$/;

/**
 * Starts or resumes the thread of a run: sends its resume entries, or its last message if no entry affects a thread. A
 * repeated run id returns the thread of the first time (T2). Null if no entry affects a thread and the last message is
 * not from the user. Rejects with a `Fault` for invalid input.
 */
export async function startRun(
  operations: Operations,
  input: RunInput,
  agent: string | null,
): Promise<StartedRun | null> {
  const answered = input.resume.length === 0 ? null : await answerInterrupts(operations, input);
  if (answered !== null) return { ...answered, isMessage: false, isFirst: false };
  if (input.resume.length > 0 && input.messages.at(-1)?.role !== "user") return null;
  const { message, at } = findUserMessage(input);
  const options = addForeignTurns(input, collectForeignTurns(input.messages.slice(0, at)));
  const send: SendCommand = {
    ...options,
    message: parseOrThrow(messageSchema, message),
    ...(agent === null ? {} : { agent }),
  };
  const accepted = await startThread(operations, input, send);
  return {
    thread: accepted.thread_id,
    since: accepted.seq,
    isMessage: true,
    isFirst: accepted.is_first,
    rejectedAnswers: [],
  };
}

/**
 * Starts a thread. If the message may answer several open questions, the fault names `resume`, the field of this
 * protocol for answers.
 */
async function startThread(
  operations: Operations,
  { threadId, runId }: RunInput,
  send: SendCommand,
): Promise<AcceptedCommand> {
  try {
    return await operations.start({ id: threadId, message: send, commandId: runId });
  } catch (thrown) {
    if (!isAmbiguousAnswer(thrown)) throw thrown;
    throw createFault("conflict", "agui.questionsOpen", { field: "resume" });
  }
}

/** Adds the messages of other agents to the context of the command, unless the context would become invalid. */
function addForeignTurns({ options }: RunInput, turns: readonly HistoryMessage[]): RunInput["options"] {
  if (turns.length === 0) return options;
  const context = { ...options.context, history: limitHistory(turns) };
  return sendCommandSchema.shape.context.safeParse(context).success ? { ...options, context } : options;
}

/**
 * Returns the client's messages that are not in our log: its instructions, and everything up to the last answer of
 * another agent.
 */
function collectForeignTurns(messages: readonly AgUiMessage[]): HistoryMessage[] {
  const last = messages.findLastIndex(
    ({ id, role, content }) => role === "assistant" && !OWN_TEXT_ID.test(id) && hasText(content),
  );
  return messages.flatMap(({ role, content }, i): HistoryMessage[] => {
    if (!hasText(content)) return [];
    if (role === "developer" || role === "system") return [{ role: "system", content }];
    return i <= last && (role === "user" || role === "assistant") ? [{ role, content }] : [];
  });
}

function hasText(content: unknown): content is string {
  return typeof content === "string" && content.trim() !== "";
}
