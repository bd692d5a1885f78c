// Push notification configurations: webhooks that receive the updates of a task.

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
 * Returns the configuration as it is stored; undefined if there is none. Without an id it gets the digest of its URL,
 * so that a repeated message does not notify twice (T2). Throws a `Fault` for a URL that must not be called.
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

/** Stores a configuration and returns it. It replaces a configuration with the same id. */
export async function createPush(desk: Desk, config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
  const { conversationId, threadId } = await knownTask(desk, config.taskId);
  const push = pushIn(desk, config);
  if (push === undefined) throw missing(config.taskId, "");
  await desk.verbs.pushes(conversationId, threadId, { put: push });
  return configOf(conversationId, threadId, push);
}

/** Returns a configuration. Rejects with a `TaskNotFoundError` if the task or the configuration does not exist. */
export async function getPush(
  desk: Desk,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const configs = await configsOf(desk, taskId);
  // In 0.3 the id is optional; the first configuration is returned.
  const found = configs.find((config) => config.id === id || (id === "" && desk.dialect === "0.3"));
  if (found === undefined) throw missing(taskId, id);
  return found;
}

/** Returns all configurations of a task on one page; their number is small. */
export async function listPushes(
  desk: Desk,
  { taskId }: ListTaskPushNotificationConfigsRequest,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  return { configs: await configsOf(desk, taskId), nextPageToken: "" };
}

/** Deletes a configuration. Succeeds as well if it does not exist. */
export async function deletePush(desk: Desk, { taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
  const { conversationId, threadId } = await knownTask(desk, taskId);
  await desk.verbs.pushes(conversationId, threadId, { remove: id });
}

/** Loads the configurations of a task of this user. */
async function configsOf(desk: Desk, taskId: string): Promise<TaskPushNotificationConfig[]> {
  const { conversationId, threadId } = await knownTask(desk, taskId);
  const pushes = await desk.verbs.pushes(conversationId, threadId);
  return pushes.map((push) => configOf(conversationId, threadId, push));
}

/** Converts a stored configuration to its A2A form. */
function configOf(conversationId: string, threadId: string, push: Push): TaskPushNotificationConfig {
  const { id, url, token = "", authentication } = push;
  return { tenant: "", id, taskId: taskIdOf(conversationId, threadId), url, token, authentication };
}

/** Returns the error for an unknown configuration. Ids are shortened, because they come from the client. */
function missing(taskId: string, id: string): Error {
  const metadata = { taskId: taskId.slice(0, 300), id: id.slice(0, 128) };
  return new TaskNotFoundError({ message: "There is no such push notification configuration.", metadata });
}
