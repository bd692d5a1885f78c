// The WebSocket interface of a conversation: upgrade, commands, close.
//
// Owns the sockets, which the broadcaster also sends to. Sockets hibernate with the object, and the platform answers `ping`
// without waking it. Each message is handled to its acknowledgement; commands of one socket may overlap at awaits and
// are ordered by the conversation.

import type { DurableObjectCapability } from "agents/lifecycle";
import { toPendingQuestion } from "../../core/turn/questions.ts";
import { toSubConversation } from "../../directory/conversation-directory.ts";
import {
  clientCommandSchema,
  findOversizedField,
  computeMaxCommandSize,
  type ClientCommand,
} from "../../protocol/wire/commands.ts";
import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault, describeFault } from "../../protocol/wire/message-error.ts";
import { parseOrThrow, toFault, toProblemDetails, type Fault } from "../../protocol/wire/fault.ts";
import type { ControlFrame } from "../../protocol/wire/server-frames.ts";
import { assertNever } from "../../lib/assert.ts";
import { parseAcceptLanguage, toCatalogueLanguage } from "../../language/accept-language.ts";
import type { Language } from "../../language/detect-language.ts";
import type { Settings } from "../../settings.ts";
import type { Inbox } from "./accept.ts";
import type { Broadcaster } from "./broadcaster.ts";
import type { ConversationLoader } from "./conversation-state.ts";
import type { EventLog } from "./event-log.ts";
import { openSession, SOCKET_CLOSES, type ReadLastPing, type SocketSessions } from "./socket-session.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";
import { createReadOnlyFault } from "./sub-conversation.ts";

/**
 * Extracts the command id of a message that is too long to parse, if the id is the first member or follows the type.
 */
const LEADING_COMMAND_ID = /^\s*\{\s*(?:"type"\s*:\s*"\w*"\s*,\s*)?"id"\s*:\s*"([^"\\]{1,128})"/;

type SocketHandlerDeps = {
  readonly sockets: SocketSessions;
  readonly readLastPing: ReadLastPing;
  readonly broadcaster: Broadcaster;
  readonly settings: Settings;
  readonly loader: ConversationLoader;
  readonly store: Pick<ConversationStore, "getCommand" | "listOpenQuestions">;
  readonly inbox: Inbox;
  /** Called after a socket was opened whose token expires. */
  readonly onExpirySet: () => void;
};

/** Registered once per object. The constructor configures the platform's `ping` response. */
export class SocketHandler implements DurableObjectCapability {
  readonly #ctx: DurableObjectState;
  readonly #sockets: SocketSessions;
  readonly #broadcaster: Broadcaster;
  readonly #deps: SocketHandlerDeps;

  constructor(ctx: DurableObjectState, deps: SocketHandlerDeps) {
    this.#ctx = ctx;
    this.#sockets = deps.sockets;
    this.#broadcaster = deps.broadcaster;
    this.#deps = deps;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Accepts a socket and sends `ready`, the backlog after `?after=SEQ`, and `caught_up`; live frames follow. No frame is
   * lost or repeated. With `&task=ID`, the socket shows that task's conversation.
   * If SEQ is unknown, the socket is accepted, receives an `error` and is closed, because browsers hide the reason of a
   * failed upgrade. Other faults are HTTP problems.
   */
  async onWebSocketUpgrade({ request }: { request: Request }): Promise<Response> {
    try {
      const { searchParams } = new URL(request.url);
      const after = parseIntegerParam(searchParams, "after") ?? 0;
      const expiresAt = parseIntegerParam(searchParams, "expires_at");
      const task = searchParams.get("task") ?? undefined;
      const conversation = await resolveConversation(this.#deps.loader.wake().log, task);
      const { log } = this.#deps.loader.wake();
      log.checkSeq(after);
      this.#broadcaster.ensureCapacity();
      const { 0: client, 1: server } = new WebSocketPair();
      this.#ctx.acceptWebSocket(server);
      const session = openSession(server, expiresAt, task, this.#deps.readLastPing);
      this.#sockets.set(server, session);
      this.#sendReady(server, conversation, log.lastSeq, task);
      session.caughtUp = this.#broadcaster.sendBacklog(server, session, log, after);
      if (expiresAt !== null) this.#deps.onExpirySet();
      return new Response(null, { status: 101, webSocket: client });
    } catch (thrown) {
      const fault = toFault(thrown);
      const language = parseAcceptLanguage(request.headers.get("accept-language"));
      if (fault.code === "seq_unknown") return rejectUpgrade(fault, language);
      const problem = toProblemDetails(fault, describeFault(fault, language));
      return Response.json(problem, {
        status: problem.status,
        headers: { "content-type": "application/problem+json", vary: "Accept-Language" },
      });
    }
  }

  /**
   * Executes a command and sends `ack` or `error` to its socket; closes the socket instead if its token has expired or
   * it sends far too many commands. Resolves with true (handled); never rejects.
   */
  async onWebSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<boolean> {
    const session = this.#sockets.get(socket);
    // Drop messages that arrive after we closed the socket: the reply could not be sent.
    if (session === undefined) return true;
    const admission = session.admitCommand(Date.now(), this.#deps.settings.MAX_SOCKET_COMMANDS);
    if (typeof admission === "object") this.#broadcaster.closeSocket(socket, admission);
    else {
      const reply = await this.#handleCommand(message, admission, session.task);
      // The reader has then received the events that the command published.
      await session.caughtUp;
      this.#broadcaster.send(socket, reply);
    }
    return true;
  }

  /** Completes the closing handshake with the client's code, or 1000 if that code may not be sent. */
  onWebSocketClose(socket: WebSocket, code: number, reason: string): boolean {
    const mayBeSent = code === 1000 || (code >= 3000 && code <= 4999);
    this.#broadcaster.closeSocket(socket, mayBeSent ? { code, reason } : { code: 1000, reason: "" });
    return true;
  }

  onWebSocketError(socket: WebSocket): boolean {
    this.#sockets.delete(socket);
    return true;
  }

  #sendReady(socket: WebSocket, conversation: ConversationInfo, seq: number, task: string | undefined): void {
    const open = this.#deps.store.listOpenQuestions().filter(({ task_id }) => task === undefined || task_id === task);
    this.#broadcaster.send(socket, { type: "ready", conversation, seq, pending: open.map(toPendingQuestion) });
  }

  async #handleCommand(
    message: string | ArrayBuffer,
    admission: "welcome" | "too_many",
    task: string | undefined,
  ): Promise<ControlFrame> {
    let json: unknown;
    try {
      json = this.#parseMessage(message);
      if (admission === "too_many") throw createFault("too_many_requests", "rateLimit.tooManyCommands");
      const command = parseOrThrow(clientCommandSchema, json);
      if (task !== undefined) throw createReadOnlyFault(this.#deps.loader.get().log.head.conversation.conversation_id);
      return { type: "ack", id: command.id, ...(await this.#executeCommand(command)) };
    } catch (thrown) {
      const id = json === undefined ? extractCommandId(message) : readMember(json, "id");
      const language = toCatalogueLanguage(readMember(json, "language") ?? "") ?? "en";
      return { ...toErrorFrame(toFault(thrown), language), ...(id === undefined ? {} : { id }) };
    }
  }

  #parseMessage(message: string | ArrayBuffer): unknown {
    if (typeof message !== "string") throw createFault("unsupported", "command.notText");
    const { MAX_MESSAGE_BYTES: maxBytes } = this.#deps.settings;
    const maxChars = computeMaxCommandSize(maxBytes);
    if (message.length > maxChars) {
      const field = findOversizedField(message);
      if (field === undefined) throw createFault("too_large", createMessage("command.tooLong", { maxChars }));
      throw createFault("too_large", createMessage("field.tooLarge", { field, maxBytes }), { field });
    }
    try {
      return JSON.parse(message);
    } catch {
      throw createFault("invalid_request", "command.invalidJson");
    }
  }

  async #executeCommand(command: ClientCommand): Promise<{ thread_id?: string; seq: number }> {
    const { inbox, loader, store } = this.#deps;
    switch (command.type) {
      case "send": {
        const { type: _, id, ...message } = command;
        const { thread_id, seq } = await inbox.acceptMessage(id, message, { create: false });
        return { thread_id, seq };
      }
      case "resume": {
        const { type: _, id, ...answer } = command;
        const { thread_id, seq } = await inbox.acceptAnswer(id, answer);
        return { thread_id, seq };
      }
      case "cancel": {
        const { type: _, id, ...target } = command;
        await inbox.cancel(id, target);
        const { lastSeq: seq } = loader.get().log;
        const stopped = store.getCommand(id);
        return { ...(stopped === null ? {} : { thread_id: stopped.thread_id }), seq };
      }
      default:
        return assertNever(command);
    }
  }
}

/** Returns the conversation that the socket shows. Throws `not_found` if the task has no conversation of its own. */
async function resolveConversation(log: EventLog, task: string | undefined): Promise<ConversationInfo> {
  const { conversation } = log.head;
  if (task === undefined) return conversation;
  const known = (await log.readTasks()).find(({ task_id }) => task_id === task);
  const hasOwn = known !== undefined && known.conversation_id !== conversation.conversation_id;
  if (!hasOwn) throw createFault("not_found", "conversation.notFound");
  return toSubConversation(conversation, known);
}

/** Accepts a socket only to send the fault and close it, because browsers hide the reason of a failed upgrade. */
function rejectUpgrade(fault: Fault, language: Language): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  // Not accepted as a hibernating socket: those stay half closed until the object hibernates.
  server.accept();
  server.send(JSON.stringify(toErrorFrame(fault, language)));
  server.close(SOCKET_CLOSES.unknownSeq.code, SOCKET_CLOSES.unknownSeq.reason);
  return new Response(null, { status: 101, webSocket: client });
}

function toErrorFrame(fault: Fault, language: Language): Extract<ControlFrame, { type: "error" }> {
  const { field, retry_after } = fault.detail;
  return {
    type: "error",
    code: fault.code,
    message: describeFault(fault, language),
    ...(field === undefined ? {} : { field }),
    ...(retry_after === undefined ? {} : { retry_after }),
  };
}

/** Parses a query parameter; null if it is missing. Throws `invalid_request` unless it is a non-negative integer. */
function parseIntegerParam(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const problem = createMessage("field.notNonNegativeInteger", { field: name });
  throw createFault("invalid_request", problem, { field: name });
}

function readMember(json: unknown, name: "id" | "language"): string | undefined {
  const value: unknown =
    typeof json === "object" && json !== null ? (json as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function extractCommandId(message: string | ArrayBuffer): string | undefined {
  return typeof message === "string" ? LEADING_COMMAND_ID.exec(message.slice(0, 512))?.[1] : undefined;
}
