// The event log of a conversation: every change of the conversation is published here.
//
// Owns the sequencer and the current head. `publish` works in this order, without waiting:
//   1. The sequencer assigns `seq` and decides which rows to store.
//   2. Head, rows and further writes are stored in one transaction (L3). Chunks that close no paragraph store nothing.
//   3. The frames are sent to subscribers.
//   4. `onSent` is called.
// If step 2 throws, memory is ahead of storage: the object is reset and nothing has been sent.
//
// Reads combine stored rows with paragraphs that are still open in the sequencer, in `seq` order. They are generators
// over a live cursor: consume them synchronously, or start again from the last `seq`.

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

/** Computes the new head from the current head and the frames being published. Must be pure. */
export type Change = (head: Head, frames: readonly Frame[]) => Head;

/** A thread: its first event, its last `seq`, the time of that event (ms), and the folded state. */
export type ThreadStanding = {
  readonly first: Frame;
  readonly last_seq: number;
  readonly updated_at: number;
  readonly state: ThreadState;
};

/** Callbacks of the log. They run inside `publish` and must not publish themselves. */
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
   * `head` is the stored head, or that of a new conversation, which the first `publish` stores. `onSent` is called
   * after frames were sent and states whether anything was stored. `prepareWrite` may return writes for the same
   * transaction. `reset` ends the object after a failed write.
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
   * Publishes events together with a change of the head and further writes, all or nothing. Returns the frames; an
   * empty list, without any effect, after `close`. Throws and resets the object if the store fails.
   */
  publish(drafts: readonly Draft[], change?: Change, also?: (frames: readonly Frame[]) => void): readonly Frame[] {
    return this.#commit(this.#book.append(drafts), change, also);
  }

  /** Like `publish`, at the end of a thread: also returns the unused reserved seqs. */
  settle(drafts: readonly Draft[], change: Change, also?: () => void): readonly Frame[] {
    const commit = this.#book.append(drafts);
    return this.#commit({ ...commit, reserve: this.#book.settle() }, change, also);
  }

  /** Stores the open paragraph of a task together with further writes; `also` receives the last `seq`. */
  keep(scope: string, also: (last: number) => void): void {
    this.#commit(this.#book.close(scope), undefined, () => also(this.last));
  }

  /** Returns the text that a task has published up to `upTo` since its last answer: its partial result. */
  textOf(scope: string, upTo: number): string {
    let text = "";
    for (const frame of this.framesAfter(0, scope)) {
      if (frame.seq > upTo) break;
      if (isAnswer(frame)) text = "";
      else if (frame.event === "message_chunk") text += frame.data.payload.content;
    }
    return text;
  }

  /** Ends the streams that follow one thread, because it is paused. Clients may follow it again later. */
  rest(threadId: string): void {
    this.#audience.rest(threadId);
  }

  /** Ignores all later publications: the conversation was deleted. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Returns all frames with `seq > after`, in order. With `scope`, only those of one task. Throws `seq_unknown` if
   * `after` was never assigned: the client has read another log and would miss the beginning of this one.
   */
  framesAfter(after: number, scope?: string): Generator<Frame> {
    if (after > this.last) {
      const words = `after: there is no event ${after} here, the last one is ${this.last}. Start over from 0.`;
      throw new Fault("seq_unknown", words, { field: "after" });
    }
    return this.#replay(this.#store.rowsAfter(after, scope), after, scope);
  }

  /** Returns at most `limit` frames and the cursor for the next page. */
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

  /**
   * Returns the frames of a thread whose first event is `from`, up to its `done`, and the time of the last one (ms).
   */
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

  /** Folds the state of each thread, by id, in the order of their first events. */
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

  /** Returns all tasks, or those with a status. */
  tasks(status?: TaskStatus): Task[] {
    const tasks = this.plans().flatMap((plan) => plan.tasks);
    return status === undefined ? tasks : tasks.filter((task) => task.status === status);
  }

  /**
   * Calls `take` with each frame and the time at which it was stored (now, if it is not stored yet), until it returns
   * false.
   */
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

  /** Merges stored rows with open paragraphs, in `seq` order. */
  #replay(stored: Iterable<Row>, after: number, scope: string | undefined): Generator<Frame> {
    if (scope === undefined) return replay(joinRows(stored, this.#book.openRows()), after);
    const open = this.#book.openRows().filter((row) => row.scope === scope);
    return framesOfTask(replay(joinRows(stored, open), after), scope);
  }

  #commit(commit: Commit, change?: Change, also?: (frames: readonly Frame[]) => void): readonly Frame[] {
    if (this.#isClosed) return [];
    // Most chunks store nothing: a transaction would be most of their cost.
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
      // A single statement is atomic by itself, and cheaper without a savepoint.
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

/** Keeps `updated_at` from decreasing if the clock was set back: the directory keeps the newest version. */
function noOlder(head: Head, { conversation: { updated_at } }: Head): Head {
  if (head.conversation.updated_at >= updated_at) return head;
  return { ...head, conversation: { ...head.conversation, updated_at } };
}

/** F80. If the title is missing or provisional, sets it to the title of the first planned task. */
function titled(head: Head, frames: readonly Frame[]): Head {
  const { title: before } = head.conversation;
  if (before !== undefined && head.open.every(({ title }) => title !== before)) return head;
  const plan = frames.find((frame) => frame.event === "plan_created");
  const title = plan?.data.payload.plan.tasks[0]?.title;
  return title === undefined ? head : { ...head, conversation: { ...head.conversation, title } };
}
