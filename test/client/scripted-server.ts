// A server that implements the wire contract over real sockets and misbehaves on request.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { clientCommandSchema, type ClientCommand } from "../../src/protocol/wire/commands.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import type { ControlFrame, ServerFrame } from "../../src/protocol/wire/server-frames.ts";

export const CONVERSATION: ConversationInfo = {
  conversation_id: "conv-1",
  user_id: "local",
  status: "active",
  created_at: 1,
  updated_at: 1,
};

export type Misbehavior = {
  /** Called before each frame is sent; true cuts the connection instead. */
  cut?: () => boolean;
  /** Sends each event frame twice. */
  repeats?: boolean;
  /** Number of acknowledgements to drop: the command is executed, but the client is not told. */
  lostAcks?: number;
  /** Events that a message causes, instead of `answer`. */
  reply?: () => ConversationEvent[];
  /** Ignores pings. */
  ignoresPings?: boolean;
};

export type ScriptedServer = {
  readonly url: string;
  readonly log: readonly Frame[];
  /** All commands as they arrived, including repeated ones. */
  readonly commands: readonly ClientCommand[];
  readonly tickets: readonly string[];
  readonly sockets: number;
  readonly misbehavior: Misbehavior;
  /** If set, the response to all requests, including upgrades. */
  fixedResponse: { status: number; body: unknown } | undefined;
  emit(...events: ConversationEvent[]): void;
  /** Deletes the conversation, cuts all connections and creates another conversation with the same id. */
  recreate(...events: ConversationEvent[]): void;
  /** Closes all sockets without a close frame, and the port. Stored events stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function startScriptedServer(options: { requiresTicket?: boolean } = {}): Promise<ScriptedServer> {
  const log: Frame[] = [];
  const commands: ClientCommand[] = [];
  const tickets: string[] = [];
  const acks = new Map<string, ControlFrame>();
  const open = new Set<WebSocket>();
  const misbehavior: Misbehavior = {};
  let http: Server;
  let port = 0;
  let createdAt = CONVERSATION.created_at;

  const sendFrame = (socket: WebSocket, frame: ServerFrame) => {
    if (misbehavior.cut?.() === true) return socket.terminate();
    socket.send(JSON.stringify(frame));
    if (misbehavior.repeats === true && "event" in frame) socket.send(JSON.stringify(frame));
  };
  const emit = (...events: ConversationEvent[]) => {
    for (const event of events) {
      const frame: Frame = { seq: log.length + 1, ...event };
      log.push(frame);
      for (const socket of open) sendFrame(socket, frame);
    }
  };
  const execute = (command: ClientCommand): ControlFrame => {
    const threadId = `th-${acks.size + 1}`;
    const seq = log.length + 1;
    if (command.type === "send" && command.message === "forbidden word") {
      return {
        type: "error",
        id: command.id,
        code: "invalid_request",
        message: "message: not that word",
        field: "message",
      };
    }
    if (command.type === "send" && command.message === "one too many") {
      return { type: "error", id: command.id, code: "too_many_requests", message: "Too many.", retry_after: 37 };
    }
    if (command.type === "send") emit(...(misbehavior.reply?.() ?? createAnswerThread(threadId, command.message)));
    return { type: "ack", id: command.id, thread_id: threadId, seq };
  };
  const handleText = (socket: WebSocket, text: string) => {
    if (text === "ping") return misbehavior.ignoresPings === true ? undefined : socket.send("pong");
    const command = clientCommandSchema.parse(JSON.parse(text));
    commands.push(command);
    const ack = acks.get(command.id) ?? execute(command);
    acks.set(command.id, ack);
    if ((misbehavior.lostAcks ?? 0) > 0) misbehavior.lostAcks = (misbehavior.lostAcks ?? 0) - 1;
    else sendFrame(socket, ack);
  };
  const acceptSocket = (socket: WebSocket, after: number) => {
    if (after > log.length) {
      sendFrame(socket, { type: "error", code: "seq_unknown", message: `There is no event ${after}.`, field: "after" });
      return socket.close(4409);
    }
    socket.on("message", (data: Buffer) => handleText(socket, data.toString()));
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    sendFrame(socket, {
      type: "ready",
      conversation: { ...CONVERSATION, created_at: createdAt },
      seq: log.length,
      pending: [],
    });
    for (const frame of log.slice(after)) sendFrame(socket, frame);
    sendFrame(socket, { type: "caught_up", seq: log.length });
    open.add(socket);
  };

  const server: ScriptedServer = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    log,
    commands,
    tickets,
    get sockets() {
      return open.size;
    },
    misbehavior,
    fixedResponse: undefined,
    emit,
    recreate(...events) {
      for (const socket of open) socket.terminate();
      log.length = 0;
      acks.clear();
      createdAt += 1;
      emit(...events);
    },
    async start() {
      http = createServer((request, response) => {
        const isTicket = request.url === "/api/v1/tickets";
        if (isTicket) tickets.push(`ticket-${tickets.length + 1}`);
        const body = isTicket ? { ticket: tickets.at(-1), expires_at: Date.now() + 30_000 } : CONVERSATION;
        response.writeHead(server.fixedResponse?.status ?? 200, { "content-type": "application/json" });
        response.end(JSON.stringify(server.fixedResponse?.body ?? body));
      });
      const sockets = new WebSocketServer({ noServer: true });
      const usedTickets = new Set<string>();
      http.on("upgrade", (request, stream, head) => {
        const query = new URL(request.url ?? "/", "http://test").searchParams;
        const ticket = query.get("ticket") ?? "";
        const lacksTicket = options.requiresTicket === true && (!tickets.includes(ticket) || usedTickets.has(ticket));
        usedTickets.add(ticket);
        if (server.fixedResponse !== undefined || lacksTicket) stream.destroy();
        else sockets.handleUpgrade(request, stream, head, (socket) => acceptSocket(socket, Number(query.get("after"))));
      });
      await new Promise<void>((done) => http.listen(port, "127.0.0.1", done));
      port = (http.address() as AddressInfo).port;
    },
    async stop() {
      for (const socket of open) socket.terminate();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  await server.start();
  return server;
}

/** Creates a complete thread: the question, an answer in three chunks, the end. */
export function createAnswerThread(threadId: string, query: string): ConversationEvent[] {
  const thread = { conversation_id: "conv-1", role: "agent", thread_id: threadId } as const;
  const data = { ...thread, task_id: threadId };
  const chunk = (content: string): ConversationEvent => ({
    event: "message_chunk",
    data: { ...data, item_id: `item-${threadId}`, payload: { content } },
  });
  return [
    {
      event: "thread_started",
      data: { ...data, role: "user", item_id: `q-${threadId}`, payload: { content: query } },
    },
    chunk("You "),
    chunk("said "),
    chunk(query),
    { event: "done", data: { ...thread, item_id: `done-${threadId}` } },
  ];
}
