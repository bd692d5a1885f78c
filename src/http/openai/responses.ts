// The handlers of the Responses API.
//
// A response with `previous_response_id` continues the conversation of that response, with all of its history. Without it,
// a new conversation starts. Nothing but the conversation is stored.

import type { Context } from "hono";
import type { ChatMessage } from "../../core/ports.ts";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { createMessage } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { streamAnswer } from "../answer-stream.ts";
import type { HonoEnv } from "../api/http-route.ts";
import type { Operations } from "../api/operations.ts";
import { readIdempotencyKey } from "../command-id.ts";
import { getModelInputLimit, readJsonBody } from "../request-body.ts";
import { respondWithEvents } from "../sse.ts";
import { checkAnswer, type CheckedEvent } from "./checked-answer.ts";
import { addMessages, selectContinuation, splitMessages, type ClientTurn } from "./client-turn.ts";
import { createErrorResponse, OpenAiError, SHOULD_RETRY_HEADER, toOpenAiError } from "./openai-error.ts";
import { CONVERSATION_HEADER } from "./openai-descriptions.ts";
import { getModel } from "./openai-models.ts";
import { ResponseBuilder, type ResponseEvent } from "./response-builder.ts";
import { parseResponseId, type ResponseRef } from "./response-ids.ts";
import { parseInput } from "./response-input.ts";
import { createResponseObject, type ResponseHead } from "./response-object.ts";
import { parseResponseRequest, type ResponseRequest } from "./response-request.ts";
import { checkCapabilities, readConversationHeader, sendTurn } from "./send-turn.ts";
import { buildStoredResponse, createItemFinder, readThread } from "./stored-response.ts";

/** Handles POST /v1/responses. */
export async function handleCreateResponse(operations: Operations, context: Context<HonoEnv>): Promise<Response> {
  const settings = getSettings(context.env);
  const body = await readJsonBody(context.req.raw, getModelInputLimit(settings), () => "input");
  const request = parseResponseRequest(body);
  const { model, options, previousResponseId } = request;
  await getModel(operations, model);
  const messages = await parseInput(request.input, createItemFinder(operations));
  checkCapabilities(settings, model, messages, options, "input");
  const { turn, conversation } = await createTurn(operations, context.req.raw, previousResponseId, messages);
  const accepted = await sendTurn(operations, {
    model,
    options,
    turn: withInstructions(turn, request.instructions),
    conversation,
    commandKey: readIdempotencyKey(context.req.raw),
  });
  const headers = { [CONVERSATION_HEADER]: accepted.conversation_id };
  try {
    return await respond(operations, accepted, request, headers);
  } catch (thrown) {
    // The work has started. A client that retried on its own would start it again.
    return createErrorResponse(toOpenAiError(thrown), { ...headers, [SHOULD_RETRY_HEADER]: "false" });
  }
}

/** Handles GET /v1/responses/{id}. */
export async function handleGetResponse(operations: Operations, id: string): Promise<Response> {
  const ref = parseResponseId(id);
  return Response.json(await buildStoredResponse(ref, await readThread(operations, id, ref)));
}

/** Handles DELETE /v1/responses/{id}: deletes the conversation, unless it has other threads. */
export async function handleDeleteResponse(operations: Operations, id: string): Promise<Response> {
  const ref = parseResponseId(id);
  await readThread(operations, id, ref);
  const { total } = await operations.listThreads(ref.conversation, { since: 0 }, Number.MAX_SAFE_INTEGER, 1);
  if (total > 1) {
    throw createFault("conflict", createMessage("openai.sharedConversation", { id: ref.conversation }));
  }
  await operations.deleteConversation({ id: ref.conversation });
  return Response.json({ id, object: "response", deleted: true });
}

/** Handles POST /v1/responses/{id}/cancel. Returns the response; one that has ended stays as it is. */
export async function handleCancelResponse(operations: Operations, id: string): Promise<Response> {
  const ref = parseResponseId(id);
  await readThread(operations, id, ref);
  try {
    await operations.cancel({ id: ref.conversation, body: { thread_id: ref.thread } });
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "not_found") throw thrown;
  }
  return handleGetResponse(operations, id);
}

/** Returns the new messages and the conversation that they continue: that of the previous response or of the header. */
async function createTurn(
  operations: Operations,
  { headers }: Request,
  previousResponseId: string | null,
  messages: readonly ChatMessage[],
): Promise<{ readonly turn: ClientTurn; readonly conversation: string | null }> {
  if (previousResponseId !== null) {
    const ref = parseResponseId(previousResponseId);
    const turn = await createContinuation(operations, previousResponseId, ref, messages);
    return { turn, conversation: ref.conversation };
  }
  const conversation = readConversationHeader(headers);
  const split = conversation === null ? splitMessages : selectContinuation;
  return { turn: split(messages, "input"), conversation };
}

/**
 * Returns the turn that continues a response. Throws an `OpenAiError`: 404 if there is no such response, 400 for an output
 * of a call that it does not contain.
 */
async function createContinuation(
  operations: Operations,
  id: string,
  ref: ResponseRef,
  messages: readonly ChatMessage[],
): Promise<ClientTurn> {
  const { output } = await buildStoredResponse(ref, await readThread(operations, id, ref));
  const known = [
    ...output.flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])),
    ...messages
      .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      .map((call) => call.id),
  ];
  const index = messages.findIndex((message) => message.role === "tool" && !known.includes(message.toolCallId));
  if (index < 0) return addMessages(messages, "input");
  const param = `input.${index}`;
  throw new OpenAiError(400, "invalid_request", `${param}: the previous response has no call with this id`, { param });
}

/** Adds instructions before the other messages. They hold for this response only. */
function withInstructions(turn: ClientTurn, instructions: string | null): ClientTurn {
  if (instructions === null || instructions.trim() === "") return turn;
  return { ...turn, earlierMessages: [{ role: "system", content: instructions }, ...turn.earlierMessages] };
}

/** Responds with the response of an accepted message: as JSON when it has ended, at once, or as a stream. */
async function respond(
  operations: Operations,
  { conversation_id: conversation, thread_id: thread, ...accepted }: AcceptedCommand,
  { model, options, instructions, previousResponseId, streams, isBackground }: ResponseRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const head: ResponseHead = {
    ref: { conversation, thread, seq: accepted.seq },
    createdAt: Math.floor(Date.now() / 1_000),
    model,
    options,
    instructions,
    previousResponseId,
    isBackground,
  };
  if (isBackground && !streams) return Response.json(createResponseObject(head), { headers });
  const abortController = new AbortController();
  const position = { conversation_id: conversation, thread_id: thread, ...accepted };
  const events = checkAnswer(await streamAnswer(operations, position, abortController.signal), options.format);
  const builder = new ResponseBuilder(head);
  if (streams) return respondWithEvents(streamResponse(builder, events), () => abortController.abort(), { headers });
  for await (const event of events) builder.apply(event);
  if (builder.error !== null) throw builder.error;
  return Response.json(builder.response, { headers });
}

/** Yields the events of a response as server-sent events. Never throws. */
async function* streamResponse(
  builder: ResponseBuilder,
  events: AsyncIterable<CheckedEvent>,
): AsyncGenerator<string, void> {
  yield formatEvents(builder.start());
  try {
    for await (const event of events) {
      const encoded = builder.apply(event);
      if (encoded.length > 0) yield formatEvents(encoded);
    }
  } catch (thrown) {
    yield formatEvents(builder.break(thrown));
  }
}

function formatEvents(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
