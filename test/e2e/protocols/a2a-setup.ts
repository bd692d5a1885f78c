// A shared runtime with a scripted agent and the guestbook agent, and functions for raw A2A requests.

import { setTimeout as sleep } from "node:timers/promises";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { createApiUser } from "../../support/api-user.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";

/**
 * The script of the agent `walker`: `walk N` streams N words, ten per second; `file` attaches two files; a query with
 * `ask` asks a question and repeats the answer.
 */
async function* streamSteps(query: string, stop: AbortSignal, answer: string | null) {
  if (answer !== null) {
    yield `You said ${answer}.`;
    return;
  }
  if (query.includes("ask")) {
    yield "One moment. ";
    yield { ask: "Which colour?" };
    return;
  }
  if (query.includes("file")) {
    yield { part: { raw: "aGk=", filename: "hi.txt", mediaType: "text/plain" } };
    yield { part: { url: "https://files.example.dev/a.png", filename: "a.png", mediaType: "image/png" } };
    return;
  }
  const [, words = "2"] = /walk (\d+)/.exec(query) ?? [];
  for (let i = 1; i <= Number(words) && !stop.aborted; i++) {
    yield `step${i} `;
    await sleep(100);
  }
}

export type A2ASetup = { readonly runtime: SharedRuntime; readonly walker: A2AAgent; close(): Promise<void> };

export async function startA2ASetup(vars: Readonly<Record<string, string>> = {}, token?: string): Promise<A2ASetup> {
  const walker = await startA2AAgent("walker", "1.0", streamSteps);
  const runtime = await shareRuntime({
    vars: { ALLOW_PRIVATE_AGENTS: "1", ...vars },
    ...withGuestbook(),
  });
  const registered = await createApiUser(runtime.url, token).request("POST", "/api/v1/agents", { url: walker.url });
  if (registered.status !== 201) throw new Error(await registered.text());
  return {
    runtime,
    walker,
    close: () => walker.close(),
  };
}

export type Part = { readonly text?: string; readonly data?: Readonly<Record<string, unknown>> };
export type A2AMessage = { readonly messageId: string; readonly role: string; readonly parts: readonly Part[] };
export type Status = { readonly state: string; readonly timestamp: string; readonly message?: A2AMessage };
type Artifact = { readonly artifactId: string; readonly parts: readonly Part[] };
type Metadata = Readonly<Record<string, { readonly type: string }>>;
export type Task = {
  readonly id: string;
  readonly contextId: string;
  readonly status: Status;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly A2AMessage[];
};
type Update = { readonly taskId: string; readonly contextId: string; readonly metadata?: Metadata };

/** The union of all results. A test reads the members of the method that it called. */
export type Result = Task & {
  readonly task: Task;
  readonly statusUpdate?: Update & { readonly status: Status };
  readonly artifactUpdate?: Update & { readonly artifact: Artifact; readonly append?: boolean };
  readonly tasks: readonly Task[];
  readonly nextPageToken: string;
  readonly configs: readonly object[];
  readonly skills: readonly { readonly id: string }[];
};
export type Answer = {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result: Result;
  readonly error: { readonly code: number; readonly message: string; readonly data?: readonly object[] };
};

/** Sends one raw JSON-RPC request. `headers` are added to the default headers. */
export async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

/** Calls a method. Resolves with its complete JSON-RPC response. */
export async function callRpc(
  url: string,
  method: string,
  params?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { jsonrpc: "2.0", id: "r-1", method, ...(params === undefined ? {} : { params }) };
  return (await (await post(url, body, headers)).json()) as Answer;
}

/** Yields the events of a stream. */
export async function* readEvents(response: Response): AsyncGenerator<Answer> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield JSON.parse(data.slice(6)) as Answer;
    }
  }
}

let messages = 0;

/** Creates the parameters of SendMessage, with a new message id. */
export function createSendParams(text: string, more: object = {}, rest: object = {}) {
  const message = { messageId: `m-${Date.now()}-${++messages}`, role: "ROLE_USER", parts: [{ text }], ...more };
  return { message, ...rest };
}

/** Resolves with all events of a stream. */
export async function collectEvents(response: Response): Promise<Answer[]> {
  const all: Answer[] = [];
  for await (const event of readEvents(response)) all.push(event);
  return all;
}

export const listTexts = (task: Task): string[] =>
  (task.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? ""));

export function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The value is missing.");
  return value;
}
