// The doors of the runtime: every interface through which a user can send a message. A contract holds for each of them.
//
// A door speaks its protocol without a client library, so that a contract can compare whole responses. The official
// clients have their own tests (`test/e2e/protocols`).

import type { Frame } from "../../src/protocol/wire/events.ts";
import { filterEvents, joinText, parseFrames } from "../support/api-user.ts";
import { signToken } from "../http/tokens.ts";
import type { Setup } from "./setup.ts";

/** A message with any further members, also invalid ones. */
export type Message = {
  /** An existing conversation. Absent: a new one is created. */
  readonly conversation?: string;
  /** The idempotency key. */
  readonly id?: unknown;
  readonly message: unknown;
  readonly [member: string]: unknown;
};

/** `asked`: the thread waits for an answer. `refused`: the message started nothing. */
export type Outcome = "completed" | "asked" | "cancelled" | "failed" | "refused";
export type Reply = {
  readonly end: Outcome;
  /** The text of the answer. */
  readonly text: string;
  /** The whole response as text. */
  readonly raw: string;
};

export type Door = {
  /** The members of a message that it passes on. */
  readonly members: readonly string[];
  /** True if a conversation with an unknown id is created, and not refused. */
  readonly opensUnknown: boolean;
  /** Sends a message for a user and resolves with the end of its thread. */
  send(setup: Setup, user: string, message: Message): Promise<Reply>;
};

const MEMBERS = ["agent", "language", "timezone", "context", "verify", "surprise", "id"];

/** Sends a request as a user. Resolves with the whole response. */
export async function request(
  { runtime }: Setup,
  user: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const response = await fetch(runtime.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      authorization: `Bearer ${await signToken({ sub: user })}`,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Calls a method of the RPC interface over a service binding. Resolves with its result, or the lines of its stream. */
export async function callRpc({ runtime }: Setup, method: string, args: readonly unknown[]): Promise<string> {
  const body = JSON.stringify(args);
  return (await fetch(`${runtime.getUrl("caller")}/${method}`, { method: "POST", body })).text();
}

const refuse = (raw: string): Reply => ({ end: "refused", text: "", raw });

/** Returns the reply of a thread from its events. */
function summarizeFrames(frames: readonly Frame[], raw: string): Reply {
  const [done] = filterEvents(frames, "done");
  const isFailed = filterEvents(frames, "system_failed").length > 0;
  const end = done?.metadata?.["cancelled"] === true ? "cancelled" : isFailed ? "failed" : "completed";
  return { end: done === undefined ? "asked" : end, text: joinText(frames), raw };
}

const http: Door = {
  members: MEMBERS,
  opensUnknown: false,
  async send(setup, user, { conversation, ...message }) {
    const path = conversation === undefined ? "/api/v1/messages" : `/api/v1/conversations/${conversation}/messages`;
    const { status, text } = await request(setup, user, "POST", path, message, { accept: "text/event-stream" });
    return status < 400 ? summarizeFrames(parseFrames(text), text) : refuse(text);
  },
};

const socket: Door = {
  members: MEMBERS,
  opensUnknown: false,
  async send(setup, user, { conversation, id = `cmd-${crypto.randomUUID()}`, ...message }) {
    const conversationId = conversation ?? (await createConversation(setup, user));
    const command = { type: "send", id, ...message };
    return sendOnSocket(setup, user, conversationId, command);
  },
};

/** Opens a socket of a conversation for a user. Resolves with the problem as text if it is refused. */
export async function openSocket(
  setup: Setup,
  user: string,
  conversation: string,
  after: number | string = 0,
): Promise<WebSocket | string> {
  const ticket = await request(setup, user, "POST", "/api/v1/tickets", { conversation_id: conversation });
  if (ticket.status >= 400) return ticket.text;
  const { ticket: secret } = JSON.parse(ticket.text) as { ticket: string };
  const path = `/api/v1/conversations/${conversation}/ws?after=${after}&ticket=${secret}`;
  return new WebSocket(setup.runtime.url.replace("http", "ws") + path);
}

/** Sends a command of any form on a socket and waits for the end of its thread. */
async function sendOnSocket(setup: Setup, user: string, conversation: string, command: object): Promise<Reply> {
  const webSocket = await openSocket(setup, user, conversation);
  if (typeof webSocket === "string") return refuse(webSocket);
  const frames: Frame[] = [];
  let thread = "";
  const { promise, resolve } = Promise.withResolvers<Reply>();
  webSocket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame | { type: string; thread_id?: string };
    if ("event" in frame) frames.push(frame);
    else if (frame.type === "error") resolve(refuse(String(data)));
    else if (frame.type === "ack") thread = frame.thread_id ?? "";
    const own = frames.filter(({ data: of }) => thread !== "" && "thread_id" in of && of.thread_id === thread);
    if (own.some(({ event }) => /^(done|plan_require_user_input|task_waiting)$/.test(event)))
      resolve(summarizeFrames(own, JSON.stringify(own)));
  });
  webSocket.addEventListener("close", () => resolve({ end: "failed", text: "", raw: "The socket was closed." }));
  webSocket.addEventListener("open", () => webSocket.send(JSON.stringify(command)));
  return promise.finally(() => webSocket.close());
}

/** Sends a command on a new socket. Resolves with its acknowledgement, without its `seq`, or its error. */
export async function sendSocketCommand(
  setup: Setup,
  user: string,
  conversation: string,
  command: Readonly<Record<string, string>>,
): Promise<string> {
  const webSocket = await openSocket(setup, user, conversation);
  if (typeof webSocket === "string") return webSocket;
  const answer = new Promise<string>((resolve, reject) => {
    webSocket.addEventListener("open", () => webSocket.send(JSON.stringify(command)));
    webSocket.addEventListener("error", () => reject(new Error("The socket could not be opened.")));
    webSocket.addEventListener("message", ({ data }) => {
      if ((JSON.parse(String(data)) as { id?: string }).id === command["id"])
        resolve(String(data).replace(/"seq":\d+/, ""));
    });
  });
  return answer.finally(() => webSocket.close());
}

const rpc: Door = {
  members: MEMBERS,
  opensUnknown: false,
  async send(setup, user, { conversation, id, ...message }) {
    const raw = await callRpc(setup, "ask", [user, conversation ?? null, message, ...(id === undefined ? [] : [id])]);
    if (raw.startsWith('{"ok":false')) return refuse(raw);
    const lines = raw.split("\n").filter((line) => line !== "");
    return summarizeFrames(
      lines.map((line) => JSON.parse(line) as Frame),
      raw,
    );
  },
};

type A2ATask = {
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
};
const A2A_OUTCOMES: Readonly<Record<string, Outcome>> = {
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_INPUT_REQUIRED: "asked",
  TASK_STATE_CANCELED: "cancelled",
};

/** Calls a method of A2A. Resolves with the response. */
export async function callA2A(setup: Setup, user: string, method: string, params: object): Promise<string> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return (await request(setup, user, "POST", "/a2a", body, { "a2a-version": "1.0" })).text;
}

/** Creates the door of a binding. `call` sends the parameters of SendMessage and resolves with the response. */
function createA2ADoor(call: (setup: Setup, user: string, params: object) => Promise<string>): Door {
  return {
    members: ["id", "language", "timezone"],
    opensUnknown: true,
    async send(setup, user, { conversation, id = crypto.randomUUID(), message: text, ...metadata }) {
      const message = { messageId: id, contextId: conversation, role: "ROLE_USER", parts: [{ text }], metadata };
      const raw = await call(setup, user, { message });
      const body = JSON.parse(raw) as { result?: { task?: A2ATask }; task?: A2ATask };
      const task = body.task ?? body.result?.task;
      if (task === undefined) return refuse(raw);
      const texts = (task.artifacts ?? []).map(({ parts }) => parts.map((part) => part.text ?? "").join(""));
      return { end: A2A_OUTCOMES[task.status.state] ?? "failed", text: texts.join("\n\n"), raw };
    },
  };
}

type AgUiEvent = { readonly type: string; readonly delta?: string; readonly outcome?: { readonly type: string } };

const agui: Door = {
  members: ["language", "timezone", "context", "verify", "id"],
  opensUnknown: true,
  async send(setup, user, message) {
    const { conversation, id, message: content, context, ...forwardedProps } = message;
    const run = {
      protocolVersion: "1.0",
      threadId: conversation ?? `conv-${crypto.randomUUID()}`,
      runId: id ?? crypto.randomUUID(),
      messages: [{ id: "m1", role: "user", content }],
      state: context ?? {},
      tools: [],
      context: [],
      forwardedProps,
    };
    const { status, text } = await request(setup, user, "POST", "/agui", run, { accept: "text/event-stream" });
    if (status >= 400) return refuse(text);
    const lines = text.split("\n").filter((line) => line.startsWith("data: "));
    const events = lines.map((line) => JSON.parse(line.slice("data: ".length)) as AgUiEvent);
    const { type = "", outcome } = events.at(-1) ?? {};
    const ends: Readonly<Record<string, Outcome>> = {
      success: "completed",
      interrupt: "asked",
      cancelled: "cancelled",
    };
    return {
      end: (type === "RUN_FINISHED" ? ends[outcome?.type ?? ""] : undefined) ?? "failed",
      text: events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : "")).join(""),
      raw: text,
    };
  },
};

/** Calls a tool of MCP. Resolves with the response. */
export async function callTool(setup: Setup, user: string, params: object): Promise<string> {
  return (await request(setup, user, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params })).text;
}

const mcp: Door = {
  members: ["agent", "surprise", "id"],
  opensUnknown: false,
  async send(setup, user, { conversation, id, ...message }) {
    const raw = await callTool(setup, user, {
      name: "ask",
      arguments: { ...message, ...(conversation === undefined ? {} : { conversation_id: conversation }) },
      ...(id === undefined ? {} : { _meta: { "orrery/idempotency-key": id } }),
    });
    const { result } = JSON.parse(raw) as {
      result?: { isError?: boolean; structuredContent?: { status: string; answer?: string } };
    };
    const content = result?.structuredContent;
    if (content === undefined) return refuse(raw);
    const end = content.status === "input_required" ? "asked" : (content.status as Outcome);
    return { end, text: content.answer ?? "", raw };
  },
};

const openai: Door = {
  members: ["agent"],
  opensUnknown: false,
  async send(setup, user, { conversation, id, message: content, agent }) {
    const headers = {
      ...(conversation === undefined ? {} : { "x-orrery-conversation": conversation }),
      ...(id === undefined ? {} : { "idempotency-key": String(id) }),
    };
    const body = { model: agent ?? "orrery", messages: [{ role: "user", content }] };
    const { status, text: raw } = await request(setup, user, "POST", "/v1/chat/completions", body, headers);
    const { error, choices } = JSON.parse(raw) as {
      error?: { code?: string };
      choices?: { message: { content: string } }[];
    };
    if (error?.code === "cancelled") return { end: "cancelled", text: "", raw };
    if (status >= 400) return refuse(raw);
    // A question is an ordinary answer in this API.
    return { end: "completed", text: choices?.[0]?.message.content ?? "", raw };
  },
};

type OpenAiResponse = {
  readonly error?: { readonly code?: string } | null;
  readonly output?: readonly { readonly content?: readonly { readonly text?: string }[] }[];
};

const responses: Door = {
  members: ["agent"],
  opensUnknown: false,
  async send(setup, user, { conversation, id, message: input, agent }) {
    const headers = {
      ...(conversation === undefined ? {} : { "x-orrery-conversation": conversation }),
      ...(id === undefined ? {} : { "idempotency-key": String(id) }),
    };
    const body = { model: agent ?? "orrery", input };
    const { status, text: raw } = await request(setup, user, "POST", "/v1/responses", body, headers);
    const { error, output = [] } = JSON.parse(raw) as OpenAiResponse;
    if (error?.code === "cancelled") return { end: "cancelled", text: "", raw };
    if (status >= 400) return refuse(raw);
    const text = output.flatMap(({ content = [] }) => content.map((part) => part.text ?? "")).join("");
    return { end: "completed", text, raw };
  },
};

export const DOORS = {
  HTTP: http,
  socket,
  RPC: rpc,
  A2A: createA2ADoor((setup, user, params) => callA2A(setup, user, "SendMessage", params)),
  "A2A over HTTP+JSON": createA2ADoor(
    async (setup, user, params) => (await request(setup, user, "POST", "/a2a/message:send", params)).text,
  ),
  "AG-UI": agui,
  MCP: mcp,
  OpenAI: openai,
  Responses: responses,
} as const;
export type DoorName = keyof typeof DOORS;
export const DOOR_NAMES = Object.keys(DOORS) as DoorName[];

/** Creates an empty conversation. Resolves with its id. */
export async function createConversation(setup: Setup, user: string): Promise<string> {
  const { text } = await request(setup, user, "POST", "/api/v1/conversations", {});
  return (JSON.parse(text) as { conversation_id: string }).conversation_id;
}
