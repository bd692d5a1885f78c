// One socket from its opening to its end, with the watch over its being alive.

/** The part of a WebSocket that is used: the browser's, Node's own and the `ws` package's all fit. */
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
  /** How often to ask an idle server whether it is there. */
  readonly pingEveryMs: number;
  /** How long after a question without any word the line counts as dead; also how long each step of opening may take. */
  readonly silenceMs: number;
};

export type LineEvents = {
  readonly onText: (text: string) => void;
  /** Called once, last, whether the line was lost or never came about. */
  readonly onEnd: () => void;
};

export type Line = {
  send(text: string): void;
  /** Asks whether the server is still there: without a word within `silenceMs` the line ends. */
  ask(): void;
  /** Ends the line; `onEnd` is called before this returns. */
  end(): void;
};

const OPEN = 1;

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
    // A socket that is dead may take minutes to say so: what it says from now on is of no interest.
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
    // It is being closed, and the server does not see that to its end.
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
