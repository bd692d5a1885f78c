// The scripted model, a separate program: streams chat completions with one HTTP chunk per token, at once or paced.
// `x-orrery-role` selects the kind of answer, the workload in the message its size. Prints its port.
//
// GET /calls returns the calls and the bytes of instructions and tools since the last request, by role.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { PLAN_TASKS, SUMMARY_TOKENS, parseWorkload, formatWorkload, type Workload } from "./workload.ts";

type Body = {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
};
type RoleCalls = { calls: number; promptBytes: number };

const WORDS = [" alpha", " bravo", " delta", " gamma", " kappa", " omega", " sigma", " theta"];
const HEAD = {
  id: "chatcmpl-bench0000000000000000000000",
  object: "chat.completion.chunk",
  created: 1_795_000_000,
  model: "bench",
};
const TEXT_CHUNKS = WORDS.map((content) => formatChunk({ content }));

const utf8 = new TextEncoder();
let callsByRole: Record<string, RoleCalls> = {};

const server = createServer((request, response) => {
  handleRequest(request, response).catch((thrown: unknown) => {
    console.error(thrown);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end(String(thrown));
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", 4096, () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
// The benchmark holds the other end of this pipe. When it ends for any reason, exit too.
process.stdin.on("end", () => process.exit(0)).resume();

async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.end(JSON.stringify(callsByRole));
    callsByRole = {};
    return;
  }
  const role = String(request.headers["x-orrery-role"]);
  let text = "";
  for await (const chunkText of request.setEncoding("utf8")) text += String(chunkText);
  const body = JSON.parse(text) as Body;
  recordCall(role, body);
  const workload = parseWorkload(body.messages.findLast((message) => message.role === "user")?.content ?? "");
  response.writeHead(200, { "content-type": "text/event-stream" });
  await respond(role, workload, response);
}

async function respond(role: string, workload: Workload, response: ServerResponse): Promise<void> {
  if (role === "triage" && workload.kind === "plan") {
    const enriched = formatWorkload(workload);
    return streamToolCall(response, "handoff_to_planner", {
      strategy: "needs_planning",
      selected_agents: [],
      enriched_query: enriched,
      reason: "It has parts.",
    });
  }
  if (role === "planner") return streamToolCall(response, "create_plan", createPlan(workload));
  if (role === "synthesis") return streamText(response, SUMMARY_TOKENS, 0);
  return streamText(response, workload.tokens, workload.paceMs);
}

function createPlan({ tokens, paceMs }: Workload) {
  const tasks = Array.from({ length: PLAN_TASKS }, (_, i) => ({
    id: String(i + 1),
    title: `Part ${i + 1}`,
    query: `${formatWorkload({ kind: "answer", tokens, paceMs })} This is part ${i + 1}.`,
    agent_name: "assistant",
    depends_on: [],
    pattern: "once",
  }));
  return { tasks, adequate: true, reason: "Two parts." };
}

async function streamText(response: ServerResponse, tokens: number, paceMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let i = 0; i < tokens; i++) {
    // Compute due times from the start, so that delays of timers do not accumulate.
    const wait = startedAt + i * paceMs - performance.now();
    if (wait > 0) await sleep(wait);
    response.write(TEXT_CHUNKS[i % TEXT_CHUNKS.length]);
  }
  finish(response, "stop", tokens);
}

function streamToolCall(response: ServerResponse, name: string, args: unknown): void {
  const text = JSON.stringify(args);
  const cut = Math.ceil(text.length / 2);
  response.write(
    formatChunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: "" } }] }),
  );
  for (const chunkText of [text.slice(0, cut), text.slice(cut)]) {
    response.write(formatChunk({ tool_calls: [{ index: 0, function: { arguments: chunkText } }] }));
  }
  finish(response, "tool_calls", Math.ceil(text.length / 4));
}

function finish(response: ServerResponse, reason: string, tokens: number): void {
  response.write(formatChunk({}, reason));
  const usage = { prompt_tokens: 400, completion_tokens: tokens, total_tokens: 400 + tokens };
  response.write(formatEvent({ ...HEAD, choices: [], usage }));
  response.end("data: [DONE]\n\n");
}

function formatChunk(delta: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  return formatEvent({
    ...HEAD,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    usage: null,
  });
}

function formatEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function recordCall(role: string, { messages, tools }: Body): void {
  const system = messages.find((message) => message.role === "system")?.content ?? "";
  const escaped = JSON.stringify(system).slice(1, -1);
  const promptBytes = utf8.encode(escaped + (JSON.stringify(tools) ?? "")).byteLength;
  callsByRole[role] = { calls: (callsByRole[role]?.calls ?? 0) + 1, promptBytes };
}
