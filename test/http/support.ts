// Requests to the real Worker, in the runtime, and checks that every answer has to pass.

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
const ENV = env as unknown as Env;

export type Ask = {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is text or a stream already. */
  readonly body?: unknown;
  /** Settings and bindings that differ from the Worker's own. */
  readonly env?: Readonly<Record<string, unknown>>;
};

const environments = new WeakMap<object, Env>();

/** Settings are read once per environment, so equal ones share one. */
function environmentWith(changes: Ask["env"]): Env {
  if (changes === undefined) return ENV;
  let made = environments.get(changes);
  if (made === undefined) environments.set(changes, (made = { ...ENV, ...changes }));
  return made;
}

/** Calls the Worker as the outside does. */
export async function call(method: string, path: string, { headers = {}, body, env: changes }: Ask = {}) {
  const isRaw = typeof body === "string" || body instanceof ReadableStream;
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    redirect: "manual",
  });
  const response = await handleRequest(request, environmentWith(changes), createExecutionContext());
  if (response.webSocket === null) expectSafe(response);
  return response;
}

export function expectSafe({ headers }: Response): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toMatch(/no-store|no-cache/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
}

/** Calls a route and checks the answer against what the description promises. Resolves with the answer's JSON. */
export async function ask<T = Record<string, unknown>>(method: string, path: string, options: Ask = {}): Promise<T> {
  const response = await call(method, path, options);
  const text = await response.text();
  const route = routes.find(
    (known) => known.method === method.toLowerCase() && patternOf(known.path).test(path.split("?")[0] ?? ""),
  );
  expect(response.status, text).toBe(route?.answer.status);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const json: unknown = JSON.parse(text);
  z.parse(route?.answer.schema ?? z.never(), json);
  return json as T;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`);
}

/** Calls a route that must refuse. Resolves with its problem details. */
export async function refused(method: string, path: string, options: Ask = {}): Promise<ProblemDetails> {
  const response = await call(method, path, options);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = z.strictObject(problemDetailsSchema.shape).parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

export type Accepted = { readonly conversation_id: string; readonly thread_id: string; readonly seq: number };

/** Sends a message to a new conversation, and waits for the end of its thread. */
export async function talk(message: string, options: Ask = {}, body: object = {}): Promise<Accepted> {
  const accepted = await ask<Accepted>("POST", "/api/v1/messages", { ...options, body: { message, ...body } });
  await settled(accepted.conversation_id, 1, options);
  return accepted;
}

export async function newConversation(options: Ask = {}): Promise<ConversationInfo> {
  return conversationInfoSchema.parse(await ask("POST", "/api/v1/conversations", { ...options, body: {} }));
}

export function settled(id: string, threads = 1, options: Ask = {}): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${id}/events`, options);
      expect(events.filter((frame) => frame.event === "done")).toHaveLength(threads);
      return events;
    },
    { timeout: 10_000, interval: 20 },
  );
}

export type Sse = { readonly id: number; readonly frame: Frame };

/** Reads an event stream until it ends or `isEnough`, and then leaves. */
export async function readStream(response: Response, isEnough: (events: readonly Sse[]) => boolean = () => false) {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = (must(response.body) as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text, events: parseStream(text), hasEnded: true };
    text += decoder.decode(value, { stream: true });
    if (!isEnough(parseStream(text))) continue;
    await reader.cancel();
    return { text, events: parseStream(text), hasEnded: false };
  }
}

function parseStream(text: string): Sse[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      if (block.startsWith(":")) return [];
      const [, id = "", data = ""] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      return [{ id: Number(id), frame: frameSchema.parse(JSON.parse(data)) as Frame }];
    });
}

/** A body that goes on until it is left. */
export function endless() {
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      controller.enqueue(new Uint8Array(16_384).fill(32));
    },
    cancel: () => {
      isLeft = true;
    },
  });
  return { body, isLeft: () => isLeft };
}

export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("Something is missing");
  return value;
}

/** A database that is not there. */
export const DOWN = {
  DB: new Proxy(
    {},
    {
      get: () => () => {
        throw new Error("D1_ERROR: secret-host is down");
      },
    },
  ),
};
