// One conversation as the page holds it: what the connection has heard, and what is on its way.

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
  /** Connects; the returned function ends that. */
  readonly open: () => () => void;
  /** Tries at once to connect again. What is shown stays until the new line has told everything. */
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
  /** Takes in what the connection has heard since. */
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
      // As often as it can be seen.
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
        // Half of a history is no picture of it: the one before is the better one, or none.
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

  /** While a question is open, whatever is said would count as its answer; before all is heard, one may be. */
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
