// Push notification configurations: where clients want to be told of a task.

import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import { taskIdOf } from "../../protocol/a2a.ts";
import { pushSchema, type Push } from "../../protocol/a2a-push.ts";
import { parseAt, parseWith } from "../../protocol/fault.ts";
import { digestOf } from "../../protocol/ids.ts";
import type { Desk } from "./desk.ts";
import { knownTask } from "./tasks.ts";

/**
 * The configuration as it is kept; one without an id gets that of its address, so that a message that comes again
 * notifies nobody twice (T2). Throws for what cannot be called.
 */
export function pushIn({ dialect }: Desk, config: TaskPushNotificationConfig | undefined): Push | undefined {
  if (config === undefined) return undefined;
  const { id, token, authentication } = config;
  const url = parseAt("url", pushSchema.shape.url, config.url);
  return parseWith(pushSchema, {
    id: id === "" ? `url-${digestOf(url)}` : id,
    url,
    ...(token === "" ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication }),
    version: dialect,
  });
}

export async function createPush(desk: Desk, config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
  const { conversationId, threadId } = await knownTask(desk, config.taskId);
  const push = pushIn(desk, config);
  if (push === undefined) throw missing(config.taskId, "");
  await desk.verbs.pushes(conversationId, threadId, { put: push });
  return configOf(conversationId, threadId, push);
}

export async function getPush(
  desk: Desk,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const configs = await configsOf(desk, taskId);
  // A client of 0.3 need not say which.
  const found = configs.find((config) => config.id === id || (id === "" && desk.dialect === "0.3"));
  if (found === undefined) throw missing(taskId, id);
  return found;
}

/** All of a task: there are never more than a few. */
export async function listPushes(
  desk: Desk,
  { taskId }: ListTaskPushNotificationConfigsRequest,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  return { configs: await configsOf(desk, taskId), nextPageToken: "" };
}

export async function deletePush(desk: Desk, { taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
  const { conversationId, threadId } = await knownTask(desk, taskId);
  await desk.verbs.pushes(conversationId, threadId, { remove: id });
}

async function configsOf(desk: Desk, taskId: string): Promise<TaskPushNotificationConfig[]> {
  const { conversationId, threadId } = await knownTask(desk, taskId);
  const pushes = await desk.verbs.pushes(conversationId, threadId);
  return pushes.map((push) => configOf(conversationId, threadId, push));
}

function configOf(conversationId: string, threadId: string, push: Push): TaskPushNotificationConfig {
  const { id, url, token = "", authentication } = push;
  return { tenant: "", id, taskId: taskIdOf(conversationId, threadId), url, token, authentication };
}

function missing(taskId: string, id: string): Error {
  const metadata = { taskId: taskId.slice(0, 300), id: id.slice(0, 128) };
  return new TaskNotFoundError({ message: "There is no such push notification configuration.", metadata });
}
