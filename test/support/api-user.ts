// Somebody who talks to the runtime over HTTP and reads what comes back as events.

import type { AcceptedCommand } from "../../src/durable/conversation-api.ts";
import type { SendCommand } from "../../src/protocol/wire/commands.ts";
import { frameSchema, type EventName, type EventOf, type Frame } from "../../src/protocol/wire/events.ts";

/** One thread from its message to its `done`. */
export type Heard = {
  readonly conversationId: string;
  readonly threadId: string;
  readonly frames: readonly Frame[];
};

export type Person = {
  /** Says something and hears the whole thread over SSE: in a new conversation, or in the one named. */
  say(message: string, options?: Omit<SendCommand, "message"> & { readonly in?: string }): Promise<Heard>;
  /** Says something and goes away once it has been accepted. */
  tell(message: string, options?: Omit<SendCommand, "message"> & { readonly in?: string }): Promise<AcceptedCommand>;
  /** Everything that a conversation's log holds. */
  history(conversationId: string): Promise<Frame[]>;
  get<T>(path: string): Promise<T>;
  /** Any request; the path is what follows the server's address. */
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
};

const TURN_TIMEOUT_MS = 30_000;

export function personAt(url: string, token?: string): Person {
  const request: Person["request"] = (method, path, body, headers = {}) =>
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
  const send = async (message: string, options: Omit<SendCommand, "message"> & { in?: string }, accept: string) => {
    const { in: conversation, ...rest } = options;
    const path = conversation === undefined ? "/api/v1/messages" : `/api/v1/conversations/${conversation}/messages`;
    return succeeded(await request("POST", path, { message, ...rest }, { accept }));
  };
  const get = async <T>(path: string) => (await succeeded(await request("GET", path)).then((it) => it.json())) as T;
  return {
    async say(message, options = {}) {
      const frames = framesOf(await (await send(message, options, "text/event-stream")).text());
      const started = frames.find((frame) => frame.event === "thread_started");
      if (started === undefined) throw new Error("The stream has no thread_started.");
      const { conversation_id: conversationId, thread_id: threadId } = started.data;
      return { conversationId, threadId, frames };
    },
    tell: async (message, options = {}) => (await (await send(message, options, "*/*")).json()) as AcceptedCommand,
    async history(conversationId) {
      const frames: Frame[] = [];
      for (let after = 0; ;) {
        const path = `/api/v1/conversations/${conversationId}/events?after=${after}&limit=5000`;
        const page = await get<{ events: Frame[]; next: number }>(path);
        frames.push(...page.events);
        if (page.events.length < 5000) return frames;
        after = page.next;
      }
    },
    get,
    request,
  };
}

async function succeeded(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}

/** The frames of an event stream. Throws when one is no frame, or its `id:` is not its number. */
export function framesOf(stream: string): Frame[] {
  const events = stream.split("\n\n").filter((event) => event !== "" && !event.startsWith(":"));
  return events.map((event) => {
    const { id, data } = /^id: (?<id>\d+)\ndata: (?<data>.*)$/s.exec(event)?.groups ?? {};
    const frame = frameSchema.parse(JSON.parse(data ?? "null")) as Frame;
    if (id !== String(frame.seq)) throw new Error(`The event ${frame.seq} came as ${id}.`);
    return frame;
  });
}

/** The events of one name, in order. */
export function eventsOf<Name extends EventName>(frames: readonly Frame[], name: Name): EventOf<Name>["data"][] {
  return frames.filter((frame) => frame.event === name).map((frame) => frame.data as EventOf<Name>["data"]);
}

/** Everything that was said to the person, as one text. */
export function textOf(frames: readonly Frame[], agent?: string): string {
  const chunks = eventsOf(frames, "message_chunk").filter((data) => agent === undefined || data.agent_name === agent);
  return chunks.map(({ payload }) => payload.content).join("");
}
