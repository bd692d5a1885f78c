// A user of the HTTP API who reads the responses as events.

import type { AcceptedCommand } from "../../src/durable/conversation-api.ts";
import type { SendCommand } from "../../src/protocol/wire/commands.ts";
import { frameSchema, type EventName, type EventOf, type Frame } from "../../src/protocol/wire/events.ts";

/** One thread from its message to its `done`. */
export type ThreadResult = {
  readonly conversationId: string;
  readonly threadId: string;
  readonly frames: readonly Frame[];
};

export type ApiUser = {
  /** Sends a message and reads the whole thread over SSE, in a new conversation or in the given one. */
  sendAndWait(
    message: string,
    options?: Omit<SendCommand, "message"> & { readonly conversation?: string },
  ): Promise<ThreadResult>;
  /** Sends a message and returns once it is accepted. */
  send(
    message: string,
    options?: Omit<SendCommand, "message"> & { readonly conversation?: string },
  ): Promise<AcceptedCommand>;
  /** Reads the complete event log of a conversation. */
  history(conversationId: string): Promise<Frame[]>;
  get<T>(path: string): Promise<T>;
  /** Sends any request; the path follows the server's origin. */
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
};

const TURN_TIMEOUT_MS = 30_000;

export function createApiUser(url: string, token?: string): ApiUser {
  const request: ApiUser["request"] = (method, path, body, headers = {}) =>
    fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TURN_TIMEOUT_MS),
    });
  const send = async (
    message: string,
    options: Omit<SendCommand, "message"> & { conversation?: string },
    accept: string,
  ) => {
    const { conversation, ...rest } = options;
    const path = conversation === undefined ? "/api/v1/messages" : `/api/v1/conversations/${conversation}/messages`;
    return assertOk(await request("POST", path, { message, ...rest }, { accept }));
  };
  const get = async <T>(path: string) => (await assertOk(await request("GET", path)).then((it) => it.json())) as T;
  return {
    async sendAndWait(message, options = {}) {
      const frames = parseFrames(await (await send(message, options, "text/event-stream")).text());
      const started = frames.find((frame) => frame.event === "thread_started");
      if (started === undefined) throw new Error("The stream has no thread_started.");
      const { conversation_id: conversationId, thread_id: threadId } = started.data;
      return { conversationId, threadId, frames };
    },
    send: async (message, options = {}) => (await (await send(message, options, "*/*")).json()) as AcceptedCommand,
    async history(conversationId) {
      const frames: Frame[] = [];
      for (let after = 0; ;) {
        const path = `/api/v1/conversations/${conversationId}/events?after=${after}&limit=5000`;
        const page = await get<{ events: Frame[]; next: number }>(path);
        if (page.events.length === 0) return frames;
        frames.push(...page.events);
        after = page.next;
      }
    },
    get,
    request,
  };
}

async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}

/** Parses an event stream. Throws if a frame is invalid or its `id:` differs from its `seq`. */
export function parseFrames(stream: string): Frame[] {
  const events = stream.split("\n\n").filter((event) => event !== "" && !event.startsWith(":"));
  return events.map((event) => {
    const { id, data } = /^id: (?<id>\d+)\ndata: (?<data>.*)$/s.exec(event)?.groups ?? {};
    const frame = frameSchema.parse(JSON.parse(data ?? "null")) as Frame;
    if (id !== String(frame.seq)) throw new Error(`The event ${frame.seq} came as ${id}.`);
    return frame;
  });
}

/** Returns the data of the events with a name, in order. */
export function filterEvents<Name extends EventName>(frames: readonly Frame[], name: Name): EventOf<Name>["data"][] {
  return frames.filter((frame) => frame.event === name).map((frame) => frame.data as EventOf<Name>["data"]);
}

/** Returns the message text of all agents, or of one agent. */
export function joinText(frames: readonly Frame[], agent?: string): string {
  const chunks = filterEvents(frames, "message_chunk").filter(
    (data) => agent === undefined || data.agent_name === agent,
  );
  return chunks.map(({ payload }) => payload.content).join("");
}
