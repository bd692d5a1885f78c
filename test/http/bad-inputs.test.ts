// What no conversation takes, said through every door: each refuses it, and nothing of it is stored.

import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import type { OrreryApi } from "../../src/http/rpc-api.ts";
import { createOperations } from "../../src/http/operations/operations.ts";
import type { SendCommand } from "../../src/protocol/wire/commands.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { getSettings } from "../../src/settings.ts";
import { ask, call, must, newConversation } from "./support.ts";

const ENV = env as unknown as Env;
const USER = "local";
const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) });

/** A value that stands in so many places that nobody can look at all of them. */
function manifold(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value, b: value, c: value };
  return value;
}

type Bad = Readonly<Record<string, unknown>>;
const BAD: Readonly<Record<string, Bad>> = {
  "no message": { message: undefined },
  "a message that is no text": { message: 7 },
  "an empty message": { message: "" },
  "a blank message": { message: " \n\t" },
  "a message that is too large": { message: "x".repeat(64 * 1_024 + 1) },
  "a message that is too large, in another script": { message: "汉".repeat(22_000) },
  "an agent that is no text": { agent: 7 },
  "an agent with a name that is too long": { agent: "x".repeat(129) },
  "a language that is too long": { language: "x".repeat(36) },
  "a time zone that is none": { timezone: "Mars/Olympus" },
  "a context that is no object": { context: "page" },
  "a context that is too deep": { context: nested(33) },
  "a context that is too large": { context: { page: "x".repeat(64 * 1_024) } },
  "a context that only RPC can say": { context: { big: 2n } },
  "a context without end": { context: manifold(14) },
  "a verify that is neither": { verify: "yes" },
  "an unknown field": { surprise: 1 },
  "an empty id": { id: "" },
  "an id that is too long": { id: "x".repeat(129) },
  "an id that is no text": { id: 7 },
  "an id with half a character": { id: "id-\ud800" },
};
const ONLY_RPC = new Set(["a context that only RPC can say", "a context without end"]);

let conversation: string;
beforeAll(async () => {
  conversation = (await newConversation()).conversation_id;
});
afterAll(async () => {
  const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${conversation}/events`);
  expect(events.map(({ event }) => event)).toEqual(["conversation_started"]);
});

type Door = {
  /** What can be said through it besides the message. */
  readonly takes: readonly string[];
  /** Resolves with whether it was refused. */
  readonly say: (said: Bad) => Promise<boolean>;
};

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const ALL = ["agent", "language", "timezone", "context", "verify", "surprise", "id"];

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", path, { body, headers });

async function onSocket(command: object): Promise<boolean> {
  const path = `/api/v1/conversations/${conversation}/ws`;
  const socket = must((await call("GET", path, { headers: { upgrade: "websocket" } })).webSocket);
  const answered = new Promise<{ type: string }>((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as { type?: string };
      if (frame.type === "ack" || frame.type === "error") resolve({ type: frame.type });
    });
  });
  socket.accept();
  socket.send(JSON.stringify(command));
  const { type } = await answered;
  socket.close();
  return type === "error";
}

const DOORS: Readonly<Record<string, Door>> = {
  "the verbs themselves": {
    takes: ALL,
    async say({ id, ...message }) {
      const verbs = createOperations(ENV, getSettings(ENV), USER);
      const said = message as unknown as SendCommand;
      const sent = [verbs.send(conversation, said, id as string), verbs.start(conversation, said, id as string)];
      return (await Promise.allSettled(sent)).every(({ status }) => status === "rejected");
    },
  },
  "RPC, of another Worker": {
    takes: ALL,
    say: async ({ id, ...message }) =>
      !(await orrery.send(USER, conversation, message as unknown as SendCommand, id as string)).ok,
  },
  HTTP: {
    takes: ALL,
    say: async (said) => (await post(`/api/v1/conversations/${conversation}/messages`, said)).status >= 400,
  },
  "a socket": { takes: ALL, say: ({ id = "c1", ...said }) => onSocket({ type: "send", id, ...said }) },
  OpenAI: {
    takes: ["agent"],
    async say({ message, agent }) {
      const messages = [{ role: "user", content: message }];
      const headers = { "x-orrery-conversation": conversation };
      return (await post("/v1/chat/completions", { model: agent ?? "orrery", messages }, headers)).status >= 400;
    },
  },
  MCP: {
    takes: ["agent", "surprise", "id"],
    async say({ id, ...said }) {
      const params = {
        name: "ask",
        arguments: { ...said, conversation_id: conversation },
        ...(id === undefined ? {} : { _meta: { "orrery/idempotency-key": id } }),
      };
      const response = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const { result, error } = (await response.json()) as { result?: { isError?: boolean }; error?: object };
      return error !== undefined || result?.isError === true;
    },
  },
  "AG-UI": {
    takes: ["language", "timezone", "context", "verify", "id"],
    async say({ id: runId = "r1", message: content, context, ...forwardedProps }) {
      const messages = [{ id: "m1", role: "user", content }];
      const state = context ?? {};
      const input = { threadId: conversation, runId, messages, state, tools: [], context: [], forwardedProps };
      return (await post("/agui", input)).status >= 400;
    },
  },
  A2A: {
    takes: ["id"],
    async say({ id: messageId = "m1", message: text }) {
      const message = { messageId, contextId: conversation, role: "ROLE_USER", parts: [{ text }] };
      const rpc = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
      const response = await post("/a2a", rpc, { "a2a-version": "1.0" });
      return ((await response.json()) as { error?: object }).error !== undefined;
    },
  },
};
/** The reader of A2A takes a number for its digits, which are text. */
const isDigits = (name: string, bad: Bad): boolean => name === "A2A" && Object.values(bad).includes(7);
const OVER_RPC = new Set(["the verbs themselves", "RPC, of another Worker"]);

describe.each(Object.entries(DOORS))("[F89] through %s", (name, { takes, say }) => {
  const cases = Object.entries(BAD).filter(
    ([what, bad]) =>
      Object.keys(bad).every((field) => field === "message" || takes.includes(field)) &&
      (OVER_RPC.has(name) || !ONLY_RPC.has(what)) &&
      !isDigits(name, bad),
  );

  test.each(cases)("%s is refused", async (_, bad) => {
    const startedAt = Date.now();
    expect(await say({ message: "hello", ...bad })).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  test("and everything else is taken", async () => {
    const { conversation_id: other } = await newConversation();
    const before = conversation;
    conversation = other;
    expect(await say({ message: "hello" }).finally(() => (conversation = before))).toBe(false);
  });
});
