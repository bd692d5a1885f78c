// A client connection that records all received frames.

import { connect, type ConnectOptions, type Connection } from "../../src/client/connect.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";

export type RecordingClient = {
  readonly connection: Connection;
  /** All received frames, across reconnects. */
  readonly frames: readonly ServerFrame[];
  /** The received events, each with the time of its arrival (ms since the epoch). */
  readonly events: readonly { readonly frame: Frame; readonly at: number }[];
  /** The number of times an open socket was lost. */
  readonly losses: number;
  /** Resolves with the first event that matches, received before or after the call. */
  waitFor(found: (frame: Frame) => boolean): Promise<Frame>;
  /**
   * Resolves once the client's view contains all events up to `seq`. Replayed events are folded in batches, so the view
   * may lag behind the events.
   */
  waitForSeq(seq: number): Promise<void>;
  close(): void;
};

/** Reconnects almost immediately after a loss, to keep the tests short. */
const FAST_BACKOFF = { backoff: { minMs: 2, maxMs: 50 } };
const UNTIL_TIMEOUT_MS = 30_000;

export function connectRecordingClient(options: ConnectOptions): RecordingClient {
  const frames: ServerFrame[] = [];
  const events: { frame: Frame; at: number }[] = [];
  const waiting = new Set<(frame: Frame) => void>();
  let losses = 0;
  let wasOpen = false;
  const connection = connect({
    ...options,
    timing: { ...FAST_BACKOFF, ...options.timing },
    onFrame(frame) {
      frames.push(frame);
      if (!("event" in frame)) return;
      events.push({ frame, at: Date.now() });
      for (const check of waiting) check(frame);
    },
    onState({ status }) {
      if (wasOpen && status === "waiting") losses += 1;
      wasOpen = status === "open";
    },
  });
  return {
    connection,
    frames,
    events,
    get losses() {
      return losses;
    },
    waitFor: (found) => {
      const known = events.find(({ frame }) => found(frame));
      if (known !== undefined) return Promise.resolve(known.frame);
      return withTimeout((settle) => {
        const check = (frame: Frame) => {
          if (found(frame)) settle(frame);
        };
        waiting.add(check);
        return () => waiting.delete(check);
      });
    },
    waitForSeq: (seq) => {
      if (connection.view.seq >= seq) return Promise.resolve();
      return withTimeout((settle) =>
        connection.subscribe((view) => {
          if (view.seq >= seq) settle();
        }),
      );
    },
    close: () => connection.close(),
  };
}

/** Rejects after UNTIL_TIMEOUT_MS. `watch` starts observing and returns a function that stops it. */
function withTimeout<T>(watch: (settle: (value: T) => void) => () => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = watch((value) => {
      end();
      resolve(value);
    });
    const timer = setTimeout(() => {
      end();
      reject(new Error(`No match within ${UNTIL_TIMEOUT_MS} ms.`));
    }, UNTIL_TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      stop();
    };
  });
}

/** Returns a predicate for the `done` event of a thread. */
export function isDone(threadId: string | undefined): (frame: Frame) => boolean {
  return (frame) => frame.event === "done" && frame.data.thread_id === threadId;
}
