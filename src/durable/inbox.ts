// What is asked of a conversation, stored as threads in the order in which it came: a message of the person, a run of a
// schedule, an instance of a plan.
//
// Invariants:
//   L3. What was asked is stored before anybody hears of it.
//   T2. The same command id makes one thread.

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

  /** `accepted` hears of each thread once it is stored. */
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

  /** A message from the person: the answer to the open question if there is one, else a new thread. */
  hear(commandId: string, request: Send, before: readonly Draft[]): Begun {
    this.#answers.expire();
    if (this.#store.openQuestions().length === 0) return this.#accept(commandId, request, before);
    return this.answer(commandId, { message: request.message });
  }

  /** As `Answers.take`. */
  answer(commandId: string, resume: Resume): Begun {
    return this.#answers.take(commandId, resume);
  }

  /** Stores a message with its thread: from here on it will be answered, whatever happens. `before` goes ahead of it. */
  #accept(commandId: string, request: Send, before: readonly Draft[]): Begun {
    const known = this.known(commandId);
    if (known !== null) return known;
    this.#checkRoom();
    return this.#open(commandId, request, (threadId) => [...before, saidDraft(threadId, request)], {});
  }

  /** Whether a message would begin something, or answer. Throws the `Fault` that refuses it. */
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

  /** What a command made that was carried out before. */
  known(commandId: string): Begun | null {
    return this.#store.command(commandId);
  }

  /** Stores what came of a command that begins nothing: one that comes again is answered as before. */
  note(commandId: string, { thread_id, seq }: Begun, request: Cancel): void {
    this.#store.putCommand(commandId, { thread_id, seq, request });
  }

  /**
   * Stores a run of a schedule as a thread of its own; `also` is stored with it. Throws a `Fault`, and has stored
   * nothing, when as many runs wait here as may.
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

  /** Stores the one thread that carries out an instance, in a conversation that has nothing else. */
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
