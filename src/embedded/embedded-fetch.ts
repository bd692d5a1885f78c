// The endpoint of the embedded model: speaks OpenAI chat completions and answers by rules. It reads the same prompts as
// any model and the header `x-orrery-role`.

import { detectLanguage } from "../language/detect-language.ts";
import { formatSentence } from "./messages.ts";
import { answerAsToolAgent } from "./roles/tool-agent-role.ts";
import { answerAsAnalyst } from "./roles/analyst-role.ts";
import { answerAsPlanner } from "./roles/planner-role.ts";
import { answerAsSynthesis } from "./roles/synthesis-role.ts";
import { answerAsToolsmith } from "./roles/toolsmith-role.ts";
import { answerAsTriage } from "./roles/triage-role.ts";
import { parsePromptContext } from "./prompt-context.ts";
import { MAX_WORK_CHARS } from "./work/read-work.ts";
import {
  formatChunks,
  formatCompletion,
  parseBody,
  estimateTokenUsage,
  type EmbeddedAnswer,
  type EmbeddedChatRequest,
  type EmbeddedCompletionHead,
  type MalformedBody,
} from "./chat-completions.ts";

export const EMBEDDED_MODEL = "orrery-embedded";

const MAX_BODY_CHARS = 4_000_000;

/**
 * Answers `POST …/chat/completions` and `GET …/models` in OpenAI's format, errors included. Rejects only if the signal
 * aborts, as `fetch` does. Deterministic except for the clock.
 */
export async function fetchEmbedded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    return await routeRequest(request);
  } catch (thrown) {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    if (signal?.aborted === true) throw signal.reason;
    const message = thrown instanceof Error ? thrown.message : "The request cannot be read.";
    return createBadRequest({ message, param: null });
  }
}

async function routeRequest(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/\/+$/, "");
  if (path.endsWith("/models") && request.method === "GET")
    return Response.json({ object: "list", data: [MODEL_ENTRY] });
  if (path.endsWith(`/models/${EMBEDDED_MODEL}`) && request.method === "GET") return Response.json(MODEL_ENTRY);
  if (!path.endsWith("/chat/completions")) return createErrorResponse(404, `Unknown path: ${path}`, null, "not_found");
  if (request.method !== "POST")
    return createErrorResponse(405, "Only POST is possible here.", null, "method_not_allowed");
  const body = await request.text();
  if (body.length > MAX_BODY_CHARS) return createBadRequest({ message: "The body is too large.", param: null });
  const read = parseBody(body);
  if ("malformed" in read) return createBadRequest(read.malformed);
  const answer = answerRequest(read.request, request.headers.get("x-orrery-role") ?? "");
  return createResponse(read.request, body, answer, request.signal);
}

const MODEL_ENTRY = { id: EMBEDDED_MODEL, object: "model", created: 0, owned_by: "orrery" };

/** Returns the answer to a request in a role. Uses the clock only if the prompt contains no time. */
export function answerRequest({ turns, tools }: EmbeddedChatRequest, role: string): EmbeddedAnswer {
  const talk = parsePromptContext(turns);
  if (talk.request.length > MAX_WORK_CHARS)
    return { kind: "text", text: formatSentence("tooLong", detectLanguage(talk.request.slice(0, 2_000))) };
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  if (role === "triage" && offers("handoff_to_planner")) return answerAsTriage(talk);
  if (role === "planner" && offers("create_plan")) return answerAsPlanner(talk, tools);
  if (role === "synthesis") return answerAsSynthesis(talk);
  if (role === "agent:toolsmith") return answerAsToolsmith(talk, tools);
  return answerAsAnalyst(talk, role) ?? answerAsToolAgent(talk, tools);
}

function createResponse(
  request: EmbeddedChatRequest,
  body: string,
  answer: EmbeddedAnswer,
  signal: AbortSignal,
): Response {
  const head: EmbeddedCompletionHead = {
    id: `chatcmpl-${hashText(body)}`,
    created: Math.floor(Date.now() / 1000),
    model: EMBEDDED_MODEL,
  };
  const usage = estimateTokenUsage(body.length, answer);
  if (!request.isStreamed) return Response.json(formatCompletion(head, answer, usage));
  const chunks = formatChunks(head, answer, request.wantsUsage ? usage : null);
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return new Response(createEventStream(chunks, signal), { headers });
}

/** Encodes each chunk as an SSE event when it is pulled. */
function createEventStream(chunks: Generator<unknown, void>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (signal.aborted) return controller.error(signal.reason);
      const { done, value } = chunks.next();
      controller.enqueue(encoder.encode(`data: ${done === true ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done === true) controller.close();
    },
    cancel() {
      chunks.return();
    },
  });
}

/** A 64-bit FNV-1a variant in two halves, so that the same request gets the same id. */
function hashText(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

function createBadRequest({ message, param }: MalformedBody): Response {
  return createErrorResponse(400, message, param);
}

function createErrorResponse(
  status: number,
  message: string,
  param: string | null = null,
  code: string | null = null,
): Response {
  return Response.json({ error: { message, type: "invalid_request_error", param, code } }, { status });
}
