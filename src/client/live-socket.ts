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

export type SocketTiming = {
  /** Interval of pings, in ms. */
  readonly pingEveryMs: number;
  /** Time in ms after a ping without any message until the socket counts as dead; also the timeout of the opening. */
  readonly silenceMs: number;
};

export type SocketHandlers = {
  /** Receives every text message except pongs. */
  readonly onText: (text: string) => void;
  /** Called once, last, whether the socket was closed, lost, or never opened. */
  readonly onEnd: () => void;
};

export type LiveSocket = {
  /** Sends text; drops it if the socket is not open. */
  send(text: string): void;
  /** Sends a ping. The socket ends if no message arrives within `silenceMs`, or immediately if it is not open. */
  ping(): void;
  /** Closes the socket and calls `onEnd` before it returns. Idempotent. */
  close(): void;
};

const READY_STATE_OPEN = 1;

/**
 * Starts to open a socket and returns it at once. Throws if the constructor throws, as for an invalid URL; then no
 * handler is called.
 */
export function openLiveSocket(
  Socket: SocketConstructor,
  url: string,
  timing: SocketTiming,
  events: SocketHandlers,
): LiveSocket {
  const socket = new Socket(url);
  let isClosed = false;
  let pingTimer: ReturnType<typeof setInterval> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(pingTimer);
    clearTimeout(silenceTimer);
    // A dead socket may report its close minutes later, so its handlers are removed.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.onerror = () => {};
    socket.close();
    events.onEnd();
  };
  const stopSilenceTimer = () => {
    clearTimeout(silenceTimer);
    silenceTimer = undefined;
  };
  const startSilenceTimer = () => {
    silenceTimer ??= setTimeout(close, timing.silenceMs);
  };
  const ping = () => {
    // The socket is closing, and the server may never complete the close handshake.
    if (socket.readyState !== READY_STATE_OPEN) return close();
    socket.send("ping");
    startSilenceTimer();
  };

  startSilenceTimer();
  socket.onopen = () => {
    stopSilenceTimer();
    pingTimer = setInterval(ping, timing.pingEveryMs);
  };
  socket.onmessage = (event: { data: unknown }) => {
    stopSilenceTimer();
    if (typeof event.data === "string" && event.data !== "pong") events.onText(event.data);
  };
  socket.onclose = close;
  socket.onerror = () => {};
  return {
    send(text) {
      if (socket.readyState === READY_STATE_OPEN) socket.send(text);
    },
    ping,
    close,
  };
}
