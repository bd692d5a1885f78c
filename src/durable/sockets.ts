// The conversation's WebSocket door. A socket sleeps with the object; `ping` is answered without waking it.

import type { DurableObjectCapability } from "agents/lifecycle";
import { clientCommandSchema, type ClientCommand } from "../protocol/commands.ts";
import { Fault, parseWith, toFault, toProblem } from "../protocol/fault.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import { unreachable } from "../protocol/assert.ts";
import type { Settings } from "../settings.ts";
import { valueOf, type ConversationApi } from "./api.ts";
import type { Audience } from "./audience.ts";
import type { Log } from "./log.ts";

/** Room for a command around its message. */
const COMMAND_OVERHEAD_CHARS = 32 * 1024;

type Door = {
  /** Throws a `Fault` when there is no such conversation. */
  readonly log: () => Log;
  readonly api: Pick<ConversationApi, "send" | "resume" | "cancel">;
};

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
  }

  /** `?after=SEQ`: first `ready`, then everything after SEQ, then `caught_up`, then what happens. */
  onWebSocketUpgrade({ request }: { request: Request }): Response {
    try {
      const log = this.#door.log();
      const after = afterOf(request);
      const { 0: client, 1: server } = new WebSocketPair();
      this.#ctx.acceptWebSocket(server);
      const { conversation } = log.head;
      this.#audience.say(server, { type: "ready", conversation, seq: log.last, pending: [] });
      for (const frame of log.framesAfter(after)) this.#audience.say(server, frame);
      this.#audience.say(server, { type: "caught_up", seq: log.last });
      this.#audience.join(server);
      return new Response(null, { status: 101, webSocket: client });
    } catch (thrown) {
      const problem = toProblem(toFault(thrown));
      return Response.json(problem, {
        status: problem.status,
        headers: { "content-type": "application/problem+json" },
      });
    }
  }

  async onWebSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<boolean> {
    this.#audience.say(socket, await this.#carryOut(message));
    return true;
  }

  onWebSocketClose(socket: WebSocket, code: number, reason: string): boolean {
    this.#audience.leave(socket);
    // 1005 and 1006 say that no code was sent; they may not be sent either.
    if (socket.readyState !== WebSocket.CLOSED) socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    return true;
  }

  onWebSocketError(socket: WebSocket): boolean {
    this.#audience.leave(socket);
    return true;
  }

  async #carryOut(message: string | ArrayBuffer): Promise<ControlFrame> {
    let json: unknown;
    try {
      json = this.#read(message);
      const command = parseWith(clientCommandSchema, json);
      return { type: "ack", id: command.id, ...(await this.#do(command)) };
    } catch (thrown) {
      const { code, message: words, field } = toFault(thrown);
      const id =
        typeof json === "object" && json !== null && "id" in json && typeof json.id === "string" ? { id: json.id } : {};
      return { type: "error", ...id, code, message: words, ...(field === undefined ? {} : { field }) };
    }
  }

  #read(message: string | ArrayBuffer): unknown {
    if (typeof message !== "string") throw new Fault("unsupported", "Commands are JSON text, not binary.");
    if (message.length > this.#settings.MAX_MESSAGE_BYTES + COMMAND_OVERHEAD_CHARS) {
      throw new Fault("too_large", `message: must not exceed ${this.#settings.MAX_MESSAGE_BYTES} bytes`, {
        field: "message",
      });
    }
    try {
      return JSON.parse(message);
    } catch {
      throw new Fault("invalid_request", "This is not JSON.");
    }
  }

  async #do(command: ClientCommand): Promise<{ thread_id?: string; seq: number }> {
    const { api, log } = this.#door;
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
        return { seq: log().last };
      }
      default:
        return unreachable(command);
    }
  }
}

function afterOf(request: Request): number {
  const text = new URL(request.url).searchParams.get("after") ?? "0";
  const after = Number(text);
  if (!/^\d{1,15}$/.test(text))
    throw new Fault("invalid_request", "after: must be a non-negative integer", { field: "after" });
  return after;
}
