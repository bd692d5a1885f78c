// One WebSocket with a liveness check. It owns the socket, the ping interval and the silence timer.
//
// Invariants: `onEnd` is called exactly once and last; no handler runs after it. At most one silence timer is set.
// Order: the timer starts with the constructor and covers the opening. Any message stops it, and a ping starts it
// again. Failure: a socket that stays silent for `silenceMs` after a ping, or does not open in that time, is closed and
// ended. A dead socket may report its close minutes later; its handlers are removed, so that report is ignored.
// Text that is sent while the socket is not open is dropped: the caller keeps commands in its outbox.

/** The subset of WebSocket that is used. The implementations of browsers, of Node and of the `ws` package match it. */
export type SocketLike = {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
};
export type SocketConstructor = new (url: string) => SocketLike;

export type LineTiming = {
  /** Interval of pings, in ms. */
  readonly pingEveryMs: number;
  /** Time in ms after a ping without any message until the socket counts as dead; also the timeout of the opening. */
  readonly silenceMs: number;
};

export type LineEvents = {
  /** Receives every text message except pongs. */
  readonly onText: (text: string) => void;
  /** Called once, last, whether the socket was closed, lost, or never opened. */
  readonly onEnd: () => void;
};

export type Line = {
  /** Sends text; drops it if the socket is not open. */
  send(text: string): void;
  /** Sends a ping. The socket ends if no message arrives within `silenceMs`, or immediately if it is not open. */
  ask(): void;
  /** Closes the socket and calls `onEnd` before it returns. Idempotent. */
  end(): void;
};

const OPEN = 1;

/** Opens a socket. Throws if the constructor throws, as for an invalid URL; then no handler is called. */
export function openLine(Socket: SocketConstructor, url: string, timing: LineTiming, events: LineEvents): Line {
  const socket = new Socket(url);
  let hasEnded = false;
  let pinger: ReturnType<typeof setInterval> | undefined;
  let verdict: ReturnType<typeof setTimeout> | undefined;

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(pinger);
    clearTimeout(verdict);
    // A dead socket may report its close minutes later, so its handlers are removed.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.onerror = () => {};
    socket.close();
    events.onEnd();
  };
  const hearWord = () => {
    clearTimeout(verdict);
    verdict = undefined;
  };
  const expectWord = () => {
    verdict ??= setTimeout(end, timing.silenceMs);
  };
  const ask = () => {
    // The socket is closing, and the server may never complete the close handshake.
    if (socket.readyState !== OPEN) return end();
    socket.send("ping");
    expectWord();
  };

  expectWord();
  socket.onopen = () => {
    hearWord();
    pinger = setInterval(ask, timing.pingEveryMs);
  };
  socket.onmessage = (event: { data: unknown }) => {
    hearWord();
    if (typeof event.data === "string" && event.data !== "pong") events.onText(event.data);
  };
  socket.onclose = end;
  socket.onerror = () => {};
  return {
    send(text) {
      if (socket.readyState === OPEN) socket.send(text);
    },
    ask,
    end,
  };
}
