// Changes the state of open questions: answered, expired or withdrawn.
//
// Owns no data of its own: questions are in the store, their threads in the head. Every change goes through one
// `EventLog.publish`, so question, head, command and event are stored in one transaction. All methods are synchronous:
// two calls cannot interleave. If the store fails, the log resets the object.
//
// Invariants:
//   H1. A question is answered at most once. A later answer is rejected with a fault that states why.
//   H2. A question expires at its `expires_at` without any client; its thread then continues and publishes the outcome.

import type { Draft, Question } from "../core/ports.ts";
import { answeredDraft, readAnswer } from "../core/questions.ts";
import { must } from "../protocol/assert.ts";
import type { Resume } from "../protocol/commands.ts";
import type { Frame } from "../protocol/events.ts";
import type { OpenThread } from "./head.ts";
import type { Log } from "./log.ts";
import { idsOf, openQuestion } from "./open-question.ts";
import type { Begun } from "./queue.ts";
import type { Store } from "./store.ts";

/** One instance per loaded conversation. The conversation status is `active` again when no question is open. */
export class Answers {
  readonly #log: Log;
  readonly #store: Store;
  readonly #settled: (woken: readonly string[]) => void;

  /** `settled` is called after the change was stored, with the ids of the paused threads that can continue now. */
  constructor(log: Log, store: Store, settled: (woken: readonly string[]) => void) {
    this.#log = log;
    this.#store = store;
    this.#settled = settled;
  }

  /**
   * Stores the answer to a question and makes its thread runnable. Idempotent by command id. Throws a `Fault` and
   * changes nothing if the question is not open or the answer is invalid.
   */
  take(commandId: string, resume: Resume): Begun {
    const store = this.#store;
    const known = store.command(commandId);
    if (known !== null) return known;
    this.expire();
    const question = openQuestion(store, resume.request_id);
    const answer = readAnswer(question, resume);
    const { thread_id, request_id } = question;
    const seqIn = (frames: readonly Frame[]): number => must(frames.at(-1), "the answer").seq;
    const frames = this.#resume([question], [answeredDraft(question, answer)], (told) => {
      store.answerQuestion(request_id, answer, seqIn(told));
      store.putCommand(commandId, { thread_id, seq: seqIn(told), request: resume });
    });
    return { thread_id, seq: seqIn(frames) };
  }

  /**
   * H2. Expires the questions whose time is over. Called before every message, answer and alarm, so the alarm may be
   *     late.
   */
  expire(): void {
    const store = this.#store;
    if (this.#log.head.open.length === 0) return;
    const late = store.openQuestions().filter(({ expires_at }) => expires_at <= Date.now());
    if (late.length === 0) return;
    this.#resume(late, [], () => store.closeQuestions(idsOf(late), "expired"));
  }

  /**
   * Settles questions with `drafts` and further writes. A paused thread becomes runnable with its attempt counter reset
   * to 1.
   */
  #resume(
    settled: readonly Question[],
    drafts: readonly Draft[],
    also: (frames: readonly Frame[]) => void,
  ): readonly Frame[] {
    const left = this.#store.openQuestions().length - settled.length;
    const threads = new Set(settled.map(({ thread_id }) => thread_id));
    const woken: string[] = [];
    const awake = (open: OpenThread): OpenThread => {
      if (!threads.has(open.thread_id) || open.is_paused === undefined) return open;
      woken.push(open.thread_id);
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
          open: head.open.map(awake),
        };
      },
      also,
    );
    this.#settled(woken);
    return frames;
  }

  /** Cancels questions that need no answer any more, because their work was stopped. */
  withdraw(moot: readonly Question[]): void {
    if (moot.length > 0) this.#resume(moot, [], () => this.#store.closeQuestions(idsOf(moot), "cancelled"));
  }

  /** Returns the time at which the next open question expires, in ms since the epoch; Infinity if none is open. */
  nextExpiry(): number {
    return this.#store.openQuestions()[0]?.expires_at ?? Infinity;
  }
}
