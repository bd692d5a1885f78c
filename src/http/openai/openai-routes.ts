// The part of the OpenAI API that chat clients and frameworks need: models, chat completions and responses.
//
// Clients of OpenAI send the complete conversation with each request and retry failed requests on their own. So a new
// conversation receives the earlier messages as context, a continued one only the last message, and errors after the
// start of the work forbid retries.

import { Hono, type Context } from "hono";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { formatEnglish } from "../../language/messages.ts";
import { getSettings } from "../../settings.ts";
import { readIdempotencyKey } from "../command-id.ts";
import { getModelInputLimit, readJsonBody } from "../request-body.ts";
import { authenticateCaller, type HonoEnv, type HttpRoute } from "../api/http-route.ts";
import { streamAnswer } from "../answer-stream.ts";
import { respondWithEvents } from "../sse.ts";
import { createOperations, type Operations } from "../api/operations.ts";
import { checkAnswer } from "./checked-answer.ts";
import { splitMessages, selectContinuation } from "./client-turn.ts";
import { checkCapabilities, readConversationHeader, sendTurn } from "./send-turn.ts";
import { streamCompletion, buildCompletion, type OpenAiCompletionHead } from "./chat-completion.ts";
import {
  COMPLETION_DESCRIPTION,
  CONVERSATION_HEADER,
  MODEL_DESCRIPTION,
  MODELS_DESCRIPTION,
} from "./openai-descriptions.ts";
import {
  CANCEL_RESPONSE_DESCRIPTION,
  CREATE_RESPONSE_DESCRIPTION,
  DELETE_RESPONSE_DESCRIPTION,
  GET_RESPONSE_DESCRIPTION,
} from "./response-descriptions.ts";
import { handleCancelResponse, handleCreateResponse, handleDeleteResponse, handleGetResponse } from "./responses.ts";
import { getModel, listModels } from "./openai-models.ts";
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
  {
    ...CREATE_RESPONSE_DESCRIPTION,
    run: async (context) => handleCreateResponse(await getCallerOperations(context), context),
  },
  { ...GET_RESPONSE_DESCRIPTION, run: (context) => runWithId(context, handleGetResponse) },
  { ...DELETE_RESPONSE_DESCRIPTION, run: (context) => runWithId(context, handleDeleteResponse) },
  { ...CANCEL_RESPONSE_DESCRIPTION, run: (context) => runWithId(context, handleCancelResponse) },
];

/** Registers the interface at /v1. Unlike other routes, all its errors have the format of OpenAI. */
export function mountOpenAi(app: Hono<HonoEnv>): void {
  const v1 = new Hono<HonoEnv>();
  for (const [path, routes] of Map.groupBy(openAiRoutes, (route) => route.path)) {
    const pattern = path.slice("/v1".length).replace(/\{(\w+)\}/, ":$1");
    for (const { method, run } of routes) v1.on(method.toUpperCase(), pattern, run);
    const methods = routes.map(({ method }) => method.toUpperCase());
    v1.all(pattern, () =>
      createErrorResponse(
        new OpenAiError(405, "method_not_allowed", formatEnglish("http.methodNotAllowed", { methods })),
        { allow: methods.join(", ") },
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

/** Runs a handler of a response with the id in the path. */
async function runWithId(
  context: Context<HonoEnv>,
  handle: (operations: Operations, id: string) => Promise<Response>,
): Promise<Response> {
  return handle(await getCallerOperations(context), context.req.param("id") ?? "");
}

/** Handles a chat completion. */
async function handleCompletion(context: Context<HonoEnv>): Promise<Response> {
  const request = context.req.raw;
  const operations = await getCallerOperations(context);
  const settings = getSettings(context.env);
  const completion = parseCompletion(await readJsonBody(request, getModelInputLimit(settings), () => "messages"));
  const { model, messages, options } = completion;
  await getModel(operations, model);
  checkCapabilities(settings, model, messages, options, "messages");
  const conversation = readConversationHeader(request.headers);
  const accepted = await sendTurn(operations, {
    model,
    options,
    turn: conversation === null ? splitMessages(messages, "messages") : selectContinuation(messages, "messages"),
    conversation,
    commandKey: readIdempotencyKey(request),
  });
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
  { model, options, streams, wantsUsage }: CompletionRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { thread_id } = accepted;
  const head: OpenAiCompletionHead = {
    id: `chatcmpl-${thread_id.slice(thread_id.indexOf("-") + 1)}`,
    created: Math.floor(Date.now() / 1_000),
    model,
  };
  const abortController = new AbortController();
  const events = checkAnswer(await streamAnswer(operations, accepted, abortController.signal), options.format);
  if (!streams) return Response.json(await buildCompletion(head, events), { headers });
  return respondWithEvents(streamCompletion(head, events, wantsUsage), () => abortController.abort(), { headers });
}
