// What becomes of open questions: answered, expired, withdrawn.
//
// Invariants:
//   H1. A question is answered once; whoever comes later is told how it stands.
//   H2. It expires by itself, and its thread goes on to tell.

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

export class Answers {
  readonly #log: Log;
  readonly #store: Store;
  readonly #settled: (woken: readonly string[]) => void;

  /** `settled` hears, after a change was stored, which threads rested and can go on. */
  constructor(log: Log, store: Store, settled: (woken: readonly string[]) => void) {
    this.#log = log;
    this.#store = store;
    this.#settled = settled;
  }

  /**
   * Stores the answer to a question: the thread goes on from it. Throws a `Fault` that says how the question
   * stands when it cannot be answered (any more), or what is wrong with the answer; nothing has changed then.
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

  /** H2. Closes the questions whose time is up; their threads go on and tell. */
  expire(): void {
    const store = this.#store;
    if (this.#log.head.open.length === 0) return;
    const late = store.openQuestions().filter(({ expires_at }) => expires_at <= Date.now());
    if (late.length === 0) return;
    this.#resume(late, [], () => store.closeQuestions(idsOf(late), "expired"));
  }

  /** Settles questions: their threads, if they rested, can go on. */
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

  /** Closes questions that nobody has to answer any more. */
  withdraw(moot: readonly Question[]): void {
    if (moot.length > 0) this.#resume(moot, [], () => this.#store.closeQuestions(idsOf(moot), "cancelled"));
  }

  /** When the next question expires, in milliseconds since the epoch. */
  nextExpiry(): number {
    return this.#store.openQuestions()[0]?.expires_at ?? Infinity;
  }
}
