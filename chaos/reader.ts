// A reader of one conversation over real sockets. It reconnects after every loss with its highest `seq`, repeats
// commands that were not answered, and keeps all received events.
//
// Owns the current socket, the received events and the pending commands. Messages of an earlier socket are ignored. The
// reader checks the order of events as they arrive (L1): `breaches` collects violations, `broken` rejects at the first.

import { WebSocket } from "ws";
import type { ClientCommand } from "../src/protocol/wire/commands.ts";
import type { Frame } from "../src/protocol/wire/events.ts";
import type { ControlFrame } from "../src/protocol/wire/server-frames.ts";

/** A received event, its JSON text, and the number of kills before it arrived. */
export type Seen = { readonly frame: Frame; readonly text: string; readonly kills: number };
export type Answer = Extract<ControlFrame, { type: "ack" | "error" }>;

export type Reader = {
  readonly seen: readonly Seen[];
  readonly last: number;
  /** Violations that the reader has detected in the stream. */
  readonly breaches: readonly string[];
  /** Rejects at the first violation. */
  readonly broken: Promise<never>;
  /** Connects, and reconnects until `leave` or `close`. */
  connect(): void;
  /** Sends a command, and repeats it with the same id on every new socket until it is answered. */
  submit(command: ClientCommand): Promise<Answer>;
  /** Resolves with the first event, received before or later, for which `found` returns true. */
  until(found: (frame: Frame) => boolean): Promise<Frame>;
  /** Disconnects until `connect` is called. */
  leave(): void;
  close(): void;
};

export type ReaderOptions = {
  readonly url: string;
  readonly conversationId: string;
  readonly kills: () => number;
  /** Events that the reader has already; it requests the events after them. */
  readonly known?: readonly Seen[];
  readonly onEvent?: (seen: Seen) => void;
};

const RETRY_MS = 15;

export function newReader({ url, conversationId, kills, known = [], onEvent }: ReaderOptions): Reader {
  const seen = [...known];
  const breaches: string[] = [];
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const breach = (words: string): void => {
    breaches.push(words);
    reject(new Error(words));
  };
  /** The received `seq`s; `promised` contains the acknowledged `seq`s of messages that have not been received yet. */
  const seqs = new Set<number>();
  const promised = new Set<number>();
  const pending = new Map<string, { readonly command: ClientCommand; readonly settle: (answer: Answer) => void }>();
  const waiting = new Set<(frame: Frame) => void>();
  let last = seen.at(-1)?.frame.seq ?? 0;
  let socket: WebSocket | null = null;
  let isAway = false;

  function open(): void {
    const address = `${url.replace("http", "ws")}/api/v1/conversations/${conversationId}/ws?after=${last}`;
    const mine = new WebSocket(address);
    const asked = last;
    socket = mine;
    /** The `seq` before the next live event; null during the replay. */
    let live: number | null = null;
    mine.on("message", (data: Buffer) => {
      if (socket !== mine) return;
      const text = data.toString();
      const frame = JSON.parse(text) as ControlFrame | Frame;
      if ("event" in frame) {
        hear(frame, text, live);
        if (live !== null) live = frame.seq;
        return;
      }
      // A crash may skip reserved numbers, so only live events must be without gaps.
      if (frame.type === "caught_up") live = frame.seq;
      control(frame, mine, asked);
    });
    mine.on("error", () => undefined);
    mine.on("close", () => {
      if (socket !== mine) return;
      socket = null;
      setTimeout(() => socket === null && !isAway && open(), RETRY_MS);
    });
  }

  function hear(frame: Frame, text: string, live: number | null): void {
    if (frame.seq <= last) breach(`${frame.event} came as ${frame.seq} after ${last}`);
    if (live !== null && frame.seq !== live + 1) breach(`live, ${frame.event} came as ${frame.seq} after ${live}`);
    last = Math.max(last, frame.seq);
    promised.delete(frame.seq);
    seqs.add(frame.seq);
    const entry = { frame, text, kills: kills() };
    seen.push(entry);
    onEvent?.(entry);
    for (const look of waiting) look(frame);
  }

  function control(frame: ControlFrame, on: WebSocket, asked: number): void {
    switch (frame.type) {
      case "ready":
        if (frame.seq < asked) breach(`the log is at ${frame.seq} and had told ${asked}`);
        for (const { command } of pending.values()) on.send(JSON.stringify(command));
        return;
      case "caught_up":
        for (const seq of promised)
          breach(`what was acknowledged as ${seq} is not in the log, which is at ${frame.seq}`);
        return;
      case "ack":
      case "error": {
        if (frame.type === "error" && frame.id === undefined) breach(`the socket was refused: ${frame.message}`);
        const entry = pending.get(frame.id ?? "");
        pending.delete(frame.id ?? "");
        const isNews = frame.type === "ack" && entry?.command.type === "send" && !seqs.has(frame.seq);
        if (isNews) promised.add(frame.seq);
        entry?.settle(frame);
      }
    }
  }

  return {
    seen,
    get last() {
      return last;
    },
    breaches,
    broken,
    connect() {
      isAway = false;
      if (socket === null) open();
    },
    submit: (command) =>
      new Promise((resolve) => {
        pending.set(command.id, { command, settle: resolve });
        if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
      }),
    until(found) {
      const known = seen.find(({ frame }) => found(frame));
      if (known !== undefined) return Promise.resolve(known.frame);
      return new Promise((resolve) => {
        const look = (frame: Frame): void => {
          if (!found(frame)) return;
          waiting.delete(look);
          resolve(frame);
        };
        waiting.add(look);
      });
    },
    leave() {
      isAway = true;
      const leaving = socket;
      socket = null;
      leaving?.terminate();
    },
    close() {
      isAway = true;
      const closing = socket;
      socket = null;
      closing?.terminate();
    },
  };
}
