// The runtime with agents whose pace a test decides, and plain requests to its doors for A2A.

import { setTimeout as sleep } from "node:timers/promises";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { personAt } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

/**
 * What the agent `walker` does: `walk N` says N words, ten a second; `file` attaches two; anything with `ask` asks, and
 * repeats the answer.
 */
async function* walk(query: string, stop: AbortSignal, answer: string | null) {
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

export type Stage = { readonly runtime: Runtime; readonly walker: A2AAgent; close(): Promise<void> };

export async function openStage(vars: Readonly<Record<string, string>> = {}, token?: string): Promise<Stage> {
  const walker = await startA2AAgent("walker", "1.0", walk);
  const runtime = await startRuntime({
    vars: { ALLOW_PRIVATE_AGENTS: "1", ...vars },
    ...withGuestbook(),
  });
  const registered = await personAt(runtime.url, token).request("POST", "/api/v1/agents", { url: walker.url });
  if (registered.status !== 201) throw new Error(await registered.text());
  return {
    runtime,
    walker,
    async close() {
      await runtime.stop();
      await walker.close();
    },
  };
}

export type Part = { readonly text?: string; readonly data?: Readonly<Record<string, unknown>> };
export type Words = { readonly messageId: string; readonly role: string; readonly parts: readonly Part[] };
export type Status = { readonly state: string; readonly timestamp: string; readonly message?: Words };
type Artifact = { readonly artifactId: string; readonly parts: readonly Part[] };
type Metadata = Readonly<Record<string, { readonly type: string }>>;
export type Task = {
  readonly id: string;
  readonly contextId: string;
  readonly status: Status;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Words[];
};
type Update = { readonly taskId: string; readonly contextId: string; readonly metadata?: Metadata };

/** Whatever a method may answer: a test reads what it asked for. */
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

/** One JSON-RPC request as its bytes are sent; `headers` besides those that every client sends. */
export async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

/** Calls a method and reads its answer whole. */
export async function rpc(
  url: string,
  method: string,
  params?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { jsonrpc: "2.0", id: "r-1", method, ...(params === undefined ? {} : { params }) };
  return (await (await post(url, body, headers)).json()) as Answer;
}

/** The events of a stream, one after the other. */
export async function* events(response: Response): AsyncGenerator<Answer> {
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

/** Parameters of a message with an id of its own. */
export function said(text: string, more: object = {}, rest: object = {}) {
  const message = { messageId: `m-${Date.now()}-${++messages}`, role: "ROLE_USER", parts: [{ text }], ...more };
  return { message, ...rest };
}

/** All the events of a stream. */
export async function allOf(response: Response): Promise<Answer[]> {
  const all: Answer[] = [];
  for await (const event of events(response)) all.push(event);
  return all;
}

export const textsOf = (task: Task): string[] =>
  (task.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? ""));

export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is missing.");
  return value;
}
