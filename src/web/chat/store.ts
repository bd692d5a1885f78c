// The store of one open conversation: the view from the connection, and the messages in the outbox.
//
// Owns the connection; shares the outbox, which outlives it. `get` returns the last published snapshot, the same object
// until something changes, as `useSyncExternalStore` requires. Changes are published at most once per frame.
// Invariants:
// 1. After a reconnect the previous view stays until the new history has caught up with it.
// 2. While the store is open, the outbox sends nothing before the view is loaded or while a question is open, because
//    the message would count as the answer.
// Order: `open` before `answer` and `cancel`, which reject with an `AbortError` if the store is not open. `send` works
// at any time. `open` may be called again after its cleanup, but not twice at the same time.

import { connect, type Connection, type ConnectionState } from "../../client/connect.ts";
import type { Cancel, Resume, Send } from "../../protocol/commands.ts";
import { EMPTY_VIEW, type View } from "../../protocol/view.ts";
import { RUNTIME } from "../account.ts";
import { onReturn } from "../shell/reach.ts";
import { batchOf } from "./frames.ts";
import { outboxOf } from "./outboxes.ts";
import type { Outgoing } from "./talk.ts";

export type Snapshot = {
  readonly view: View;
  readonly state: ConnectionState;
  readonly outgoing: readonly Outgoing[];
};

export type Store = {
  readonly id: string;
  readonly get: () => Snapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Connects. The returned function disconnects. */
  readonly open: () => () => void;
  /** Connects again immediately. The current view stays until the new connection has caught up. */
  readonly reconnect: () => void;
  readonly send: (send: Send) => void;
  readonly retry: (key: string) => void;
  readonly discard: (key: string) => string;
  readonly answer: (message: string, options?: Omit<Resume, "message">) => Promise<void>;
  readonly cancel: (target?: Cancel) => Promise<void>;
};

const NONE: readonly Outgoing[] = [];
const NOTHING = () => {};

export function createStore(id: string): Store {
  const outbox = outboxOf(id);
  const listeners = new Set<() => void>();
  let connection: Connection | undefined;
  let heard: Pick<Snapshot, "view" | "state"> = { view: EMPTY_VIEW, state: { status: "connecting" } };
  let snapshot: Snapshot = { ...heard, outgoing: NONE };
  const batch = batchOf(publish);
  /** Folds the frames that the connection has received since the last call. */
  let foldIn = NOTHING;

  function publish(): void {
    foldIn();
    const { view, state } = heard;
    const shown = outbox.shown(view.threads);
    const outgoing = isSame(shown, snapshot.outgoing) ? snapshot.outgoing : shown;
    if (view === snapshot.view && state === snapshot.state && outgoing === snapshot.outgoing) return;
    snapshot = { view, state, outgoing };
    for (const listener of listeners) listener();
  }

  function begin(): void {
    foldIn = NOTHING;
    const mine = connect({
      ...RUNTIME,
      conversationId: id,
      // Fold once per published snapshot.
      batch(fold) {
        foldIn = fold;
        batch.ask();
      },
      onState(state) {
        heard = { ...heard, state };
        if (state.status === "open") outbox.pump();
        batch.ask();
      },
      onView(view) {
        // Ignore a partially loaded history while the view is empty or the previous view is further ahead.
        const isPartial = !view.isCaughtUp && (heard.view.conversation === null || view.seq < heard.view.seq);
        if (isPartial) return;
        const wasHeld = !mayGo();
        heard = { ...heard, view };
        if (wasHeld && mayGo()) outbox.pump();
        batch.ask();
      },
    });
    connection = mine;
  }

  /** A message counts as the answer to an open question, and before the view is loaded a question may be open. */
  function mayGo(): boolean {
    return heard.view.conversation !== null && heard.view.pending.length === 0;
  }

  function mustConnect(): Connection {
    if (connection === undefined) throw new DOMException("The conversation is closed", "AbortError");
    return connection;
  }

  return {
    id,
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      begin();
      outbox.hold(mayGo);
      const forget = outbox.subscribe(publish);
      const leave = onReturn(() => connection?.retry());
      publish();
      return () => {
        forget();
        leave();
        outbox.hold(() => true);
        connection?.close();
        connection = undefined;
        foldIn = NOTHING;
        batch.cancel();
      };
    },
    reconnect() {
      if (heard.state.status === "waiting") return connection?.retry();
      connection?.close();
      begin();
    },
    send: (send) => outbox.send(send, heard.view.threads.length),
    retry: outbox.retry,
    discard: outbox.discard,
    answer: async (message, options) => void (await mustConnect().resume(message, options)),
    cancel: async (target) => void (await mustConnect().cancel(target)),
  };
}

function isSame(a: readonly Outgoing[], b: readonly Outgoing[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
