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
// over a live cursor: consume them synchronously, or start again from the last `seq`. Folds of the whole log read it in
// pieces, and other work runs between two of them.

import { LogSequencer, type LogCommit } from "../../core/log/log-sequencer.ts";
import { mergeSortedRows, replayFrames, type LogRow } from "../../core/log/log-rows.ts";
import type { EventDraft } from "../../core/ports.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createMessage } from "../../language/messages.ts";
import { waitForOtherWork } from "../../lib/other-work.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { applyEventToItems, type Item } from "../../protocol/wire/items.ts";
import type { Plan, Task, TaskStatus } from "../../protocol/plans/task-plan.ts";
import { foldPlans, isUserAnswer } from "../../protocol/plans/fold-plans.ts";
import {
  foldThread,
  isFinalThreadStatus,
  INITIAL_THREAD_STATE,
  type ThreadState,
} from "../../protocol/wire/thread-state.ts";
import type { Broadcaster } from "./broadcaster.ts";
import type { EventPage } from "../conversation-api.ts";
import { ensureLatestUpdate, withTaskTitle, type ConversationHead } from "./storage/conversation-head.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";
import { filterTaskFrames } from "./sub-conversation.ts";

/** The length of the frames that are read at once, in UTF-16 units of JSON. A longer frame is a piece of its own. */
const MAX_PIECE_CHARS = 512 * 1024;

/** A frame and the time at which it was stored (ms since the epoch). */
type TimedFrame = readonly [frame: Frame, at: number];

/** Computes the new head from the current head and the frames being published. Must be pure. */
export type HeadChange = (head: ConversationHead, frames: readonly Frame[]) => ConversationHead;

/** A thread: its first event, its last `seq`, the time of that event (ms), and the folded state. */
export type ThreadSnapshot = {
  readonly first: Frame;
  readonly last_seq: number;
  readonly updated_at: number;
  readonly state: ThreadState;
};

/** Callbacks of the log. They run inside `publish` and must not publish themselves. */
export type EventLogHooks = {
  /** Called after frames were sent; `isStored` is true if anything was stored. */
  readonly onSent: (frames: readonly Frame[], isStored: boolean) => void;
  /** May return writes for the same transaction. */
  readonly prepareWrite?: (frames: readonly Frame[]) => (() => void) | undefined;
  /** Ends the object after a failed write. */
  readonly reset: (reason: string) => void;
};

/** One instance per loaded conversation. Synchronous, except the folds of the whole log. */
export class EventLog {
  readonly #sequencer: LogSequencer;
  readonly #store: ConversationStore;
  readonly #broadcaster: Broadcaster;
  readonly #hooks: EventLogHooks;
  #head: ConversationHead;
  #isClosed = false;

  /** `head` is the stored head, or that of a new conversation, which the first `publish` stores. */
  constructor(head: ConversationHead, store: ConversationStore, broadcaster: Broadcaster, hooks: EventLogHooks) {
    this.#sequencer = new LogSequencer(head.conversation.conversation_id, head.reserved);
    this.#store = store;
    this.#broadcaster = broadcaster;
    this.#hooks = hooks;
    this.#head = head;
  }

  get head(): ConversationHead {
    return this.#head;
  }

  /** The `seq` of the newest event; in a new object at first the highest number that may be in use. */
  get lastSeq(): number {
    return this.#sequencer.last;
  }

  /**
   * Publishes events together with a change of the head and further writes (`also`), all or nothing. Returns the
   * frames; an empty list, without any effect, after `close`. Throws and resets the object if the store fails.
   */
  publish(
    drafts: readonly EventDraft[],
    change?: HeadChange,
    also?: (frames: readonly Frame[]) => void,
  ): readonly Frame[] {
    return this.#commit(this.#sequencer.append(drafts), change, also);
  }

  /** Like `publish`, at the end of a thread: also releases the reserved numbers that are not used. */
  publishEnd(drafts: readonly EventDraft[], change: HeadChange, also?: () => void): readonly Frame[] {
    const commit = this.#sequencer.append(drafts);
    return this.#commit({ ...commit, reserve: this.#sequencer.releaseReservation() }, change, also);
  }

  /** Stores the open paragraph of a task together with further changes; `also` receives the last `seq`. */
  flushScope(scope: string, also: (last: number) => void, change?: HeadChange): void {
    this.#commit(this.#sequencer.close(scope), change, () => also(this.lastSeq));
  }

  /** Returns the text that a task has published up to `upTo` since the person's last answer: its partial result. */
  readText(scope: string, upTo: number): string {
    let text = "";
    for (const frame of this.readFrames(0, scope)) {
      if (frame.seq > upTo) break;
      if (isUserAnswer(frame)) text = "";
      else if (frame.event === "message_chunk") text += frame.data.payload.content;
    }
    return text;
  }

  /** Ends the streams that follow one thread, because it is paused. Clients may follow it again later. */
  endThreadStreams(threadId: string): void {
    this.#broadcaster.endThreadStreams(threadId);
  }

  /** Ignores all later publications: the conversation was deleted. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Returns all frames with `seq > after`, in order. With `scope`, only those of one task. Throws `seq_unknown` if
   * `after` was never assigned: the client has read another log and would miss the beginning of this one.
   */
  readFrames(after: number, scope?: string): Generator<Frame> {
    this.checkSeq(after);
    return this.#replay(this.#store.readRows(after, scope), after, scope);
  }

  /** Throws `seq_unknown` if `after` was never assigned. */
  checkSeq(after: number): void {
    if (after <= this.lastSeq) return;
    const text = createMessage("conversation.unknownSeq", { after, last: this.lastSeq });
    throw createFault("seq_unknown", text, { field: "after" });
  }

  /**
   * Returns the frames of the next piece, at most `limit`, and the cursor for the next page (`after` if there are none).
   * Throws as `readFrames`.
   */
  readPage(after: number, limit: number, scope?: string): EventPage<Frame> {
    this.checkSeq(after);
    const events = this.#readPiece(after, scope, limit).frames.map(([frame]) => frame);
    return { events, next: events.at(-1)?.seq ?? after };
  }

  /** Folds the log to its items, in order of their first events. With `scope`, only those of one task. */
  async readItems(scope?: string): Promise<Item[]> {
    const items = new Map<string, Item>();
    await this.#readAll((frame, at) => applyEventToItems(items, frame.seq, frame, at), scope);
    return [...items.values()];
  }

  /**
   * Returns the frames of a thread whose first event is `from`, up to its `done`, and the time of the last one (ms).
   */
  readThread(threadId: string, from: number): { readonly frames: Frame[]; readonly at: number } {
    const frames: Frame[] = [];
    let last = 0;
    for (const [frame, at] of this.#readTimed(from - 1)) {
      if (!("thread_id" in frame.data) || frame.data.thread_id !== threadId) continue;
      frames.push(frame);
      last = at;
      if (frame.event === "done") break;
    }
    return { frames, at: last };
  }

  /** Folds the state of each thread, by id, in the order of their first events. */
  async readThreads(): Promise<ReadonlyMap<string, ThreadSnapshot>> {
    const threads = new Map<string, ThreadSnapshot>();
    await this.#readAll((frame, at) => {
      if (!("thread_id" in frame.data) || frame.data.thread_id === undefined) return;
      const { thread_id: id } = frame.data;
      const { first, state } = threads.get(id) ?? { first: frame, state: INITIAL_THREAD_STATE };
      if (!isFinalThreadStatus(state.status))
        threads.set(id, { first, last_seq: frame.seq, updated_at: at, state: foldThread(state, frame) });
    });
    return threads;
  }

  async readPlans(): Promise<readonly Plan[]> {
    let plans: readonly Plan[] = [];
    await this.#readAll((frame, at) => (plans = foldPlans(plans, frame, at)));
    return plans;
  }

  async readTasks(status?: TaskStatus): Promise<Task[]> {
    const tasks = (await this.readPlans()).flatMap((plan) => plan.tasks);
    return status === undefined ? tasks : tasks.filter((task) => task.status === status);
  }

  /** Returns a task of an open thread; undefined if these threads have no such task. */
  readOpenTask(taskId: string): Task | undefined {
    let plans: readonly Plan[] = [];
    const from = this.#head.open[0]?.seq ?? this.lastSeq + 1;
    for (const [frame, at] of this.#readTimed(from - 1)) plans = foldPlans(plans, frame, at);
    return plans.flatMap(({ tasks }) => tasks).find(({ task_id }) => task_id === taskId);
  }

  /**
   * Calls `handle` with all frames, also those that are published meanwhile, and their times, in order. With `scope`,
   * only those of one task. Throws `not_found` if the conversation is deleted meanwhile.
   */
  async #readAll(handle: (frame: Frame, at: number) => void, scope?: string): Promise<void> {
    for (let after = 0; ;) {
      const { frames, isLast } = this.#readPiece(after, scope);
      for (const [frame, at] of frames) handle(frame, at);
      if (isLast) return;
      after = frames.at(-1)?.[0].seq ?? after;
      await waitForOtherWork();
      if (this.#isClosed) throw createFault("not_found", "conversation.notFound");
    }
  }

  /** Returns the frames after `after`, at most `limit` and a piece. `isLast` is true if no frame follows. */
  #readPiece(after: number, scope?: string, limit = Infinity): { frames: readonly TimedFrame[]; isLast: boolean } {
    const frames: TimedFrame[] = [];
    let chars = 0;
    for (const timed of this.#readTimed(after, scope)) {
      if (frames.length >= limit || chars >= MAX_PIECE_CHARS) return { frames, isLast: false };
      frames.push(timed);
      chars += JSON.stringify(timed[0]).length;
    }
    return { frames, isLast: true };
  }

  /** Yields each frame with the time at which it was stored (now, if it is not stored yet). */
  *#readTimed(after: number, scope?: string): Generator<TimedFrame> {
    const times = new Map<number, number>();
    const timed = function* (rows: ReturnType<ConversationStore["readRows"]>) {
      for (const row of rows) {
        for (const entry of row.entries) times.set(entry.seq, row.at);
        yield row;
      }
    };
    for (const frame of this.#replay(timed(this.#store.readRows(after, scope)), after, scope)) {
      yield [frame, times.get(frame.seq) ?? Date.now()];
      times.delete(frame.seq);
    }
  }

  /** Merges stored rows with open paragraphs, in `seq` order. */
  #replay(stored: Iterable<LogRow>, after: number, scope: string | undefined): Generator<Frame> {
    if (scope === undefined) return replayFrames(mergeSortedRows(stored, this.#sequencer.listOpenRows()), after);
    const open = this.#sequencer.listOpenRows().filter((row) => row.scope === scope);
    return filterTaskFrames(replayFrames(mergeSortedRows(stored, open), after), scope);
  }

  #commit(commit: LogCommit, change?: HeadChange, also?: (frames: readonly Frame[]) => void): readonly Frame[] {
    if (this.#isClosed) return [];
    // Most chunks store nothing: a transaction would be most of their cost.
    const storesNothing = commit.rows.length === 0 && commit.retract.length === 0 && commit.reserve === null;
    const isStored = !storesNothing || change !== undefined || also !== undefined;
    if (isStored) this.#save(commit, change, also);
    this.#broadcaster.broadcast(commit.frames);
    this.#hooks.onSent(commit.frames, isStored);
    return commit.frames;
  }

  #save(commit: LogCommit, change?: HeadChange, also?: (frames: readonly Frame[]) => void): void {
    try {
      const { frames, rows, retract } = commit;
      const head = this.#computeHead(commit, change);
      const further = this.#hooks.prepareWrite?.(frames);
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
      this.#hooks.reset("A write to the log failed");
      throw thrown;
    }
  }

  #computeHead({ frames, reserve }: LogCommit, change: HeadChange = (head) => head): ConversationHead {
    const changed = withTaskTitle(ensureLatestUpdate(change(this.#head, frames), this.#head), frames);
    return reserve === null ? changed : { ...changed, reserved: reserve };
  }
}
