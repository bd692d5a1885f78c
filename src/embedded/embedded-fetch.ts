// The endpoint of the embedded model: speaks streamed OpenAI chat completions and answers by rules. It reads the same
// prompts as any model, and the header `x-orrery-role`.

import { tryParseJson } from "../lib/parse-json.ts";
import { detectLanguage } from "../language/detect-language.ts";
import { answerAsAnalyst } from "./roles/analyst-role.ts";
import { answerAsPlanner } from "./roles/planner-role.ts";
import { answerAsSynthesis } from "./roles/synthesis-role.ts";
import { answerAsToolAgent } from "./roles/tool-agent-role.ts";
import { answerAsToolsmith } from "./roles/toolsmith-role.ts";
import { answerAsTriage } from "./roles/triage-role.ts";
import {
  chatRequestSchema,
  createCallAnswer,
  createTextAnswer,
  formatChunks,
  type EmbeddedAnswer,
  type EmbeddedChatRequest,
  type OfferedTool,
} from "./chat-completions.ts";
import { formatSentence } from "./messages.ts";
import { parsePromptContext, type PromptContext } from "./prompt-context.ts";
import { buildSchemaValue } from "./schema-value.ts";
import { toSchema } from "./tools/tool-parameters.ts";
import { MAX_WORK_CHARS } from "./work/read-work.ts";

const MODEL = "orrery-embedded";
const MAX_BODY_CHARS = 4_000_000;

/** Answers `POST …/chat/completions`; a malformed body gets an error in OpenAI's format. */
export async function fetchEmbedded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  const body = await request.text();
  const parsed = chatRequestSchema.safeParse(body.length > MAX_BODY_CHARS ? undefined : tryParseJson(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const error = {
      message: issue?.message ?? "",
      type: "invalid_request_error",
      param: issue?.path.join(".") ?? null,
    };
    return Response.json({ error }, { status: 400 });
  }
  const answer = answerRequest(parsed.data, request.headers.get("x-orrery-role") ?? "");
  const events = createEventStream(formatChunks(answer, MODEL, body.length));
  return new Response(events, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

/** Returns the answer to a request in a role. A text gets the required format. */
export function answerRequest(
  { turns, tools, mustCall = false, format = null }: EmbeddedChatRequest,
  role: string,
): EmbeddedAnswer {
  const talk = parsePromptContext(turns);
  const [tool] = tools;
  if (mustCall && tool !== undefined)
    return createCallAnswer(
      tool.name,
      toSchema(buildSchemaValue({ type: "object", ...tool.parameters }, talk.request)),
    );
  const answer = answerInRole(talk, tools, role);
  if (format === null || answer.kind === "calls") return answer;
  return createTextAnswer(JSON.stringify(buildSchemaValue(format, answer.text)));
}

function answerInRole(talk: PromptContext, tools: readonly OfferedTool[], role: string): EmbeddedAnswer {
  if (talk.request.length > MAX_WORK_CHARS)
    return createTextAnswer(formatSentence("tooLong", detectLanguage(talk.request.slice(0, 2_000))));
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  if (role === "triage" && offers("handoff_to_planner")) return answerAsTriage(talk);
  if (role === "planner" && offers("create_plan")) return answerAsPlanner(talk);
  if (role === "synthesis") return answerAsSynthesis(talk);
  if (role === "agent:toolsmith") return answerAsToolsmith(talk, tools);
  return answerAsAnalyst(talk, role) ?? answerAsToolAgent(talk, tools);
}

/** Encodes each chunk as an SSE event when it is pulled. */
function createEventStream(chunks: Generator<unknown, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      controller.enqueue(encoder.encode(`data: ${done === true ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done === true) controller.close();
    },
  });
}
