// Dispatches the methods of A2A. Version 1.0 calls them by name; version 0.3 calls them through the SDK's translation.

import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
  type StreamResponse,
} from "@a2a-js/sdk";
import { A2AError, ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { namedParams, unknownMethod } from "../../a2a/rpc.ts";
import { eventsOf, type Portions } from "../../a2a/sse.ts";
import { cardOf, extendedCard } from "./cards.ts";
import type { Desk } from "./desk.ts";
import { toA2AError } from "./errors.ts";
import { listTasks } from "./list.ts";
import { createPush, deletePush, getPush, listPushes } from "./push.ts";
import { send, stream, subscribe } from "./send.ts";
import { cancelTask, getTask } from "./tasks.ts";

/**
 * Returns the events of a streaming method of 1.0; undefined for any other method. Work starts when the result is
 * iterated.
 */
export function streamOf(desk: Desk, method: string, params: unknown): Portions<StreamResponse> | undefined {
  switch (method) {
    case "SendStreamingMessage":
      return stream(desk, messageIn(params));
    case "SubscribeToTask":
      return subscribe(desk, read(SubscribeToTaskRequest, params));
    default:
      return undefined;
  }
}

/**
 * Runs a non-streaming method of 1.0 and returns its result as JSON. Rejects with a method-not-found error for unknown
 * names.
 */
export async function resultOf(desk: Desk, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await send(desk, messageIn(params))) };
    case "GetTask":
      return Task.toJSON(await getTask(desk, read(GetTaskRequest, params)));
    case "ListTasks":
      return listTasks(desk, namedParams(params ?? {}), read(ListTasksRequest, params ?? {}));
    case "CancelTask":
      return Task.toJSON(await cancelTask(desk, read(CancelTaskRequest, params)));
    case "CreateTaskPushNotificationConfig":
      return TaskPushNotificationConfig.toJSON(await createPush(desk, read(TaskPushNotificationConfig, params)));
    case "GetTaskPushNotificationConfig":
      return TaskPushNotificationConfig.toJSON(await getPush(desk, read(GetTaskPushNotificationConfigRequest, params)));
    case "ListTaskPushNotificationConfigs": {
      const { configs } = await listPushes(desk, read(ListTaskPushNotificationConfigsRequest, params));
      return { configs: configs.map((config) => TaskPushNotificationConfig.toJSON(config)), nextPageToken: "" };
    }
    case "DeleteTaskPushNotificationConfig":
      await deletePush(desk, read(DeleteTaskPushNotificationConfigRequest, params));
      return {};
    case "GetExtendedAgentCard":
      return extendedCard(desk);
    default:
      throw unknownMethod();
  }
}

/**
 * Returns the handler for the methods of 0.3. The SDK parses requests and formats results. All rejections are A2A
 * errors.
 */
export function legacyHandler(desk: Desk): A2ARequestHandler {
  return {
    getAgentCard: async () => AgentCard.fromJSON(cardOf(desk.agent, desk.url, desk.settings, "1.0")),
    getAuthenticatedExtendedAgentCard: async () => AgentCard.fromJSON(await worded(extendedCard(desk))),
    sendMessage: (params) => worded(send(desk, params)),
    sendMessageStream: (params) => wordedEvents(stream(desk, params)),
    getTask: (params) => worded(getTask(desk, params)),
    cancelTask: (params) => worded(cancelTask(desk, params)),
    resubscribe: (params) => wordedEvents(subscribe(desk, params)),
    listTasks: () => Promise.reject(unknownMethod()),
    createTaskPushNotificationConfig: (config) => worded(createPush(desk, config)),
    getTaskPushNotificationConfig: (params) => worded(getPush(desk, params)),
    listTaskPushNotificationConfigs: (params) => worded(listPushes(desk, params)),
    deleteTaskPushNotificationConfig: (params) => worded(deletePush(desk, params)),
  };
}

/** Rejects with an A2A error if `work` rejects. */
async function worded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

/** Yields single events, and throws an A2A error if the stream fails. */
async function* wordedEvents(portions: Portions<StreamResponse>): AsyncGenerator<StreamResponse, void> {
  try {
    yield* eventsOf(portions);
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

/** Parses a message request of 1.0 and rejects files in it. */
function messageIn(params: unknown): SendMessageRequest {
  refuseFiles(params);
  return read(SendMessageRequest, params);
}

/**
 * Throws a `ContentTypeNotSupportedError` if a part of the message has bytes or a URL, in the form of 1.0 or 0.3. Call
 * it before parsing, so that no bytes are decoded.
 */
export function refuseFiles(params: unknown): void {
  const { message } = namedParams(params) as { readonly message?: { readonly parts?: unknown } | null };
  const parts: unknown = message?.parts;
  if (!Array.isArray(parts)) return;
  const isFile = (part: unknown) =>
    typeof part === "object" && part !== null && ["raw", "url", "file"].some((name) => name in part);
  if (parts.some(isFile))
    throw new ContentTypeNotSupportedError("Messages are read as text and JSON data; files are not.");
}

/** Parses parameters by name. Throws a `RequestMalformedError` if they have another shape. */
function read<T>(type: { fromJSON(object: unknown): T }, params: unknown): T {
  const named = namedParams(params);
  try {
    return type.fromJSON(named);
  } catch (cause) {
    if (cause instanceof A2AError) throw cause;
    throw new RequestMalformedError({ message: "Invalid method parameters.", cause });
  }
}
