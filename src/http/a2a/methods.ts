// The methods of A2A: those of 1.0 by their names, those of 0.3 as the SDK translates them.

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

/** The events of a streaming method of 1.0; undefined for any other. */
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

/** The result of any other method of 1.0 as JSON. */
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

/** The same for 0.3, whose names the SDK knows. */
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

async function worded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

async function* wordedEvents(portions: Portions<StreamResponse>): AsyncGenerator<StreamResponse, void> {
  try {
    yield* eventsOf(portions);
  } catch (thrown) {
    throw toA2AError(thrown);
  }
}

function messageIn(params: unknown): SendMessageRequest {
  refuseFiles(params);
  return read(SendMessageRequest, params);
}

/** Of 1.0 and 0.3: what has bytes or an address is a file, and is refused before anybody decodes it. */
export function refuseFiles(params: unknown): void {
  const { message } = namedParams(params) as { readonly message?: { readonly parts?: unknown } | null };
  const parts: unknown = message?.parts;
  if (!Array.isArray(parts)) return;
  const isFile = (part: unknown) =>
    typeof part === "object" && part !== null && ["raw", "url", "file"].some((name) => name in part);
  if (parts.some(isFile))
    throw new ContentTypeNotSupportedError("Messages are read as text and JSON data; files are not.");
}

/** Reads parameters. What has another shape altogether is malformed. */
function read<T>(type: { fromJSON(object: unknown): T }, params: unknown): T {
  const named = namedParams(params);
  try {
    return type.fromJSON(named);
  } catch (cause) {
    if (cause instanceof A2AError) throw cause;
    throw new RequestMalformedError({ message: "Invalid method parameters.", cause });
  }
}
