// Accepts work for a conversation and stores it as threads, in order of arrival: messages, schedule runs, instances.
//
// Owns no state: it validates limits, then stores command, thread, head and first events in one transaction. All
// methods are synchronous, so two commands cannot interleave. Command ids must be validated by the caller.
//
// Invariants:
//   L3. Work is stored before any subscriber receives its events and before the command is acknowledged.
//   T2. Each command id creates at most one thread. A repeated command returns the position of the first.

import type { Draft } from "../core/ports.ts";
import type { Tick } from "../core/scene.ts";
import { must } from "../protocol/assert.ts";
import type { Cancel, Resume, Send } from "../protocol/commands.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import type { Schedule } from "../protocol/recurring.ts";
import type { Settings } from "../settings.ts";
import type { Answers } from "./answers.ts";
import type { Head, OpenThread } from "./head.ts";
import { sendOf, type InstanceMark, type InstanceStart } from "./instance-start.ts";
import type { Log } from "./log.ts";
import { lengthsOf, MOST_RUNS, queued, saidDraft, systemDraft, type Begun } from "./queue.ts";
import type { Request, Store } from "./store.ts";

export class Inbox {
  readonly #log: Log;
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #answers: Answers;
  readonly #accepted: (threadId: string) => void;

  /** `accepted` is called with each thread id after the thread was stored. */
  constructor(
    log: Log,
    { store, settings }: { readonly store: Store; readonly settings: Settings },
    answers: Answers,
    accepted: (threadId: string) => void,
  ) {
    this.#log = log;
    this.#store = store;
    this.#settings = settings;
    this.#answers = answers;
    this.#accepted = accepted;
  }

  /**
   * Accepts a message: as a new thread if no question is open, otherwise as an answer (`conflict` if several are open).
   * `before` are drafts that precede it. Throws a `Fault` if the queue is full or the answer is not accepted.
   */
  hear(commandId: string, request: Send, before: readonly Draft[]): Begun {
    this.#answers.expire();
    if (this.#store.openQuestions().length === 0) return this.#accept(commandId, request, before);
    return this.answer(commandId, { message: request.message });
  }

  /** As `PendingQuestions.acceptAnswer`. */
  answer(commandId: string, resume: Resume): Begun {
    return this.#answers.take(commandId, resume);
  }

  /** Stores a message as a new thread. From here on it will be answered, even if the host dies. */
  #accept(commandId: string, request: Send, before: readonly Draft[]): Begun {
    const known = this.known(commandId);
    if (known !== null) return known;
    this.#checkRoom();
    return this.#open(commandId, request, (threadId) => [...before, saidDraft(threadId, request)], {});
  }

  /**
   * Returns false if the command was carried out before. Throws the `Fault` with which the message would be rejected.
   */
  isNew(commandId: string): boolean {
    if (this.known(commandId) !== null) return false;
    if (this.#store.openQuestions().length === 0) this.#checkRoom();
    return true;
  }

  #checkRoom(): void {
    if (lengthsOf(this.#log.head).waiting < this.#settings.MAX_QUEUED_THREADS) return;
    throw new Fault(
      "too_many_requests",
      "Too many messages are waiting in this conversation. Wait for some to be answered.",
    );
  }

  /** Returns the position that an earlier command with this id created; null if the id is new. */
  known(commandId: string): Begun | null {
    return this.#store.command(commandId);
  }

  /** Records a command that starts no thread, so that its repetition returns the same result. */
  note(commandId: string, { thread_id, seq }: Begun, request: Cancel): void {
    this.#store.putCommand(commandId, { thread_id, seq, request });
  }

  /**
   * Stores a schedule run as a thread; `also` adds writes to its transaction. Idempotent by command id. Throws
   * `too_many_requests` and stores nothing if `MAX_WAITING_RUNS` runs are open.
   */
  begin(commandId: string, tick: Tick, schedule: Schedule, also: (threadId: string) => void): Begun {
    const { query: message, agent_name: agent, language, schedule_config, title, schedule_id } = schedule;
    const { timezone } = schedule_config;
    const known = this.known(commandId);
    if (known !== null) return known;
    if (lengthsOf(this.#log.head).runs >= MOST_RUNS) {
      throw new Fault("too_many_requests", "Too many runs are waiting in this conversation. Wait for some to end.");
    }
    const request: Send = {
      message,
      agent,
      ...(language === undefined ? {} : { language }),
      ...(timezone === undefined ? {} : { timezone }),
    };
    return this.#open(commandId, request, (threadId) => [systemDraft(threadId, title, schedule_id)], { tick }, also);
  }

  /** Stores the single thread that executes a workflow instance. The conversation must be new. */
  beginInstance(
    commandId: string,
    start: InstanceStart,
    instance: Omit<InstanceMark, "thread_id" | "seq">,
    before: readonly Draft[],
  ): InstanceMark {
    const said = sendOf(start);
    const mark = (head: Head, begun: Begun): Head => ({ ...head, instance: { ...instance, ...begun } });
    const draftsOf = (threadId: string) => [...before, saidDraft(threadId, said)];
    const begun = this.#open(commandId, start, draftsOf, { is_instance: true }, undefined, mark);
    return { ...instance, ...begun };
  }

  /** Stores command, thread, head and first events in one transaction. The last draft is the `thread_started` event. */
  #open(
    commandId: string,
    request: Request,
    draftsOf: (threadId: string) => readonly Draft[],
    kind: Pick<OpenThread, "tick" | "is_instance">,
    also: (threadId: string) => void = () => {},
    mark: (head: Head, begun: Begun) => Head = (head) => head,
  ): Begun {
    const threadId = mint("th");
    const seqIn = (frames: readonly Frame[]): number => must(frames.at(-1), "the beginning of a thread").seq;
    const frames = this.#log.publish(
      draftsOf(threadId),
      (head, told) => {
        const begun = { thread_id: threadId, seq: seqIn(told) };
        return mark(queued(head, { ...begun, command_id: commandId, attempts: 0, ...kind }), begun);
      },
      (told) => {
        this.#store.putCommand(commandId, { thread_id: threadId, seq: seqIn(told), request });
        also(threadId);
      },
    );
    this.#accepted(threadId);
    return { thread_id: threadId, seq: seqIn(frames) };
  }
}
