// The part of the OpenAI API that chat clients need: models and chat completions.
//
// Clients of OpenAI send the complete conversation with each request and retry failed requests on their own. So a new
// conversation receives the earlier messages as context, a continued one only the last message, and errors after the
// start of the work forbid retries.

import { Hono, type Context } from "hono";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import type { SendCommand } from "../../protocol/wire/commands.ts";
import { formatEnglish } from "../../language/messages.ts";
import { parseNamedValue } from "../../protocol/wire/fault.ts";
import { getSettings } from "../../settings.ts";
import { readIdempotencyKey } from "../command-id.ts";
import { getCommandSizeLimit, readJsonBody } from "../request-body.ts";
import { limitHistory } from "../client-history.ts";
import { conversationIdSchema } from "../api/id-validation.ts";
import { authenticateCaller, type HonoEnv, type HttpRoute } from "../api/http-route.ts";
import { streamAnswer } from "../answer-stream.ts";
import { respondWithEvents } from "../sse.ts";
import { createOperations, type Operations } from "../api/operations.ts";
import { isAmbiguousAnswer } from "../api/messages.ts";
import { streamCompletion, buildCompletion, type OpenAiCompletionHead } from "./chat-completion.ts";
import {
  COMPLETION_DESCRIPTION,
  CONVERSATION_HEADER,
  MODEL_DESCRIPTION,
  MODELS_DESCRIPTION,
} from "./openai-descriptions.ts";
import { getModel, listModels, RUNTIME_MODEL } from "./openai-models.ts";
import { OpenAiError, toOpenAiError, createErrorResponse, SHOULD_RETRY_HEADER } from "./openai-error.ts";
import { parseCompletion, type CompletionRequest } from "./completion-request.ts";

/** The routes at /v1, also for /openapi.json. */
export const openAiRoutes: readonly HttpRoute[] = [
  {
    ...MODELS_DESCRIPTION,
    run: async (context) =>
      Response.json({ object: "list", data: await listModels(await getCallerOperations(context)) }),
  },
  {
    ...MODEL_DESCRIPTION,
    run: async (context) =>
      Response.json(await getModel(await getCallerOperations(context), context.req.param("model") ?? "")),
  },
  { ...COMPLETION_DESCRIPTION, run: handleCompletion },
];

/** Registers the interface at /v1. Unlike other routes, all its errors have the format of OpenAI. */
export function mountOpenAi(app: Hono<HonoEnv>): void {
  const v1 = new Hono<HonoEnv>();
  for (const { path, method, run } of openAiRoutes) {
    const pattern = path.slice("/v1".length).replace(/\{(\w+)\}/, ":$1");
    const allow = method.toUpperCase();
    v1.on(allow, pattern, run);
    v1.all(pattern, () =>
      createErrorResponse(
        new OpenAiError(405, "method_not_allowed", formatEnglish("http.methodNotAllowed", { methods: allow })),
        { allow },
      ),
    );
  }
  v1.all("*", () => {
    throw new OpenAiError(404, "not_found", formatEnglish("openai.unknownPath"));
  });
  v1.onError((thrown) => createErrorResponse(toOpenAiError(thrown)));
  app.route("/v1", v1);
}

/** Authenticates the request and returns the operations of its user. */
async function getCallerOperations(context: Context<HonoEnv>): Promise<Operations> {
  return createOperations(await authenticateCaller(context));
}

/** Handles a chat completion. */
async function handleCompletion(context: Context<HonoEnv>): Promise<Response> {
  const request = context.req.raw;
  const operations = await getCallerOperations(context);
  const completion = parseCompletion(
    await readJsonBody(request, getCommandSizeLimit(getSettings(context.env)), () => "messages"),
  );
  await getModel(operations, completion.model);
  const accepted = await sendCompletionMessage(operations, request, completion);
  const headers = { [CONVERSATION_HEADER]: accepted.conversation_id };
  try {
    return await respondWithCompletion(operations, accepted, completion, headers);
  } catch (thrown) {
    // The work has started. A client that retried on its own would start it again.
    return createErrorResponse(toOpenAiError(thrown), { ...headers, [SHOULD_RETRY_HEADER]: "false" });
  }
}

/** Responds with the completion of an accepted thread, as JSON or as a stream. */
async function respondWithCompletion(
  operations: Operations,
  accepted: AcceptedCommand,
  { model, streams, wantsUsage }: CompletionRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { thread_id } = accepted;
  const head: OpenAiCompletionHead = {
    id: `chatcmpl-${thread_id.slice(thread_id.indexOf("-") + 1)}`,
    created: Math.floor(Date.now() / 1_000),
    model,
  };
  const abortController = new AbortController();
  const events = await streamAnswer(operations, accepted, abortController.signal);
  if (!streams) return Response.json(await buildCompletion(head, events), { headers });
  return respondWithEvents(streamCompletion(head, events, wantsUsage), () => abortController.abort(), { headers });
}

/**
 * Sends the message. A conversation in the header is continued; it already has its history. Otherwise a new
 * conversation starts with the earlier messages as context.
 */
function sendCompletionMessage(
  operations: Operations,
  request: Request,
  { model, message, earlierMessages }: CompletionRequest,
): Promise<AcceptedCommand> {
  const id = request.headers.get(CONVERSATION_HEADER);
  const commandKey = readIdempotencyKey(request);
  const agent = model === RUNTIME_MODEL ? {} : { agent: model };
  if (id === null) {
    const history = limitHistory(earlierMessages);
    const context = history.length === 0 ? {} : { context: { history } };
    return operations.start({ message: { message, ...agent, ...context }, commandId: commandKey });
  }
  return sendOrAnswer(
    operations,
    parseNamedValue(CONVERSATION_HEADER, conversationIdSchema, id),
    { message, ...agent },
    commandKey,
  );
}

/**
 * Sends a message to a conversation. If it could answer several open questions, it answers the first, because this is
 * the question that the client was shown, and the OpenAI API cannot name another.
 */
async function sendOrAnswer(
  operations: Operations,
  id: string,
  message: SendCommand,
  command: string | undefined,
): Promise<AcceptedCommand> {
  try {
    return await operations.send({ id, body: message, commandId: command });
  } catch (thrown) {
    if (!isAmbiguousAnswer(thrown)) throw thrown;
    const [first] = (await operations.context({ id })).pending;
    if (first === undefined) throw thrown;
    return operations.resume({
      id,
      body: { message: message.message, request_id: first.request_id },
      commandId: command,
    });
  }
}
