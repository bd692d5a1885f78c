// Messages that no interface accepts: each rejects them, and nothing is stored.

import { env, exports } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import type { OrreryApi } from "../../src/http/rpc-api.ts";
import { createOperations } from "../../src/http/operations/operations.ts";
import type { SendCommand } from "../../src/protocol/wire/commands.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { getSettings } from "../../src/settings.ts";
import { callRoute, call, assertPresent, createConversation } from "./support.ts";

const ENV = env as unknown as Env;
const USER = "local";
const createNested = (levels: number): object => (levels === 0 ? {} : { in: createNested(levels - 1) });

/** Creates a value that refers to itself so often that it cannot be traversed. */
function createHugeReferences(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value, b: value, c: value };
  return value;
}

type InvalidMessage = Readonly<Record<string, unknown>>;
const INVALID_MESSAGES: Readonly<Record<string, InvalidMessage>> = {
  "no message": { message: undefined },
  "a message that is not a string": { message: 7 },
  "an empty message": { message: "" },
  "a blank message": { message: " \n\t" },
  "a message that is too large": { message: "x".repeat(64 * 1_024 + 1) },
  "a message that is too large in multi-byte characters": { message: "汉".repeat(22_000) },
  "an agent that is not a string": { agent: 7 },
  "an agent with a name that is too long": { agent: "x".repeat(129) },
  "a language that is too long": { language: "x".repeat(36) },
  "an invalid time zone": { timezone: "Mars/Olympus" },
  "a context that is not an object": { context: "page" },
  "a context that is too deep": { context: createNested(33) },
  "a context that is too large": { context: { page: "x".repeat(64 * 1_024) } },
  "a context outside JSON": { context: { big: 2n } },
  "a context that cannot be traversed": { context: createHugeReferences(14) },
  "a verify that is not a boolean": { verify: "yes" },
  "an unknown field": { surprise: 1 },
  "an empty id": { id: "" },
  "an id that is too long": { id: "x".repeat(129) },
  "an id that is not a string": { id: 7 },
  "an id with a lone surrogate": { id: "id-\ud800" },
};
const ONLY_RPC = new Set(["a context outside JSON", "a context that cannot be traversed"]);

let conversation: string;
beforeAll(async () => {
  conversation = (await createConversation()).conversation_id;
});
afterAll(async () => {
  const { events } = await callRoute<{ events: Frame[] }>("GET", `/api/v1/conversations/${conversation}/events`);
  expect(events.map(({ event }) => event)).toEqual(["conversation_started"]);
});

type TestInterface = {
  /** The members that it accepts besides the message. */
  readonly members: readonly string[];
  /** Sends the message and returns whether it was rejected. */
  readonly isRejected: (message: InvalidMessage) => Promise<boolean>;
};

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const ALL_MEMBERS = ["agent", "language", "timezone", "context", "verify", "surprise", "id"];

const postBody = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", path, { body, headers });

async function isRejectedOnSocket(command: object): Promise<boolean> {
  const path = `/api/v1/conversations/${conversation}/ws`;
  const socket = assertPresent((await call("GET", path, { headers: { upgrade: "websocket" } })).webSocket);
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

const INTERFACES: Readonly<Record<string, TestInterface>> = {
  "the operations": {
    members: ALL_MEMBERS,
    async isRejected({ id, ...message }) {
      const operations = createOperations(ENV, getSettings(ENV), USER);
      const command = message as unknown as SendCommand;
      const sent = [
        operations.send(conversation, command, id as string),
        operations.start(conversation, command, id as string),
      ];
      return (await Promise.allSettled(sent)).every(({ status }) => status === "rejected");
    },
  },
  RPC: {
    members: ALL_MEMBERS,
    isRejected: async ({ id, ...message }) =>
      !(await orrery.send(USER, conversation, message as unknown as SendCommand, id as string)).ok,
  },
  HTTP: {
    members: ALL_MEMBERS,
    isRejected: async (message) =>
      (await postBody(`/api/v1/conversations/${conversation}/messages`, message)).status >= 400,
  },
  "a socket": {
    members: ALL_MEMBERS,
    isRejected: ({ id = "c1", ...message }) => isRejectedOnSocket({ type: "send", id, ...message }),
  },
  OpenAI: {
    members: ["agent"],
    async isRejected({ message, agent }) {
      const messages = [{ role: "user", content: message }];
      const headers = { "x-orrery-conversation": conversation };
      return (await postBody("/v1/chat/completions", { model: agent ?? "orrery", messages }, headers)).status >= 400;
    },
  },
  MCP: {
    members: ["agent", "surprise", "id"],
    async isRejected({ id, ...message }) {
      const params = {
        name: "ask",
        arguments: { ...message, conversation_id: conversation },
        ...(id === undefined ? {} : { _meta: { "orrery/idempotency-key": id } }),
      };
      const response = await postBody("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const { result, error } = (await response.json()) as { result?: { isError?: boolean }; error?: object };
      return error !== undefined || result?.isError === true;
    },
  },
  "AG-UI": {
    members: ["language", "timezone", "context", "verify", "id"],
    async isRejected({ id: runId = "r1", message: content, context, ...forwardedProps }) {
      const messages = [{ id: "m1", role: "user", content }];
      const state = context ?? {};
      const input = { threadId: conversation, runId, messages, state, tools: [], context: [], forwardedProps };
      return (await postBody("/agui", input)).status >= 400;
    },
  },
  A2A: {
    members: ["id"],
    async isRejected({ id: messageId = "m1", message: text }) {
      const message = { messageId, contextId: conversation, role: "ROLE_USER", parts: [{ text }] };
      const rpc = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
      const response = await postBody("/a2a", rpc, { "a2a-version": "1.0" });
      return ((await response.json()) as { error?: object }).error !== undefined;
    },
  },
};
/** The A2A parser accepts a number as text. */
const isDigits = (name: string, bad: InvalidMessage): boolean => name === "A2A" && Object.values(bad).includes(7);
const RPC_INTERFACES = new Set(["the operations", "RPC"]);

describe.each(Object.entries(INTERFACES))("[F89] the interface %s", (name, { members, isRejected }) => {
  const cases = Object.entries(INVALID_MESSAGES).filter(
    ([what, bad]) =>
      Object.keys(bad).every((field) => field === "message" || members.includes(field)) &&
      (RPC_INTERFACES.has(name) || !ONLY_RPC.has(what)) &&
      !isDigits(name, bad),
  );

  test.each(cases)("rejects %s", async (_, bad) => {
    const startedAt = Date.now();
    expect(await isRejected({ message: "hello", ...bad })).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  test("accepts a valid message", async () => {
    const { conversation_id: other } = await createConversation();
    const before = conversation;
    conversation = other;
    expect(await isRejected({ message: "hello" }).finally(() => (conversation = before))).toBe(false);
  });
});
