// Stamp, store, tell: the one way in which anything happens to a conversation. What must survive a
// restart is stored, in one transaction with whatever else changes, before anybody sees it (L3).

import { LogBook, type Commit } from "../core/log-book.ts";
import { joinRows, replay, type Row } from "../core/log-rows.ts";
import type { Draft } from "../core/ports.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { shapeItems, type Item } from "../protocol/items.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import { foldPlans, isAnswer } from "../protocol/tasks.ts";
import { foldThread, isOver, NEW_THREAD, type ThreadState } from "../protocol/thread-state.ts";
import type { Audience } from "./audience.ts";
import type { Page } from "./api.ts";
import type { Head } from "./head.ts";
import type { Store } from "./store.ts";
import { framesOfTask } from "./sub-conversation.ts";

/** What a publication changes in the head. */
export type Change = (head: Head, frames: readonly Frame[]) => Head;

/** A thread by its first event, its last one so far, when that was stored, and what they come to. */
export type ThreadStanding = {
  readonly first: Frame;
  readonly last_seq: number;
  readonly updated_at: number;
  readonly state: ThreadState;
};

export type Hooks = {
  readonly onTold: (frames: readonly Frame[], isStored: boolean) => void;
  readonly writeOf?: (frames: readonly Frame[]) => (() => void) | undefined;
  readonly reset: (reason: string) => void;
};

export class Log {
  readonly #book: LogBook;
  readonly #store: Store;
  readonly #audience: Audience;
  readonly #onTold: Hooks["onTold"];
  readonly #writeOf: Hooks["writeOf"];
  readonly #reset: (reason: string) => void;
  #head: Head;
  #isClosed = false;

  /**
   * `head` is what is stored, or what a new conversation begins with and `publish` is about to store.
   * `onTold` hears of everything once it is sent, and whether anything was stored with it; `writeOf` says what is to be
   * stored with events besides. `reset` ends the object: after a failed write memory is ahead of storage and must be
   * forgotten.
   */
  constructor(head: Head, store: Store, audience: Audience, { onTold, writeOf, reset }: Hooks) {
    this.#book = new LogBook(head.conversation.conversation_id, head.reserved);
    this.#store = store;
    this.#audience = audience;
    this.#onTold = onTold;
    this.#writeOf = writeOf;
    this.#reset = reset;
    this.#head = head;
  }

  get head(): Head {
    return this.#head;
  }

  get last(): number {
    return this.#book.last;
  }

  /**
   * Publishes events together with a change of the head and further writes: all or nothing, and
   * nothing at all once closed. Throws when the store fails.
   */
  publish(drafts: readonly Draft[], change?: Change, also?: (frames: readonly Frame[]) => void): readonly Frame[] {
    return this.#commit(this.#book.append(drafts), change, also);
  }

  /** As `publish`, at the end of a thread: numbers that were reserved and not used are given back. */
  settle(drafts: readonly Draft[], change: Change, also?: () => void): readonly Frame[] {
    const commit = this.#book.append(drafts);
    return this.#commit({ ...commit, reserve: this.#book.settle() }, change, also);
  }

  /** Stores all that a task has said, together with further writes; `also` is given the last number. */
  keep(scope: string, also: (last: number) => void): void {
    this.#commit(this.#book.close(scope), undefined, () => also(this.last));
  }

  /** What a task has said up to a number since it was last answered: its result so far. */
  textOf(scope: string, upTo: number): string {
    let text = "";
    for (const frame of this.framesAfter(0, scope)) {
      if (frame.seq > upTo) break;
      if (isAnswer(frame)) text = "";
      else if (frame.event === "message_chunk") text += frame.data.payload.content;
    }
    return text;
  }

  /** Ends the streams of those who follow one thread: it waits, and they can come back. */
  rest(threadId: string): void {
    this.#audience.rest(threadId);
  }

  /** Nothing happens here any more: the conversation was deleted. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Everything after `after` that has happened so far, in order. With `scope`, one task's alone. Throws `seq_unknown`
   * for a number that nobody can have been given: whoever has it read another log, and would miss the start of this one.
   */
  framesAfter(after: number, scope?: string): Generator<Frame> {
    if (after > this.last) {
      const words = `after: there is no event ${after} here, the last one is ${this.last}. Start over from 0.`;
      throw new Fault("seq_unknown", words, { field: "after" });
    }
    return this.#replay(this.#store.rowsAfter(after, scope), after, scope);
  }

  page(after: number, limit: number, scope?: string): Page<Frame> {
    const events: Frame[] = [];
    for (const frame of this.framesAfter(after, scope)) {
      events.push(frame);
      if (events.length >= limit) break;
    }
    return { events, next: events.at(-1)?.seq ?? after };
  }

  items(scope?: string): Item[] {
    const items = new Map<string, Item>();
    this.#fold(scope, 0, (frame, at) => {
      shapeItems(items, frame.seq, frame, at);
      return true;
    });
    return [...items.values()];
  }

  /** What a thread that begins with the number `from` has said, up to its end, and when the last of it was stored. */
  thread(threadId: string, from: number): { readonly frames: Frame[]; readonly at: number } {
    const frames: Frame[] = [];
    let last = 0;
    this.#fold(undefined, from - 1, (frame, at) => {
      if (!("thread_id" in frame.data) || frame.data.thread_id !== threadId) return true;
      frames.push(frame);
      last = at;
      return frame.event !== "done";
    });
    return { frames, at: last };
  }

  /** How each thread stands, by its id. */
  threads(): ReadonlyMap<string, ThreadStanding> {
    const threads = new Map<string, ThreadStanding>();
    this.#fold(undefined, 0, (frame, at) => {
      if (!("thread_id" in frame.data) || frame.data.thread_id === undefined) return true;
      const { thread_id: id } = frame.data;
      const { first, state } = threads.get(id) ?? { first: frame, state: NEW_THREAD };
      if (!isOver(state.status))
        threads.set(id, { first, last_seq: frame.seq, updated_at: at, state: foldThread(state, frame) });
      return true;
    });
    return threads;
  }

  plans(): readonly Plan[] {
    let plans: readonly Plan[] = [];
    this.#fold(undefined, 0, (frame, at) => {
      plans = foldPlans(plans, frame, at);
      return true;
    });
    return plans;
  }

  /** All of them or, with `status`, those that stand so. */
  tasks(status?: TaskStatus): Task[] {
    const tasks = this.plans().flatMap((plan) => plan.tasks);
    return status === undefined ? tasks : tasks.filter((task) => task.status === status);
  }

  /** Folds what comes after `after`, with the time at which each event was stored, for as long as `take` wants more. */
  #fold(scope: string | undefined, after: number, take: (frame: Frame, at: number) => boolean): void {
    const times = new Map<number, number>();
    const timed = function* (rows: ReturnType<Store["rowsAfter"]>) {
      for (const row of rows) {
        for (const entry of row.entries) times.set(entry.seq, row.at);
        yield row;
      }
    };
    for (const frame of this.#replay(timed(this.#store.rowsAfter(after, scope)), after, scope)) {
      if (!take(frame, times.get(frame.seq) ?? Date.now())) return;
      times.delete(frame.seq);
    }
  }

  /** What is stored and what is still open, in order. */
  #replay(stored: Iterable<Row>, after: number, scope: string | undefined): Generator<Frame> {
    if (scope === undefined) return replay(joinRows(stored, this.#book.openRows()), after);
    const open = this.#book.openRows().filter((row) => row.scope === scope);
    return framesOfTask(replay(joinRows(stored, open), after), scope);
  }

  #commit(commit: Commit, change?: Change, also?: (frames: readonly Frame[]) => void): readonly Frame[] {
    if (this.#isClosed) return [];
    // Most chunks write nothing: a transaction for each of them would be most of what they cost.
    const isSilent = commit.rows.length === 0 && commit.retract.length === 0 && commit.reserve === null;
    const isStored = !isSilent || change !== undefined || also !== undefined;
    if (isStored) this.#save(commit, change, also);
    this.#audience.tell(commit.frames);
    this.#onTold(commit.frames, isStored);
    return commit.frames;
  }

  #save(commit: Commit, change?: Change, also?: (frames: readonly Frame[]) => void): void {
    try {
      const { frames, rows, retract } = commit;
      const head = this.#headAfter(commit, change);
      const further = this.#writeOf?.(frames);
      const write = () => {
        if (head !== this.#head) this.#store.putHead(head);
        this.#store.append(commit, head.open[0]?.seq ?? 0, Date.now());
        also?.(frames);
        further?.();
      };
      const isAlone = head === this.#head && also === undefined && further === undefined;
      // One statement is a transaction by itself, and a savepoint costs more than it does.
      if (isAlone && rows.length === 1 && retract.length === 0) write();
      else this.#store.transaction(write);
      this.#head = head;
    } catch (thrown) {
      this.#reset("A write to the log failed");
      throw thrown;
    }
  }

  #headAfter({ frames, reserve }: Commit, change: Change = (head) => head): Head {
    const changed = titled(noOlder(change(this.#head, frames), this.#head), frames);
    return reserve === null ? changed : { ...changed, reserved: reserve };
  }
}

/** The directory takes the newest, and clocks may be set back. */
function noOlder(head: Head, { conversation: { updated_at } }: Head): Head {
  if (head.conversation.updated_at >= updated_at) return head;
  return { ...head, conversation: { ...head.conversation, updated_at } };
}

/**
 * A conversation without a title, or with one that only stands in for it, is called after the first task that comes up
 * in it (F80).
 */
function titled(head: Head, frames: readonly Frame[]): Head {
  const { title: before } = head.conversation;
  if (before !== undefined && head.open.every(({ title }) => title !== before)) return head;
  const plan = frames.find((frame) => frame.event === "plan_created");
  const title = plan?.data.payload.plan.tasks[0]?.title;
  return title === undefined ? head : { ...head, conversation: { ...head.conversation, title } };
}
