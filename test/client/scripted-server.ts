// A server that speaks the wire contract over real sockets and misbehaves on request.

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

export type Misdeeds = {
  /** Asked before each frame goes out: true cuts the line instead. */
  cut?: () => boolean;
  /** Sends every event frame twice. */
  repeats?: boolean;
  /** Swallows this many acknowledgements: the work is done, the client is not told. */
  lostAcks?: number;
  /** What a message causes, instead of `answer`. */
  reply?: () => ConversationEvent[];
  /** Does not answer pings. */
  isDeaf?: boolean;
};

export type ScriptedServer = {
  readonly url: string;
  readonly log: readonly Frame[];
  /** Every command as it arrived, repeats included. */
  readonly commands: readonly ClientCommand[];
  readonly tickets: readonly string[];
  readonly sockets: number;
  readonly misdeeds: Misdeeds;
  /** Set to answer every request like this, upgrades included. */
  refusal: { status: number; body: unknown } | undefined;
  emit(...events: ConversationEvent[]): void;
  /** Deletes the conversation, cuts every line and begins another under the same id. */
  begin(...events: ConversationEvent[]): void;
  /** Closes every socket without a word, and the port; what was stored stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function scriptedServer(options: { requiresTicket?: boolean } = {}): Promise<ScriptedServer> {
  const log: Frame[] = [];
  const commands: ClientCommand[] = [];
  const tickets: string[] = [];
  const acks = new Map<string, ControlFrame>();
  const open = new Set<WebSocket>();
  const misdeeds: Misdeeds = {};
  let http: Server;
  let port = 0;
  let createdAt = CONVERSATION.created_at;

  const tell = (socket: WebSocket, frame: ServerFrame) => {
    if (misdeeds.cut?.() === true) return socket.terminate();
    socket.send(JSON.stringify(frame));
    if (misdeeds.repeats === true && "event" in frame) socket.send(JSON.stringify(frame));
  };
  const emit = (...events: ConversationEvent[]) => {
    for (const event of events) {
      const frame: Frame = { seq: log.length + 1, ...event };
      log.push(frame);
      for (const socket of open) tell(socket, frame);
    }
  };
  const obey = (command: ClientCommand): ControlFrame => {
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
    if (command.type === "send") emit(...(misdeeds.reply?.() ?? answer(threadId, command.message)));
    return { type: "ack", id: command.id, thread_id: threadId, seq };
  };
  const hear = (socket: WebSocket, text: string) => {
    if (text === "ping") return misdeeds.isDeaf === true ? undefined : socket.send("pong");
    const command = clientCommandSchema.parse(JSON.parse(text));
    commands.push(command);
    const ack = acks.get(command.id) ?? obey(command);
    acks.set(command.id, ack);
    if ((misdeeds.lostAcks ?? 0) > 0) misdeeds.lostAcks = (misdeeds.lostAcks ?? 0) - 1;
    else tell(socket, ack);
  };
  const welcome = (socket: WebSocket, after: number) => {
    if (after > log.length) {
      tell(socket, { type: "error", code: "seq_unknown", message: `There is no event ${after}.`, field: "after" });
      return socket.close(4409);
    }
    socket.on("message", (data: Buffer) => hear(socket, data.toString()));
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    tell(socket, {
      type: "ready",
      conversation: { ...CONVERSATION, created_at: createdAt },
      seq: log.length,
      pending: [],
    });
    for (const frame of log.slice(after)) tell(socket, frame);
    tell(socket, { type: "caught_up", seq: log.length });
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
    misdeeds,
    refusal: undefined,
    emit,
    begin(...events) {
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
        response.writeHead(server.refusal?.status ?? 200, { "content-type": "application/json" });
        response.end(JSON.stringify(server.refusal?.body ?? body));
      });
      const sockets = new WebSocketServer({ noServer: true });
      const spent = new Set<string>();
      http.on("upgrade", (request, stream, head) => {
        const query = new URL(request.url ?? "/", "http://test").searchParams;
        const ticket = query.get("ticket") ?? "";
        const isStranger = options.requiresTicket === true && (!tickets.includes(ticket) || spent.has(ticket));
        spent.add(ticket);
        if (server.refusal !== undefined || isStranger) stream.destroy();
        else sockets.handleUpgrade(request, stream, head, (socket) => welcome(socket, Number(query.get("after"))));
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

/** A whole thread: the question, an answer in three chunks, the end. */
export function answer(threadId: string, query: string): ConversationEvent[] {
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
