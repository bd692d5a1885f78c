// Somebody with the typed client who keeps everything that it was given.

import { connect, type ConnectOptions, type Connection } from "../../src/client/connect.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";

export type Listener = {
  readonly line: Connection;
  /** Everything received, over all its sockets. */
  readonly heard: readonly ServerFrame[];
  /** When each event was received, in milliseconds since the epoch. */
  readonly events: readonly { readonly frame: Frame; readonly at: number }[];
  /** How often an open socket was lost. */
  readonly losses: number;
  /** Resolves once `found` holds for an event that was received, before or after this call. */
  until(found: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves once the client's view holds everything up to `seq`: a history is folded in bulk, a little later. */
  hasSeen(seq: number): Promise<void>;
  close(): void;
};

/** Returns at once after a loss: tests have no time for patience. */
const IMPATIENT = { backoff: { minMs: 2, maxMs: 50 } };
const UNTIL_TIMEOUT_MS = 30_000;

export function listenTo(options: ConnectOptions): Listener {
  const heard: ServerFrame[] = [];
  const events: { frame: Frame; at: number }[] = [];
  const waiting = new Set<(frame: Frame) => void>();
  let losses = 0;
  let wasOpen = false;
  const line = connect({
    ...options,
    timing: { ...IMPATIENT, ...options.timing },
    onFrame(frame) {
      heard.push(frame);
      if (!("event" in frame)) return;
      events.push({ frame, at: Date.now() });
      for (const look of waiting) look(frame);
    },
    onState({ status }) {
      if (wasOpen && status === "waiting") losses += 1;
      wasOpen = status === "open";
    },
  });
  return {
    line,
    heard,
    events,
    get losses() {
      return losses;
    },
    until: (found) => {
      const known = events.find(({ frame }) => found(frame));
      if (known !== undefined) return Promise.resolve(known.frame);
      return inTime((settle) => {
        const look = (frame: Frame) => {
          if (found(frame)) settle(frame);
        };
        waiting.add(look);
        return () => waiting.delete(look);
      });
    },
    hasSeen: (seq) => {
      if (line.view.seq >= seq) return Promise.resolve();
      return inTime((settle) =>
        line.subscribe((view) => {
          if (view.seq >= seq) settle();
        }),
      );
    },
    close: () => line.close(),
  };
}

/** `watch` begins to look out and returns how to stop that. */
function inTime<T>(watch: (settle: (value: T) => void) => () => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = watch((value) => {
      end();
      resolve(value);
    });
    const timer = setTimeout(() => {
      end();
      reject(new Error(`It did not happen within ${UNTIL_TIMEOUT_MS} ms.`));
    }, UNTIL_TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      stop();
    };
  });
}

/** True for the `done` of a thread. */
export function isDone(threadId: string | undefined): (frame: Frame) => boolean {
  return (frame) => frame.event === "done" && frame.data.thread_id === threadId;
}
