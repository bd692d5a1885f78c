// Requests to the real Worker in the Workers runtime, with checks for every response.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import * as z from "zod";
import type { Env } from "../../src/env.ts";
import { handleRequest, routes } from "../../src/http/http-app.ts";
import { conversationInfoSchema, type ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { frameSchema, type Frame } from "../../src/protocol/wire/events.ts";
import { problemDetailsSchema, type ProblemDetails } from "../../src/protocol/wire/fault.ts";

export const ORIGIN = "https://orrery.localhost";
export const ENV = env as unknown as Env;

export type ApiRequest = {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a string or a stream already. */
  readonly body?: unknown;
  /** Overrides of the settings and bindings of the Worker. */
  readonly env?: Readonly<Record<string, unknown>>;
};

const cachedEnvs = new WeakMap<object, Env>();

/** Settings are parsed once per environment, so equal overrides share one. */
function getEnv(changes: ApiRequest["env"]): Env {
  if (changes === undefined) return ENV;
  let merged = cachedEnvs.get(changes);
  if (merged === undefined) cachedEnvs.set(changes, (merged = { ...ENV, ...changes }));
  return merged;
}

/** Calls the Worker as an external client does. */
export async function call(method: string, path: string, { headers = {}, body, env: changes }: ApiRequest = {}) {
  const isRaw = typeof body === "string" || body instanceof ReadableStream;
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    redirect: "manual",
  });
  const response = await handleRequest(request, getEnv(changes), createExecutionContext());
  if (response.webSocket === null) expectSecurityHeaders(response);
  return response;
}

export function expectSecurityHeaders({ headers }: Response): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toMatch(/no-store|no-cache/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
}

/** Calls a route, validates the response against its schema and returns the JSON. */
export async function callRoute<T = Record<string, unknown>>(
  method: string,
  path: string,
  options: ApiRequest = {},
): Promise<T> {
  const response = await call(method, path, options);
  const text = await response.text();
  const route = routes.find(
    (candidate) =>
      candidate.method === method.toLowerCase() && createPattern(candidate.path).test(path.split("?")[0] ?? ""),
  );
  expect(response.status, text).toBe(route?.answer.status);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const json: unknown = JSON.parse(text);
  z.parse(route?.answer.schema ?? z.never(), json);
  return json as T;
}

function createPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`);
}

/** Calls a route that must fail and returns its problem details. */
export async function callForProblem(method: string, path: string, options: ApiRequest = {}): Promise<ProblemDetails> {
  const response = await call(method, path, options);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = z.strictObject(problemDetailsSchema.shape).parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

export type AcceptedMessage = { readonly conversation_id: string; readonly thread_id: string; readonly seq: number };

/** Sends a message to a new conversation and waits for the end of its thread. */
export async function sendAndWait(
  message: string,
  options: ApiRequest = {},
  body: object = {},
): Promise<AcceptedMessage> {
  const accepted = await callRoute<AcceptedMessage>("POST", "/api/v1/messages", {
    ...options,
    body: { message, ...body },
  });
  await waitForThreads(accepted.conversation_id, 1, options);
  return accepted;
}

export async function createConversation(options: ApiRequest = {}): Promise<ConversationInfo> {
  return conversationInfoSchema.parse(await callRoute("POST", "/api/v1/conversations", { ...options, body: {} }));
}

export function waitForThreads(id: string, threads = 1, options: ApiRequest = {}): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const { events } = await callRoute<{ events: Frame[] }>("GET", `/api/v1/conversations/${id}/events`, options);
      expect(events.filter((frame) => frame.event === "done")).toHaveLength(threads);
      return events;
    },
    { timeout: 10_000, interval: 20 },
  );
}

export type StreamedFrame = { readonly id: number; readonly frame: Frame };

/** Reads an event stream until it ends or `isEnough` returns true, and then cancels it. */
export async function readStream(
  response: Response,
  isComplete: (events: readonly StreamedFrame[]) => boolean = () => false,
) {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = (assertPresent(response.body) as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text, events: parseStream(text), hasEnded: true };
    text += decoder.decode(value, { stream: true });
    if (!isComplete(parseStream(text))) continue;
    await reader.cancel();
    return { text, events: parseStream(text), hasEnded: false };
  }
}

function parseStream(text: string): StreamedFrame[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      if (block.startsWith(":")) return [];
      const [, id = "", data = ""] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      return [{ id: Number(id), frame: frameSchema.parse(JSON.parse(data)) as Frame }];
    });
}

/** Creates a body without end and tells whether it was cancelled. */
export function createEndlessBody() {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      controller.enqueue(new Uint8Array(16_384).fill(32));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return { body, isCancelled: () => isCancelled };
}

export function assertPresent<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("Something is missing");
  return value;
}

/** An unavailable database. */
export const BROKEN_DB = {
  DB: new Proxy(
    {},
    {
      get: () => () => {
        throw new Error("D1_ERROR: secret-host is down");
      },
    },
  ),
};
