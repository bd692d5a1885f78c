// Reads a response from the thread that it is.

import type { ThreadRecord } from "../../durable/conversation-api.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { foldAnswer } from "../answer-stream.ts";
import type { Operations } from "../api/operations.ts";
import { checkAnswer } from "./checked-answer.ts";
import { RUNTIME_MODEL } from "./openai-models.ts";
import { ResponseBuilder } from "./response-builder.ts";
import { formatResponseId, parseItemId, refuseUnknown, type ResponseRef } from "./response-ids.ts";
import type { OutputItem, ResponseObject } from "./response-object.ts";

/** Returns the thread of a response. Throws an `OpenAiError` (404) if this user has no such thread. */
export async function readThread(operations: Operations, id: string, ref: ResponseRef): Promise<ThreadRecord> {
  try {
    return await operations.getThread(ref.conversation, ref.thread);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") refuseUnknown(id);
    throw thrown;
  }
}

/** Returns a response as it is now. */
export async function buildStoredResponse(
  ref: ResponseRef,
  { frames, answer: options = {} }: ThreadRecord,
): Promise<ResponseObject> {
  const started = frames.find(({ event }) => event === "thread_started")?.data.metadata ?? {};
  const { agent = RUNTIME_MODEL, created_at: createdAt = 0 } = started;
  const head = { ref, createdAt: Math.floor(Number(createdAt) / 1_000), model: String(agent), options };
  const builder = new ResponseBuilder(head);
  for await (const event of checkAnswer(foldAnswer(frames, ref.seq), options.format)) builder.apply(event);
  return builder.response;
}

/** Returns a function that finds the output items that references name. Each response is read once. */
export function createItemFinder(operations: Operations): (id: string) => Promise<OutputItem> {
  const responses = new Map<string, Promise<ResponseObject>>();
  return async (id) => {
    const ref = parseItemId(id);
    const key = formatResponseId(ref);
    const read = async () => buildStoredResponse(ref, await readThread(operations, id, ref));
    const response = responses.get(key) ?? read();
    responses.set(key, response);
    const { output } = await response;
    return output.find((item) => item.id === id) ?? refuseUnknown(id);
  };
}
