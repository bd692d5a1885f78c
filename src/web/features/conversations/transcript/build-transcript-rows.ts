// Builds the rows of a transcript from the view.
//
// A builder owns the rows of its last call. Invariant: a row that has not changed is the same object as in the last
// call, and so is the list if no row has changed. So React renders only changed rows, and a token does not cost a whole
// conversation. A thread is rebuilt only if its inputs have changed. Use one builder per view of a conversation.

import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import type { ThreadView, ConversationView } from "../../../../protocol/wire/view.ts";
import { buildTaskThread } from "../state/step-values.ts";
import type { TranscriptRow } from "./transcript-row.ts";
import type { OutgoingMessage } from "../state/conversation-context.ts";
import { buildThreadRows, type ThreadRowsInput } from "./build-thread-rows.ts";

type TranscriptRowOptions = {
  readonly outgoing: readonly OutgoingMessage[];
  /** Omits reasoning and tool calls. */
  readonly hidesSteps: boolean;
};

type ThreadRowsCache = { readonly state: ThreadRowsInput; readonly rows: readonly TranscriptRow[] };

/**
 * Returns the rows of a view: those of its threads, then failures without a thread, then the outgoing messages. An
 * unchanged row is the same object as in the last call, and so is an unchanged list.
 */
type RowBuilder = (view: ConversationView, options: TranscriptRowOptions) => readonly TranscriptRow[];

/** Creates a builder that remembers no rows. */
export function createRowBuilder(): RowBuilder {
  let threadCaches = new Map<string, ThreadRowsCache>();
  let taskThread: ThreadView | undefined;
  let threadlessRows: readonly TranscriptRow[] = [];
  let outgoingRows: readonly TranscriptRow[] = [];
  let lastRows: readonly TranscriptRow[] = [];
  return (view, { outgoing, hidesSteps }) => {
    const items = groupItems(view.items);
    const plans = Map.groupBy(view.plans, ({ thread_id }) => thread_id);
    const next = new Map<string, ThreadRowsCache>();
    let isBusy = false;
    taskThread = buildTaskThread(view, taskThread);
    for (const thread of taskThread === undefined ? view.threads : [taskThread]) {
      const { thread_id: id, status } = thread;
      const own = items.get(id) ?? [];
      const isRun = own[0]?.role === "system";
      const isQueued = status === "open" && isBusy && !isRun;
      if (status === "open" && !isRun) isBusy = true;
      const pending = status === "open" ? view.pending.filter(({ thread_id }) => thread_id === id) : [];
      const state: ThreadRowsInput = { thread, items: own, plans: plans.get(id) ?? [], isQueued, pending, hidesSteps };
      const before = threadCaches.get(id);
      next.set(
        id,
        before !== undefined && isSameState(before.state, state)
          ? before
          : { state, rows: reuseRows(before?.rows ?? [], buildThreadRows(state)) },
      );
    }
    threadCaches = next;
    threadlessRows = reuseRows(threadlessRows, (items.get("") ?? []).flatMap(toFailureRow));
    outgoingRows = reuseRows(
      outgoingRows,
      outgoing.map((message) => ({ kind: "outgoing", key: message.key, outgoing: message })),
    );
    const rows = [...[...threadCaches.values()].flatMap((block) => block.rows), ...threadlessRows, ...outgoingRows];
    lastRows = isSameList(lastRows, rows) ? lastRows : rows;
    return lastRows;
  };
}

/** Builds the rows once, without reuse. */
export const buildRows: RowBuilder = (view, options) => createRowBuilder()(view, options);

/** Groups items by thread id. Items without a thread are under "". */
function groupItems(items: ConversationView["items"]): Map<string, Item[]> {
  const threads = new Map<string, Item[]>();
  let last: Item[] = [];
  let lastId: string | undefined;
  for (const item of items.values()) {
    const id = item.thread_id ?? "";
    if (id !== lastId) {
      lastId = id;
      const known = threads.get(id);
      last = known ?? [];
      if (known === undefined) threads.set(id, last);
    }
    last.push(item);
  }
  return threads;
}

/** Returns the row of a failure without a thread; no row for other items. */
function toFailureRow(item: Item): TranscriptRow[] {
  return item.event === "system_failed" && getItemText(item) !== ""
    ? [{ kind: "failure", key: item.item_id, item, resend: undefined }]
    : [];
}

function isSameState(a: ThreadRowsInput, b: ThreadRowsInput): boolean {
  return (
    a.thread === b.thread &&
    a.isQueued === b.isQueued &&
    a.hidesSteps === b.hidesSteps &&
    isSameList(a.plans, b.plans) &&
    isSameList(a.pending, b.pending) &&
    isSameList(a.items, b.items)
  );
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  // Compare from the end, because changes are nearly always there.
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns the new rows, each replaced by the previous row with the same key and content, if there is one. */
function reuseRows(before: readonly TranscriptRow[], rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  if (before.length === 0) return rows;
  let known: ReadonlyMap<string, TranscriptRow> | undefined;
  return rows.map((row, i) => {
    // Rows rarely move, so try the same index first.
    let old = before[i];
    if (old?.key !== row.key) {
      known ??= new Map(before.map((previousRow) => [previousRow.key, previousRow]));
      old = known.get(row.key);
    }
    return old !== undefined && isSameRow(old, row) ? old : row;
  });
}

function isSameRow(a: TranscriptRow, b: TranscriptRow): boolean {
  if (a.kind === "working" && b.kind === "working") return JSON.stringify(a.activity) === JSON.stringify(b.activity);
  if (a.kind !== b.kind) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const name in left) if (left[name] !== right[name]) return false;
  return true;
}
