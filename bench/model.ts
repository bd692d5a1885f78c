// The scripted model, a program of its own: chat completions with one HTTP chunk per token, at once or
// paced. Who asks is told by `x-orrery-role`, what for by the wish in the message. Prints its port.
//
// GET /asked tells what it was asked since the last time: calls, and bytes of instructions and tools, by role.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { PLAN_TASKS, SUMMARY_TOKENS, wishIn, worded, type Wish } from "./wish.ts";

type Body = {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
};
type Asked = { calls: number; promptBytes: number };

const WORDS = [" alpha", " bravo", " delta", " gamma", " kappa", " omega", " sigma", " theta"];
const HEAD = {
  id: "chatcmpl-bench0000000000000000000000",
  object: "chat.completion.chunk",
  created: 1_795_000_000,
  model: "bench",
};
const TEXT_CHUNKS = WORDS.map((content) => chunk({ content }));

const utf8 = new TextEncoder();
let asked: Record<string, Asked> = {};

const server = createServer((request, response) => {
  answer(request, response).catch((thrown: unknown) => {
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
// The bench holds the other end of this pipe: when it ends, however it ends, so does the model.
process.stdin.on("end", () => process.exit(0)).resume();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.end(JSON.stringify(asked));
    asked = {};
    return;
  }
  const role = String(request.headers["x-orrery-role"]);
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  const body = JSON.parse(text) as Body;
  note(role, body);
  const wish = wishIn(body.messages.findLast((message) => message.role === "user")?.content ?? "");
  response.writeHead(200, { "content-type": "text/event-stream" });
  await speak(role, wish, response);
}

async function speak(role: string, wish: Wish, response: ServerResponse): Promise<void> {
  if (role === "triage" && wish.kind === "plan") {
    const enriched = worded(wish);
    return call(response, "handoff_to_planner", {
      strategy: "needs_planning",
      selected_agents: [],
      enriched_query: enriched,
      reason: "It has parts.",
    });
  }
  if (role === "planner") return call(response, "create_plan", planFor(wish));
  if (role === "synthesis") return say(response, SUMMARY_TOKENS, 0);
  return say(response, wish.tokens, wish.paceMs);
}

function planFor({ tokens, paceMs }: Wish) {
  const tasks = Array.from({ length: PLAN_TASKS }, (_, i) => ({
    id: String(i + 1),
    title: `Part ${i + 1}`,
    query: `${worded({ kind: "answer", tokens, paceMs })} This is part ${i + 1}.`,
    agent_name: "assistant",
    depends_on: [],
    pattern: "once",
  }));
  return { tasks, adequate: true, reason: "Two parts." };
}

async function say(response: ServerResponse, tokens: number, paceMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let i = 0; i < tokens; i++) {
    // Due times are fixed beforehand, so that late timers do not add up.
    const wait = startedAt + i * paceMs - performance.now();
    if (wait > 0) await sleep(wait);
    response.write(TEXT_CHUNKS[i % TEXT_CHUNKS.length]);
  }
  finish(response, "stop", tokens);
}

function call(response: ServerResponse, name: string, args: unknown): void {
  const text = JSON.stringify(args);
  const cut = Math.ceil(text.length / 2);
  response.write(
    chunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: "" } }] }),
  );
  for (const piece of [text.slice(0, cut), text.slice(cut)]) {
    response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  }
  finish(response, "tool_calls", Math.ceil(text.length / 4));
}

function finish(response: ServerResponse, reason: string, tokens: number): void {
  response.write(chunk({}, reason));
  const usage = { prompt_tokens: 400, completion_tokens: tokens, total_tokens: 400 + tokens };
  response.write(line({ ...HEAD, choices: [], usage }));
  response.end("data: [DONE]\n\n");
}

function chunk(delta: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  return line({ ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], usage: null });
}

function line(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function note(role: string, { messages, tools }: Body): void {
  const system = messages.find((message) => message.role === "system")?.content ?? "";
  const escaped = JSON.stringify(system).slice(1, -1);
  const promptBytes = utf8.encode(escaped + (JSON.stringify(tools) ?? "")).byteLength;
  asked[role] = { calls: (asked[role]?.calls ?? 0) + 1, promptBytes };
}
