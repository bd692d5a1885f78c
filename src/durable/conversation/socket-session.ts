// The state of one open WebSocket: token expiry, rate of commands, and whether a reader is still present.
//
// The platform does not report how much of the sent data has arrived, and a dead peer sends nothing. Presence is
// inferred from incoming commands and from `ping`, which the platform answers without waking the object.
//
// Owns counters in memory only; after hibernation they start at zero. It uses no timer, because a timer would keep the
// object in memory: the state is checked when a message is sent or received.

/** Characters (UTF-16 units) that may be sent without any sign of the reader. It can resume from its last `seq`. */
const MAX_UNACKNOWLEDGED_CHARS = 8 * 1024 * 1024;
/**
 * The maximum silence of a client that has pinged before. Browsers slow the timers of hidden pages to one per minute.
 */
const MAX_SILENCE_MS = 180_000;
/** The interval between checks for silence. */
const CHECK_INTERVAL_MS = 10_000;
const COMMAND_WINDOW_MS = 10_000;

/** The close frames that we send; codes are wire. 1008 and 1013 are defined by RFC 6455 and IANA, 44xx are ours. */
export const SOCKET_CLOSES = {
  flooding: { code: 1008, reason: "Too many commands" },
  gone: { code: 1013, reason: "Nobody seems to be reading. Come back with the last seq" },
  failed: { code: 1011, reason: "The conversation could not be read" },
  expired: { code: 4401, reason: "The token has expired" },
  unknownSeq: { code: 4409, reason: "There is no such seq. Start over from 0" },
} as const satisfies Record<string, SocketClose>;
/** The code and reason of a close frame. */
export type SocketClose = { readonly code: number; readonly reason: string };

/** The decision about an incoming command: execute it, reject it, or close the socket. */
export type CommandAdmission = "welcome" | "too_many" | SocketClose;

/** One instance per socket, also for one that survived hibernation. Synchronous. */
export class SocketSession {
  /** The task to which the socket is restricted; undefined if it receives everything. */
  readonly task: string | undefined;
  /** When the token expires, in ms since the epoch; Infinity if it does not. */
  readonly expiresAt: number;
  /** True until the reader has received the backlog. Live frames are skipped: they are part of the backlog by then. */
  isCatchingUp = false;
  /** Resolves once the reader has received the backlog. */
  caughtUp: Promise<void> = Promise.resolve();
  /**
   * Returns the time (ms since the epoch) at which the platform last answered a `ping` of this socket; null if never.
   */
  readonly #lastPing: () => number | null;
  #lastActivityAt: number;
  #unacknowledgedChars = 0;
  #nextCheckAt: number;
  #windowSince = 0;
  #commands = 0;

  /** `expiresAt` and `now` are in ms since the epoch. */
  constructor(expiresAt: number, lastPing: () => number | null, now: number, task?: string) {
    this.task = task;
    this.expiresAt = expiresAt;
    this.#lastPing = lastPing;
    this.#lastActivityAt = now;
    this.#nextCheckAt = now + CHECK_INTERVAL_MS;
  }

  /**
   * Counts an incoming command. `limit` is the number per 10 s: more are `too_many`, more than twice as many, or an
   * expired token, close the socket.
   */
  admitCommand(now: number, limit: number): CommandAdmission {
    this.#recordActivity(now);
    if (now >= this.expiresAt) return SOCKET_CLOSES.expired;
    if (now - this.#windowSince >= COMMAND_WINDOW_MS) {
      this.#windowSince = now;
      this.#commands = 0;
    }
    this.#commands += 1;
    if (this.#commands <= limit) return "welcome";
    return this.#commands <= 2 * limit ? "too_many" : SOCKET_CLOSES.flooding;
  }

  /**
   * Counts `chars` (UTF-16 units) that are about to be sent. Returns the reason to close the socket instead (token
   * expired, reader unresponsive); null if it may stay open. Silence is checked every 10 s.
   */
  checkSend(chars: number, now: number): SocketClose | null {
    if (now >= this.expiresAt) return SOCKET_CLOSES.expired;
    this.#unacknowledgedChars += chars;
    if (now < this.#nextCheckAt && this.#unacknowledgedChars <= MAX_UNACKNOWLEDGED_CHARS) return null;
    this.#nextCheckAt = now + CHECK_INTERVAL_MS;
    return this.isUnresponsive(now) ? SOCKET_CLOSES.gone : null;
  }

  /**
   * Returns true if the reader was sent too much without a sign of it, or has been silent too long after it once
   * pinged.
   */
  isUnresponsive(now: number): boolean {
    const pingedAt = this.#lastPing();
    if (pingedAt !== null && pingedAt > this.#lastActivityAt) this.#recordActivity(pingedAt);
    if (this.#unacknowledgedChars > MAX_UNACKNOWLEDGED_CHARS) return true;
    return pingedAt !== null && now - this.#lastActivityAt > MAX_SILENCE_MS;
  }

  #recordActivity(now: number): void {
    this.#lastActivityAt = now;
    this.#unacknowledgedChars = 0;
  }
}

/** The open sockets of an object. */
export type SocketSessions = Map<WebSocket, SocketSession>;
/** Returns the time (ms since the epoch) at which the platform last answered a `ping` of the socket; null if never. */
export type ReadLastPing = (socket: WebSocket) => number | null;

/**
 * Stored with a socket across hibernation. `expires_at` is in ms since the epoch; null if the token does not expire.
 */
type SocketAttachment = { readonly expires_at: number | null; readonly task?: string };

/**
 * Creates the session of an accepted socket until `expiresAt` (ms since the epoch; null: no expiry), and stores it with
 * the socket.
 */
export function openSession(
  socket: WebSocket,
  expiresAt: number | null,
  task: string | undefined,
  readLastPing: ReadLastPing,
): SocketSession {
  const attachment: SocketAttachment = { expires_at: expiresAt, ...(task === undefined ? {} : { task }) };
  socket.serializeAttachment(attachment);
  return createSession(socket, attachment, readLastPing);
}

/** Restores the sessions of the sockets that survived hibernation. */
export function restoreSessions(sockets: Iterable<WebSocket>, readLastPing: ReadLastPing): SocketSessions {
  const sessions: SocketSessions = new Map();
  for (const socket of sockets) {
    const attachment = (socket.deserializeAttachment() as SocketAttachment | null) ?? { expires_at: null };
    sessions.set(socket, createSession(socket, attachment, readLastPing));
  }
  return sessions;
}

function createSession(
  socket: WebSocket,
  { expires_at: expiresAt, task }: SocketAttachment,
  readLastPing: ReadLastPing,
): SocketSession {
  return new SocketSession(expiresAt ?? Infinity, () => readLastPing(socket), Date.now(), task);
}
