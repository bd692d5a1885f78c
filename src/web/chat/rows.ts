// Builds the rows of a transcript from the view.
//
// A builder owns the rows of its last call. Invariant: a row that has not changed is the same object as in the last
// call, and so is the list if no row has changed. So React renders only changed rows, and a token does not cost a whole
// conversation. A thread is rebuilt only if its inputs have changed. Use one builder per view of a conversation.

import { textOf, type Item } from "../../protocol/items.ts";
import type { ThreadView, View } from "../../protocol/view.ts";
import { threadOfPart } from "./part.ts";
import type { Row } from "./row-kinds.ts";
import type { Outgoing } from "./talk.ts";
import { threadRows, type ThreadState } from "./thread-rows.ts";

export type RowsWanted = {
  readonly outgoing: readonly Outgoing[];
  /** Omits reasoning and tool calls. */
  readonly hidesSteps: boolean;
};

type Block = { readonly state: ThreadState; readonly rows: readonly Row[] };

/** Returns the rows of a view. An unchanged row is the same object as in the last call. */
export type RowsOf = (view: View, wanted: RowsWanted) => readonly Row[];

export function createRowsOf(): RowsOf {
  let blocks = new Map<string, Block>();
  let part: ThreadView | undefined;
  let loose: readonly Row[] = [];
  let sending: readonly Row[] = [];
  let all: readonly Row[] = [];
  return (view, { outgoing, hidesSteps }) => {
    const items = byThread(view.items);
    const plans = Map.groupBy(view.plans, ({ thread_id }) => thread_id);
    const next = new Map<string, Block>();
    let isBusy = false;
    part = threadOfPart(view, part);
    for (const thread of part === undefined ? view.threads : [part]) {
      const { thread_id: id, status } = thread;
      const own = items.get(id) ?? [];
      const isRun = own[0]?.role === "system";
      const isQueued = status === "open" && isBusy && !isRun;
      if (status === "open" && !isRun) isBusy = true;
      const pending = status === "open" ? view.pending.filter(({ thread_id }) => thread_id === id) : [];
      const state: ThreadState = { thread, items: own, plans: plans.get(id) ?? [], isQueued, pending, hidesSteps };
      const before = blocks.get(id);
      next.set(
        id,
        before !== undefined && isSameState(before.state, state)
          ? before
          : { state, rows: kept(before?.rows ?? [], threadRows(state)) },
      );
    }
    blocks = next;
    loose = kept(loose, (items.get("") ?? []).flatMap(looseRow));
    sending = kept(
      sending,
      outgoing.map((one) => ({ kind: "outgoing", key: one.key, outgoing: one })),
    );
    const rows = [...[...blocks.values()].flatMap((block) => block.rows), ...loose, ...sending];
    all = isSameList(all, rows) ? all : rows;
    return all;
  };
}

/** Builds the rows once, without reuse. */
export const rowsOf: RowsOf = (view, wanted) => createRowsOf()(view, wanted);

/** Groups items by thread id. Items without a thread are under "". */
function byThread(items: View["items"]): Map<string, Item[]> {
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
function looseRow(item: Item): Row[] {
  return item.event === "system_failed" && textOf(item) !== ""
    ? [{ kind: "failure", key: item.item_id, item, again: undefined }]
    : [];
}

function isSameState(a: ThreadState, b: ThreadState): boolean {
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
function kept(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
  if (before.length === 0) return rows;
  let known: ReadonlyMap<string, Row> | undefined;
  return rows.map((row, i) => {
    // Rows rarely move, so try the same index first.
    let old = before[i];
    if (old?.key !== row.key) {
      known ??= new Map(before.map((one) => [one.key, one]));
      old = known.get(row.key);
    }
    return old !== undefined && isSameRow(old, row) ? old : row;
  });
}

function isSameRow(a: Row, b: Row): boolean {
  if (a.kind === "working" && b.kind === "working") return JSON.stringify(a.activity) === JSON.stringify(b.activity);
  if (a.kind !== b.kind) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const name in left) if (left[name] !== right[name]) return false;
  return true;
}
