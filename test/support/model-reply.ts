// Scripted model replies, valid and faulty, and their encoding as chat completion chunks.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type ScriptedCall = {
  readonly name: string;
  /** Generated if absent. */
  readonly id?: string;
  /** A string is sent unchanged, so that it can be invalid JSON. */
  readonly arguments: unknown;
};

/** The content of a reply. */
export type ReplyContent = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The delay before each token (word), in ms. */
  readonly paceMs?: number;
  /** Overrides the finish reason. */
  readonly finish?: "stop" | "length" | "tool_calls" | "content_filter";
};

/** A fault that replaces the content or follows it. */
export type ReplyFault =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Resets the connection before any response. */
  | { readonly kind: "reset" }
  /** Sends nothing more after the content. */
  | { readonly kind: "stall" }
  /** Closes the connection after the content. */
  | { readonly kind: "cut" }
  /** Sends the complete reply and keeps the connection open. */
  | { readonly kind: "open" }
  /** Sends a line that is not JSON after the content. */
  | { readonly kind: "garbage" }
  /** Sends bytes that are not valid UTF-8 after the content, then ends. */
  | { readonly kind: "bytes" }
  /** Sends chunks without choices, then ends. */
  | { readonly kind: "empty" }
  /** Sends this chunk after the content, then ends. */
  | { readonly kind: "chunk"; readonly chunk: object };

export type ModelReply = ReplyContent & { readonly fault?: ReplyFault };

/** Returns the triage reply that hands off a request. With an empty query the user's message is used. */
export function createHandoffReply(strategy: string, agents: readonly string[] = [], query = ""): ModelReply {
  const decision = { strategy, selected_agents: agents, enriched_query: query, reason: "It needs work." };
  return { calls: [{ name: "handoff_to_planner", arguments: decision }] };
}

export type TaskBrief = {
  readonly id?: string;
  readonly title?: string;
  readonly query: string;
  readonly agent?: string;
  readonly after?: readonly string[];
};

/** Returns the planner reply with a plan. Tasks without an id get the ids `t0`, `t1`, … */
export function createPlanReply(...taskBriefs: readonly TaskBrief[]): ModelReply {
  const tasks = taskBriefs.map(({ id, title, query, agent = "assistant", after = [] }, i) => ({
    id: id ?? `t${i}`,
    title: title ?? `Part ${i}`,
    query,
    agent_name: agent,
    depends_on: after,
    pattern: "once",
  }));
  return { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: "It has parts." } }] };
}

/** Sends the reply. Resolves with its end, or when the client disconnects if the script sends nothing more. */
export async function sendReply(reply: ModelReply, response: ServerResponse): Promise<"complete" | "broken"> {
  const { fault } = reply;
  if (fault?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return "broken";
  }
  if (fault?.kind === "status") {
    response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
    response.end(JSON.stringify({ error: { message: "internal detail of the endpoint" } }));
    return "broken";
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  await sendContent(reply, response);
  if (fault !== undefined && fault.kind !== "open") return sendFault(fault, response);
  sendFinish(reply, response);
  if (fault === undefined) response.end();
  else await new Promise((resolve) => response.once("close", resolve));
  return "complete";
}

async function sendContent(
  { reasoning = "", text = "", calls = [], paceMs = 0 }: ReplyContent,
  to: ServerResponse,
): Promise<void> {
  const deltas = [
    ...splitTokens(reasoning).map((content) => ({ reasoning_content: content })),
    ...splitTokens(text).map((content) => ({ content })),
    ...calls.flatMap(toDeltas),
  ];
  const startedAt = performance.now();
  for (const [i, delta] of deltas.entries()) {
    // Compute due times in advance, so that late timers do not add up.
    const wait = startedAt + (i + 1) * paceMs - performance.now();
    if (paceMs > 0 && wait > 0) await sleep(wait);
    if (to.destroyed) return;
    to.write(formatChunk([{ index: 0, delta, finish_reason: null }]));
  }
}

/** Splits a call into three chunks, because models send the arguments in parts. */
function toDeltas({ name, id, arguments: args }: ScriptedCall, index: number): object[] {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const middle = Math.ceil(text.length / 2);
  const head = { index, id: id ?? `call_${index}`, type: "function", function: { name, arguments: "" } };
  const pieces = [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
  return [head, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((call) => ({
    tool_calls: [call],
  }));
}

function sendFinish({ text = "", calls = [], finish: finishOverride }: ReplyContent, to: ServerResponse): void {
  const reason = finishOverride ?? (calls.length > 0 ? "tool_calls" : "stop");
  to.write(formatChunk([{ index: 0, delta: {}, finish_reason: reason }]));
  const usage = {
    prompt_tokens: 100,
    completion_tokens: splitTokens(text).length,
    total_tokens: 100 + splitTokens(text).length,
  };
  to.write(formatChunk([], usage));
  to.write("data: [DONE]\n\n");
}

async function sendFault(fault: Exclude<ReplyFault, { kind: "open" }>, to: ServerResponse): Promise<"broken"> {
  switch (fault.kind) {
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
      for (let i = 0; i < 3; i++) to.write(formatChunk([]));
      to.end("data: [DONE]\n\n");
      break;
    case "chunk":
      to.end(`data: ${JSON.stringify(fault.chunk)}\n\n`);
      break;
    case "cut":
      // Let the content arrive first.
      await sleep(50);
      to.socket?.destroy();
      break;
    case "reset":
    case "status":
      throw new Error("This fault replaces the content.");
  }
  return "broken";
}

function splitTokens(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function formatChunk(choices: readonly object[], usage: object | null = null): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_795_000_000, model: "scripted" };
  return `data: ${JSON.stringify({ ...head, choices, usage })}\n\n`;
}
