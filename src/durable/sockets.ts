// The WebSocket interface of a conversation: upgrade, commands, close.
//
// Owns no state; sockets belong to the broadcaster. Sockets hibernate with the object, and the platform answers `ping`
// without waking it. Each message is handled to its acknowledgement; commands of one socket may overlap at awaits and
// are ordered by the conversation.

import type { DurableObjectCapability } from "agents/lifecycle";
import { pendingOf } from "../core/questions.ts";
import { subConversation } from "../directory/conversations.ts";
import { clientCommandSchema, largestIn, mostOfCommand, type ClientCommand } from "../protocol/commands.ts";
import type { Conversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, parseWith, toFault, toProblem } from "../protocol/fault.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import { unreachable } from "../protocol/assert.ts";
import type { Settings } from "../settings.ts";
import { valueOf, type ConversationApi } from "./api.ts";
import type { Audience } from "./audience.ts";
import type { Log } from "./log.ts";
import { CLOSED } from "./seat.ts";
import type { Store } from "./store.ts";
import { isOfTask, readOnly, toldIn } from "./sub-conversation.ts";

/**
 * Extracts the command id of a message that is too long to parse, if the id is the first member or follows the type.
 */
const ID_AHEAD = /^\s*\{\s*(?:"type"\s*:\s*"\w*"\s*,\s*)?"id"\s*:\s*"([^"\\]{1,128})"/;
const SLOWER = "Too many commands in a short time. Wait a few seconds; if it goes on, the socket is closed.";

type Door = {
  /** Throws a `Fault` if the conversation does not exist. */
  readonly log: () => Log;
  readonly store: Pick<Store, "command" | "openQuestions">;
  readonly api: Pick<ConversationApi, "send" | "resume" | "cancel">;
};

/** The first frames of a new socket; with `task`, restricted to that task. */
type Shown = {
  readonly conversation: Conversation;
  readonly seq: number;
  readonly backlog: Iterable<Frame>;
  readonly task: string | undefined;
};

/** Registered once per object. The constructor configures the platform's `ping` response and the subscriber limits. */
export class Sockets implements DurableObjectCapability {
  readonly #ctx: DurableObjectState;
  readonly #audience: Audience;
  readonly #settings: Settings;
  readonly #door: Door;

  constructor(ctx: DurableObjectState, audience: Audience, settings: Settings, door: Door) {
    this.#ctx = ctx;
    this.#audience = audience;
    this.#settings = settings;
    this.#door = door;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    audience.limit({
      maxListeners: settings.MAX_LISTENERS,
      lastPing: (socket) => ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null,
    });
  }

  /**
   * Accepts a socket and sends `ready`, the backlog after `?after=SEQ`, and `caught_up`; live frames follow. Backlog
   * and subscription happen without an await in between, so no frame is lost or repeated. With `&task=ID`, the socket
   * shows that task's conversation.
   * If SEQ is unknown, the socket is accepted, receives an `error` and is closed, because browsers hide the reason of a
   * failed upgrade. Other faults are HTTP problems.
   */
  onWebSocketUpgrade({ request }: { request: Request }): Response {
    try {
      const log = this.#door.log();
      const { searchParams } = new URL(request.url);
      const after = wholeNumber(searchParams, "after") ?? 0;
      const expiresAt = wholeNumber(searchParams, "expires_at");
      const task = searchParams.get("task") ?? undefined;
      const conversation = conversationOf(log, task);
      const backlog = log.framesAfter(after);
      this.#audience.makeRoom();
      const { 0: client, 1: server } = new WebSocketPair();
      this.#ctx.acceptWebSocket(server);
      this.#welcome(server, { conversation, seq: log.last, backlog, task });
      this.#audience.join(server, expiresAt, task);
      return new Response(null, { status: 101, webSocket: client });
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "seq_unknown") return turnedAway(fault);
      const problem = toProblem(fault);
      return Response.json(problem, {
        status: problem.status,
        headers: { "content-type": "application/problem+json" },
      });
    }
  }

  /** Executes a command and sends `ack` or `error` to its socket. */
  async onWebSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<boolean> {
    const admission = this.#audience.seatOf(socket)?.admit(Date.now(), this.#settings.MAX_SOCKET_COMMANDS);
    // Drop messages that arrive after we closed the socket: the reply could not be sent.
    if (admission === undefined) return true;
    if (typeof admission === "object") this.#audience.end(socket, admission);
    else this.#audience.say(socket, await this.#carryOut(message, admission, this.#audience.taskOf(socket)));
    return true;
  }

  onWebSocketClose(socket: WebSocket, code: number, reason: string): boolean {
    const mayBeSent = code === 1000 || (code >= 3000 && code <= 4999);
    this.#audience.end(socket, mayBeSent ? { code, reason } : { code: 1000, reason: "" });
    return true;
  }

  onWebSocketError(socket: WebSocket): boolean {
    this.#audience.leave(socket);
    return true;
  }

  #welcome(socket: WebSocket, { conversation, seq, backlog, task }: Shown): void {
    const open = this.#door.store.openQuestions().filter(({ task_id }) => task === undefined || task_id === task);
    this.#audience.say(socket, { type: "ready", conversation, seq, pending: open.map(pendingOf) });
    for (const frame of backlog) {
      if (task === undefined) this.#audience.say(socket, frame);
      else if (isOfTask(frame, task)) this.#audience.say(socket, toldIn(conversation.conversation_id, frame));
    }
    this.#audience.say(socket, { type: "caught_up", seq });
  }

  async #carryOut(
    message: string | ArrayBuffer,
    admission: "welcome" | "too_many",
    task: string | undefined,
  ): Promise<ControlFrame> {
    let json: unknown;
    try {
      json = this.#read(message);
      if (admission === "too_many") throw new Fault("too_many_requests", SLOWER);
      const command = parseWith(clientCommandSchema, json);
      if (task !== undefined) throw readOnly(this.#door.log().head.conversation.conversation_id);
      return { type: "ack", id: command.id, ...(await this.#do(command)) };
    } catch (thrown) {
      const id = json === undefined ? idAhead(message) : idOf(json);
      return { ...errorOf(toFault(thrown)), ...(typeof id === "string" ? { id } : {}) };
    }
  }

  #read(message: string | ArrayBuffer): unknown {
    if (typeof message !== "string") throw new Fault("unsupported", "Commands are JSON text, not binary.");
    const { MAX_MESSAGE_BYTES: mostBytes } = this.#settings;
    const most = mostOfCommand(mostBytes);
    if (message.length > most) {
      const field = largestIn(message);
      if (field === undefined) throw new Fault("too_large", `The command must not exceed ${most} characters.`);
      throw new Fault("too_large", `${field}: must not exceed ${mostBytes} bytes`, { field });
    }
    try {
      return JSON.parse(message);
    } catch {
      throw new Fault("invalid_request", "This is not JSON.");
    }
  }

  async #do(command: ClientCommand): Promise<{ thread_id?: string; seq: number }> {
    const { api, log, store } = this.#door;
    switch (command.type) {
      case "send": {
        const { type: _, id, ...message } = command;
        const { thread_id, seq } = valueOf(await api.send(id, message, { create: false }));
        return { thread_id, seq };
      }
      case "resume": {
        const { type: _, id, ...answer } = command;
        const { thread_id, seq } = valueOf(await api.resume(id, answer));
        return { thread_id, seq };
      }
      case "cancel": {
        const { type: _, id, ...target } = command;
        valueOf(await api.cancel(id, target));
        const { last: seq } = log();
        const stopped = store.command(id);
        return { ...(stopped === null ? {} : { thread_id: stopped.thread_id }), seq };
      }
      default:
        return unreachable(command);
    }
  }
}

/** Returns the conversation that the socket shows. Throws `not_found` if the task has no conversation of its own. */
function conversationOf(log: Log, task: string | undefined): Conversation {
  const { conversation } = log.head;
  if (task === undefined) return conversation;
  const known = log.tasks().find(({ task_id }) => task_id === task);
  const hasOwn = known !== undefined && known.conversation_id !== conversation.conversation_id;
  if (!hasOwn) throw new Fault("not_found", "There is no such conversation.");
  return subConversation(conversation, known);
}

/** Accepts a socket only to send the fault and close it, because browsers hide the reason of a failed upgrade. */
function turnedAway(fault: Fault): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  // Not accepted as a hibernating socket: those stay half closed until the object hibernates.
  server.accept();
  server.send(JSON.stringify(errorOf(fault)));
  server.close(CLOSED.unknownSeq.code, CLOSED.unknownSeq.reason);
  return new Response(null, { status: 101, webSocket: client });
}

function errorOf({ code, message, detail }: Fault): Extract<ControlFrame, { type: "error" }> {
  const { field, retry_after } = detail;
  return {
    type: "error",
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(retry_after === undefined ? {} : { retry_after }),
  };
}

/** Parses a query parameter; null if it is missing. Throws `invalid_request` unless it is a non-negative integer. */
function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Fault("invalid_request", `${name}: must be a non-negative integer`, { field: name });
}

function idOf(json: unknown): unknown {
  return typeof json === "object" && json !== null && "id" in json ? json.id : undefined;
}

function idAhead(message: string | ArrayBuffer): string | undefined {
  return typeof message === "string" ? ID_AHEAD.exec(message.slice(0, 512))?.[1] : undefined;
}
