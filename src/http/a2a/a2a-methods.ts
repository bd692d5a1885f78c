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
import { parseNamedParams, createUnknownMethodError } from "../../a2a/json-rpc.ts";
import { flattenBatches, type EventBatches } from "../../a2a/sse-response.ts";
import { buildAgentCard, buildExtendedCard } from "./agent-cards.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { toA2AError } from "./a2a-errors.ts";
import { listTasks } from "./list-tasks.ts";
import { createPushConfig, deletePushConfig, getPushConfig, listPushConfigs } from "./push-configs.ts";
import { sendMessage, streamMessage, subscribeToTask } from "./send-message.ts";
import { formatEnglish } from "../../language/messages.ts";
import { cancelTask, getTask } from "./a2a-tasks.ts";

/**
 * Returns the events of a streaming method of 1.0; undefined for any other method. Work starts when the result is
 * iterated.
 */
export function openMethodStream(
  context: A2ARequestContext,
  method: string,
  params: unknown,
): EventBatches<StreamResponse> | undefined {
  switch (method) {
    case "SendStreamingMessage":
      return streamMessage(context, parseMessageRequest(params));
    case "SubscribeToTask":
      return subscribeToTask(context, parseParams(SubscribeToTaskRequest, params));
    default:
      return undefined;
  }
}

/**
 * Runs a non-streaming method of 1.0 and returns its result as JSON. Rejects with a method-not-found error for unknown
 * names, and with faults and A2A errors of the method.
 */
export async function runMethod(context: A2ARequestContext, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await sendMessage(context, parseMessageRequest(params))) };
    case "GetTask":
      return Task.toJSON(await getTask(context, parseParams(GetTaskRequest, params)));
    case "ListTasks":
      return listTasks(context, parseNamedParams(params ?? {}), parseParams(ListTasksRequest, params ?? {}));
    case "CancelTask":
      return Task.toJSON(await cancelTask(context, parseParams(CancelTaskRequest, params)));
    case "CreateTaskPushNotificationConfig":
      return TaskPushNotificationConfig.toJSON(
        await createPushConfig(context, parseParams(TaskPushNotificationConfig, params)),
      );
    case "GetTaskPushNotificationConfig":
      return TaskPushNotificationConfig.toJSON(
        await getPushConfig(context, parseParams(GetTaskPushNotificationConfigRequest, params)),
      );
    case "ListTaskPushNotificationConfigs": {
      const { configs } = await listPushConfigs(context, parseParams(ListTaskPushNotificationConfigsRequest, params));
      return { configs: configs.map((config) => TaskPushNotificationConfig.toJSON(config)), nextPageToken: "" };
    }
    case "DeleteTaskPushNotificationConfig":
      await deletePushConfig(context, parseParams(DeleteTaskPushNotificationConfigRequest, params));
      return {};
    case "GetExtendedAgentCard":
      return buildExtendedCard(context);
    default:
      throw createUnknownMethodError();
  }
}

/**
 * Returns the handler for the methods of 0.3, which has no `listTasks`. The SDK parses requests and formats results.
 * All rejections are A2A errors.
 */
export function createLegacyHandler(context: A2ARequestContext): A2ARequestHandler {
  return {
    getAgentCard: async () => AgentCard.fromJSON(buildAgentCard(context.agent, context.url, context.settings, "1.0")),
    getAuthenticatedExtendedAgentCard: async () => AgentCard.fromJSON(await withA2AErrors(buildExtendedCard(context))),
    sendMessage: (params) => withA2AErrors(sendMessage(context, params)),
    sendMessageStream: (params) => withA2AStreamErrors(streamMessage(context, params)),
    getTask: (params) => withA2AErrors(getTask(context, params)),
    cancelTask: (params) => withA2AErrors(cancelTask(context, params)),
    resubscribe: (params) => withA2AStreamErrors(subscribeToTask(context, params)),
    listTasks: () => Promise.reject(createUnknownMethodError()),
    createTaskPushNotificationConfig: (config) => withA2AErrors(createPushConfig(context, config)),
    getTaskPushNotificationConfig: (params) => withA2AErrors(getPushConfig(context, params)),
    listTaskPushNotificationConfigs: (params) => withA2AErrors(listPushConfigs(context, params)),
    deleteTaskPushNotificationConfig: (params) => withA2AErrors(deletePushConfig(context, params)),
  };
}

/** Rejects with an A2A error if `work` rejects. */
async function withA2AErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

/** Yields single events, and throws an A2A error if the stream fails. */
async function* withA2AStreamErrors(portions: EventBatches<StreamResponse>): AsyncGenerator<StreamResponse, void> {
  try {
    yield* flattenBatches(portions);
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

/** Parses a message request of 1.0 and rejects files in it. */
function parseMessageRequest(params: unknown): SendMessageRequest {
  rejectFileParts(params);
  return parseParams(SendMessageRequest, params);
}

/**
 * Throws a `ContentTypeNotSupportedError` if a part of the message has bytes or a URL, in the form of 1.0 or 0.3. Call
 * it before parsing, so that no bytes are decoded.
 */
export function rejectFileParts(params: unknown): void {
  const { message } = parseNamedParams(params) as { readonly message?: { readonly parts?: unknown } | null };
  const parts: unknown = message?.parts;
  if (!Array.isArray(parts)) return;
  const isFile = (part: unknown) =>
    typeof part === "object" && part !== null && ["raw", "url", "file"].some((name) => name in part);
  if (parts.some(isFile)) throw new ContentTypeNotSupportedError(formatEnglish("a2a.filesUnsupported"));
}

/** Parses parameters by name. Throws a `RequestMalformedError` if they have another shape. */
function parseParams<T>(type: { fromJSON(object: unknown): T }, params: unknown): T {
  const named = parseNamedParams(params);
  try {
    return type.fromJSON(named);
  } catch (cause) {
    if (cause instanceof A2AError) throw cause;
    throw new RequestMalformedError({ message: formatEnglish("a2a.invalidParams"), cause });
  }
}
