// Changes the state of open questions: answered, expired or withdrawn.
//
// Owns no data of its own: questions are in the store, their threads in the head. Every change goes through one
// `EventLog.publish`, so question, head, command and event are stored in one transaction. All methods are synchronous:
// two calls cannot interleave. If the store fails, the log resets the object.
//
// Invariants:
//   H1. A question is answered at most once. A later answer is rejected with a fault that states why.
//   H2. A question expires at its `expires_at` without any client; its thread then continues and publishes the outcome.

import type { EventDraft, ThreadQuestion } from "../../core/ports.ts";
import { createAnswerEvent, parseAnswer } from "../../core/turn/questions.ts";
import { createMessage } from "../../language/messages.ts";
import { assertNever, ensurePresent } from "../../lib/assert.ts";
import type { ResumeCommand } from "../../protocol/wire/commands.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { OpenThread } from "./storage/conversation-head.ts";
import type { EventLog } from "./event-log.ts";
import { findRepeatedAnswer } from "./repeated-command.ts";
import type { ThreadPosition } from "./threads/thread-queue.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";

/** One instance per loaded conversation. The conversation status is `active` again when no question is open. */
export class PendingQuestions {
  readonly #log: EventLog;
  readonly #store: ConversationStore;
  readonly #onSettled: (resumedThreads: readonly string[]) => void;

  /** `onSettled` is called after the change was stored, with the ids of the paused threads that can continue now. */
  constructor(log: EventLog, store: ConversationStore, onSettled: (resumedThreads: readonly string[]) => void) {
    this.#log = log;
    this.#store = store;
    this.#onSettled = onSettled;
  }

  /**
   * Stores the answer to a question, publishes it and makes the paused thread runnable. Returns the position of the
   * answer. Idempotent by command id. Throws the `Fault` of `findRepeatedAnswer`, `requireOpenQuestion` or
   * `parseAnswer`; then nothing changes, except that due questions expire.
   */
  acceptAnswer(commandId: string, resume: ResumeCommand): ThreadPosition {
    const store = this.#store;
    const known = findRepeatedAnswer(store, commandId, resume);
    if (known !== null) return known;
    this.expireDue();
    const question = requireOpenQuestion(store, resume.request_id);
    const answer = parseAnswer(question, resume);
    const { thread_id, request_id } = question;
    const getLastSeq = (frames: readonly Frame[]): number => ensurePresent(frames.at(-1), "the answer").seq;
    const frames = this.#settle([question], [createAnswerEvent(question, answer)], (published) => {
      store.answerQuestion(request_id, answer, getLastSeq(published));
      store.putCommand(commandId, { thread_id, seq: getLastSeq(published), request: resume });
    });
    return { thread_id, seq: getLastSeq(frames) };
  }

  /**
   * H2. Expires the questions whose time is over and makes their paused threads runnable, without starting them. Called
   * before every message, answer and alarm, so the alarm may be late.
   */
  expireDue(): void {
    const store = this.#store;
    if (this.#log.head.open.length === 0) return;
    const due = store.listOpenQuestions().filter(({ expires_at }) => expires_at <= Date.now());
    if (due.length === 0) return;
    this.#settle(due, [], () => store.closeQuestions(listRequestIds(due), "expired"));
  }

  /**
   * Settles questions with `drafts` and further writes. A paused thread becomes runnable with its attempt counter reset
   * to 1.
   */
  #settle(
    settled: readonly ThreadQuestion[],
    drafts: readonly EventDraft[],
    also: (frames: readonly Frame[]) => void,
  ): readonly Frame[] {
    const left = this.#store.listOpenQuestions().length - settled.length;
    const threads = new Set(settled.map(({ thread_id }) => thread_id));
    const resumedThreads: string[] = [];
    const resume = (open: OpenThread): OpenThread => {
      if (!threads.has(open.thread_id) || open.is_paused === undefined) return open;
      resumedThreads.push(open.thread_id);
      const { is_paused: _, ...rest } = open;
      return { ...rest, attempts: 1 };
    };
    const frames = this.#log.publish(
      drafts,
      (head) => {
        const status = left > 0 ? ("require_user_input" as const) : ("active" as const);
        return {
          ...head,
          conversation: { ...head.conversation, status, updated_at: Date.now() },
          open: head.open.map(resume),
        };
      },
      also,
    );
    this.#onSettled(resumedThreads);
    return frames;
  }

  /**
   * Cancels open questions that need no answer any more, because their work was stopped. Their paused threads become
   * runnable.
   */
  withdraw(questions: readonly ThreadQuestion[]): void {
    if (questions.length > 0)
      this.#settle(questions, [], () => this.#store.closeQuestions(listRequestIds(questions), "cancelled"));
  }

  /** Returns the time at which the next open question expires, in ms since the epoch; Infinity if none is open. */
  getNextExpiry(): number {
    return this.#store.listOpenQuestions()[0]?.expires_at ?? Infinity;
  }
}

/**
 * Returns the open question with this id or, without an id, the only open one. Throws `conflict` (`request_id`) if
 * several are open, `conflict` if there has been no question, `not_found` for an unknown id, else `question_answered`,
 * `question_expired` or `question_cancelled`; without an id these are about the question that expires last.
 */
function requireOpenQuestion(store: ConversationStore, requestId: string | undefined): ThreadQuestion {
  const open = store.listOpenQuestions();
  if (requestId === undefined && open.length > 1) {
    const text = createMessage("question.idRequired", { count: open.length });
    throw createFault("conflict", text, { field: "request_id" });
  }
  const [only] = open;
  if (requestId === undefined && only !== undefined) return only;
  const id = requestId ?? store.getLastQuestion()?.request_id;
  if (id === undefined) throw createFault("conflict", "question.noneOpen");
  const known = store.getQuestion(id);
  if (known === null) throw createFault("not_found", "question.notFound", { field: "request_id" });
  const { state } = known.state;
  switch (state) {
    case "open":
      return known.question;
    case "answered":
      throw createFault("question_answered", "question.alreadyAnswered");
    case "expired":
      throw createFault("question_expired", "question.expired");
    case "cancelled":
      throw createFault("question_cancelled", "question.withdrawn");
    default:
      return assertNever(state);
  }
}

function listRequestIds(questions: readonly ThreadQuestion[]): string[] {
  return questions.map(({ request_id }) => request_id);
}
