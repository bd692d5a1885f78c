// What a scripted model can answer, well or badly, and how that looks on the wire.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type Call = {
  readonly name: string;
  /** Its own unless given. */
  readonly id?: string;
  /** Text is sent as it is, so that it can be wrong. */
  readonly arguments: unknown;
};

/** An answer that comes to its end. */
export type Words = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** Time before each token, in milliseconds. A token is a word. */
  readonly paceMs?: number;
  /** What the model says of its end, instead of what is true. */
  readonly finish?: "stop" | "length" | "tool_calls" | "content_filter";
};

/** What goes wrong instead, or after the words. */
export type Trouble =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset before any answer. */
  | { readonly kind: "reset" }
  /** After the words nothing more comes. */
  | { readonly kind: "stall" }
  /** After the words the connection is cut. */
  | { readonly kind: "cut" }
  /** All is said, and the connection stays open. */
  | { readonly kind: "open" }
  /** After the words comes a line that is no JSON. */
  | { readonly kind: "garbage" }
  /** After the words come bytes that are no text, and the end. */
  | { readonly kind: "bytes" }
  /** Chunks without a choice, and the end. */
  | { readonly kind: "empty" };

export type Reply = Words & { readonly trouble?: Trouble };

/** What the triage says to hand a request on; without a query, the person's own words go on. */
export function handoff(strategy: string, agents: readonly string[] = [], query = ""): Reply {
  const decision = { strategy, selected_agents: agents, enriched_query: query, reason: "It needs work." };
  return { calls: [{ name: "handoff_to_planner", arguments: decision }] };
}

export type Brief = {
  readonly id?: string;
  readonly title?: string;
  readonly query: string;
  readonly agent?: string;
  readonly after?: readonly string[];
};

/** What the planner says for a plan. Tasks without an id are called `t0`, `t1`, … */
export function planOf(...briefs: readonly Brief[]): Reply {
  const tasks = briefs.map(({ id, title, query, agent = "assistant", after = [] }, i) => ({
    id: id ?? `t${i}`,
    title: title ?? `Part ${i}`,
    query,
    agent_name: agent,
    depends_on: after,
    pattern: "once",
  }));
  return { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: "It has parts." } }] };
}

/** Says it. Resolves with how it ended, or never when the script is to be silent until the asker leaves. */
export async function speak(reply: Reply, response: ServerResponse): Promise<"complete" | "broken"> {
  const { trouble } = reply;
  if (trouble?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return "broken";
  }
  if (trouble?.kind === "status") {
    response.writeHead(trouble.status, { "content-type": "application/json", ...trouble.headers });
    response.end(JSON.stringify({ error: { message: "internal detail of the endpoint" } }));
    return "broken";
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  await say(reply, response);
  if (trouble !== undefined && trouble.kind !== "open") return fail(trouble, response);
  finish(reply, response);
  if (trouble === undefined) response.end();
  else await new Promise((resolve) => response.once("close", resolve));
  return "complete";
}

async function say({ reasoning = "", text = "", calls = [], paceMs = 0 }: Words, to: ServerResponse): Promise<void> {
  const deltas = [
    ...tokens(reasoning).map((content) => ({ reasoning_content: content })),
    ...tokens(text).map((content) => ({ content })),
    ...calls.flatMap(deltasOf),
  ];
  const startedAt = performance.now();
  for (const [i, delta] of deltas.entries()) {
    // Due times are fixed beforehand, so that late timers do not add up.
    const wait = startedAt + (i + 1) * paceMs - performance.now();
    if (paceMs > 0 && wait > 0) await sleep(wait);
    if (to.destroyed) return;
    to.write(chunk([{ index: 0, delta, finish_reason: null }]));
  }
}

/** A call in three pieces: models send the arguments in parts. */
function deltasOf({ name, id, arguments: args }: Call, index: number): object[] {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const middle = Math.ceil(text.length / 2);
  const head = { index, id: id ?? `call_${index}`, type: "function", function: { name, arguments: "" } };
  const pieces = [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
  return [head, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((call) => ({
    tool_calls: [call],
  }));
}

function finish({ text = "", calls = [], finish: given }: Words, to: ServerResponse): void {
  const reason = given ?? (calls.length > 0 ? "tool_calls" : "stop");
  to.write(chunk([{ index: 0, delta: {}, finish_reason: reason }]));
  const usage = { prompt_tokens: 100, completion_tokens: tokens(text).length, total_tokens: 100 + tokens(text).length };
  to.write(chunk([], usage));
  to.write("data: [DONE]\n\n");
}

async function fail({ kind }: Exclude<Trouble, { kind: "open" }>, to: ServerResponse): Promise<"broken"> {
  switch (kind) {
    case "stall":
      await new Promise((resolve) => to.once("close", resolve));
      break;
    case "garbage":
      to.end('data: {"choices":[{"index":0,"delta":{"content":"x"\n\n');
      break;
    case "bytes":
      to.end(Uint8Array.from({ length: 2_000 }, (_, i) => 0x80 + ((i * 31) % 0x80)));
      break;
    case "empty":
      for (let i = 0; i < 3; i++) to.write(chunk([]));
      to.end("data: [DONE]\n\n");
      break;
    case "cut":
      // What was said has to get there first.
      await sleep(50);
      to.socket?.destroy();
      break;
    case "reset":
    case "status":
      throw new Error("This happens before the first word.");
  }
  return "broken";
}

function tokens(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function chunk(choices: readonly object[], usage: object | null = null): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_795_000_000, model: "scripted" };
  return `data: ${JSON.stringify({ ...head, choices, usage })}\n\n`;
}
