// The store of one open conversation: the view from the connection, and the messages in the outbox.
//
// Owns the connection; shares the outbox, which outlives it. `get` returns the last published snapshot, the same object
// until something changes, as `useStore` requires. Changes are published at most once per frame.
// Invariants:
// 1. After a reconnect the previous view stays until the new history has caught up with it.
// 2. While the store is open, the outbox sends nothing before the view is loaded or while a question is open, because
//    the message would count as the answer.
// Order: `open` before `answer` and `cancel`, which reject with an `AbortError` if the store is not open. `send` works
// at any time. `open` may be called again after its cleanup, but not twice at the same time.

import { connect, type Connection, type ConnectionState } from "../../../../client/connect.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../../../../protocol/wire/commands.ts";
import { EMPTY_VIEW, type ConversationView } from "../../../../protocol/wire/view.ts";
import { API_OPTIONS } from "../../../session/account.ts";
import { onReconnectChance } from "../../../session/connectivity.ts";
import { createStore } from "../../../session/store.ts";
import { getOutbox } from "./message-outboxes.ts";
import type { OutgoingMessage } from "./conversation-context.ts";

type ChatSnapshot = {
  readonly view: ConversationView;
  readonly state: ConnectionState;
  readonly outgoing: readonly OutgoingMessage[];
};

export type ChatStore = {
  readonly id: string;
  readonly get: () => ChatSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Connects, and sends messages that the outbox has stored. The returned function disconnects. */
  readonly open: () => () => void;
  /** Connects again immediately, even if the connection is open. The view stays until the new history has caught up. */
  readonly reconnect: () => void;
  /** Puts a message into the outbox, which sends it as soon as it may; see `MessageOutbox` also for the next two. */
  readonly send: (send: SendCommand) => void;
  readonly retry: (key: string) => void;
  readonly discard: (key: string) => string;
  /** Answers an open question; `request_id` may be omitted if only one is open. Rejects like `Connection`. */
  readonly answer: (message: string, options?: Omit<ResumeCommand, "message">) => Promise<void>;
  /** Cancels a thread or a task; without a target, the oldest open thread of a message. Rejects like `Connection`. */
  readonly cancel: (target?: CancelCommand) => Promise<void>;
};

const NO_MESSAGES: readonly OutgoingMessage[] = [];
const doNothing = () => {};

/** Creates the store of a conversation, with an empty view and without a connection. */
export function createChatStore(id: string): ChatStore {
  const outbox = getOutbox(id);
  let connection: Connection | undefined;
  let latest: Pick<ChatSnapshot, "view" | "state"> = { view: EMPTY_VIEW, state: { status: "connecting" } };
  const published = createStore<ChatSnapshot>({ ...latest, outgoing: NO_MESSAGES });
  const batch = createFrameBatch(publish);
  /** Folds the frames that the connection has received since the last call. */
  let foldReceived = doNothing;

  function publish(): void {
    foldReceived();
    const { view, state } = latest;
    const shown = outbox.listPending(view.threads);
    const snapshot = published.get();
    const outgoing = isSameMessages(shown, snapshot.outgoing) ? snapshot.outgoing : shown;
    if (view === snapshot.view && state === snapshot.state && outgoing === snapshot.outgoing) return;
    published.set({ view, state, outgoing });
  }

  function openConnection(): void {
    foldReceived = doNothing;
    const opened = connect({
      ...API_OPTIONS,
      conversationId: id,
      // Fold once per published snapshot.
      batch(fold) {
        foldReceived = fold;
        batch.schedule();
      },
      onState(state) {
        latest = { ...latest, state };
        if (state.status === "open") outbox.pump();
        batch.schedule();
      },
      onView(view) {
        // Ignore a partially loaded history while the view is empty or the previous view is further ahead.
        const isPartial = !view.isCaughtUp && (latest.view.conversation === null || view.seq < latest.view.seq);
        if (isPartial) return;
        const wasBlocked = !canSend();
        latest = { ...latest, view };
        if (wasBlocked && canSend()) outbox.pump();
        batch.schedule();
      },
    });
    connection = opened;
  }

  /** A message counts as the answer to an open question, and before the view is loaded a question may be open. */
  function canSend(): boolean {
    return latest.view.conversation !== null && latest.view.pending.length === 0;
  }

  function requireConnection(): Connection {
    if (connection === undefined) throw new DOMException("The conversation is closed", "AbortError");
    return connection;
  }

  return {
    id,
    get: published.get,
    subscribe: published.subscribe,
    open() {
      openConnection();
      outbox.setSendCondition(canSend);
      const unsubscribeOutbox = outbox.subscribe(publish);
      const stopReturnListener = onReconnectChance(() => connection?.retry());
      publish();
      return () => {
        unsubscribeOutbox();
        stopReturnListener();
        outbox.setSendCondition(() => true);
        connection?.close();
        connection = undefined;
        foldReceived = doNothing;
        batch.cancel();
      };
    },
    reconnect() {
      if (latest.state.status === "waiting") return connection?.retry();
      connection?.close();
      openConnection();
    },
    send: (send) => outbox.send(send, latest.view.threads.length),
    retry: outbox.retry,
    discard: outbox.discard,
    answer: async (message, options) => void (await requireConnection().resume(message, options)),
    cancel: async (target) => void (await requireConnection().cancel(target)),
  };
}

function isSameMessages(a: readonly OutgoingMessage[], b: readonly OutgoingMessage[]): boolean {
  return a.length === b.length && a.every((message, i) => message === b[i]);
}

// Runs work at most once per animation frame and at most about 30 times per second.
//
// Owns the pending frame and timer. All calls of `schedule` before a run share that run; `cancel` drops it. Animation
// frames do not fire in a hidden page, so a timer runs the work there. Errors of the work are not caught.

/** The delay in ms in a hidden page. It keeps screen readers current. */
const HIDDEN_INTERVAL_MS = 250;

/** The minimum time in ms between runs. It leaves frames free for typing and scrolling. */
const MIN_INTERVAL_MS = 33;

type FrameBatch = {
  /** Runs the work soon, once for all calls until then. */
  readonly schedule: () => void;
  /** Drops the pending run, if there is one. */
  readonly cancel: () => void;
};

/** Creates a batch that runs `work`; nothing is scheduled yet. */
function createFrameBatch(work: () => void): FrameBatch {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    cancel();
    last = performance.now();
    work();
  };
  const runWhenDue = () => {
    if (performance.now() - last < MIN_INTERVAL_MS) frame = requestAnimationFrame(runWhenDue);
    else run();
  };
  return {
    schedule() {
      if (timer !== undefined) return;
      // Both, because the page can be hidden after the frame was requested.
      timer = setTimeout(run, HIDDEN_INTERVAL_MS);
      frame = requestAnimationFrame(runWhenDue);
    },
    cancel,
  };
}
