// Push notification configurations: webhooks that receive the updates of a task.

import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { PushView } from "../../durable/conversation/deliveries/sealed-receiver.ts";
import { formatA2ATaskId } from "../../protocol/agents/a2a-extension.ts";
import { pushConfigSchema, type PushConfig } from "../../protocol/agents/a2a-push.ts";
import { formatEnglish } from "../../language/messages.ts";
import { parseNamedValue, parseOrThrow } from "../../protocol/wire/fault.ts";
import { computeConversationDigest } from "../../protocol/wire/ids.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { findTask } from "./a2a-tasks.ts";

/**
 * Returns the configuration as it is stored; undefined if there is none. Without an id it gets the digest of its URL,
 * so that a repeated message does not notify twice (T2). Throws `invalid_request` for an invalid URL or header value.
 */
export function parsePushConfig(
  { dialect }: A2ARequestContext,
  config: TaskPushNotificationConfig | undefined,
): PushConfig | undefined {
  if (config === undefined) return undefined;
  const { id, token, authentication } = config;
  const url = parseNamedValue("url", pushConfigSchema.shape.url, config.url);
  return parseOrThrow(pushConfigSchema, {
    id: id === "" ? `url-${computeConversationDigest(url)}` : id,
    url,
    ...(token === "" ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication }),
    version: dialect,
  });
}

/**
 * Stores a configuration and returns it without its secrets. It replaces a configuration with the same id. Rejects like `findTask`, and
 * with `invalid_request` for a URL that must not be called.
 */
export async function createPushConfig(
  context: A2ARequestContext,
  config: TaskPushNotificationConfig,
): Promise<TaskPushNotificationConfig> {
  const { conversationId, threadId } = await findTask(context, config.taskId);
  const push = parsePushConfig(context, config);
  if (push === undefined) throw createMissingConfigError(config.taskId, "");
  await context.operations.updatePushes(conversationId, threadId, { put: push });
  return toPushConfig(conversationId, threadId, push);
}

/**
 * Returns a configuration; without an id, in 0.3, the first. Rejects with a `TaskNotFoundError` if the task or the
 * configuration does not exist.
 */
export async function getPushConfig(
  context: A2ARequestContext,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const configs = await loadPushConfigs(context, taskId);
  // In 0.3 the id is optional; the first configuration is returned.
  const found = configs.find((config) => config.id === id || (id === "" && context.dialect === "0.3"));
  if (found === undefined) throw createMissingConfigError(taskId, id);
  return found;
}

/** Returns all configurations of a task on one page, as their number is small. Rejects like `findTask`. */
export async function listPushConfigs(
  context: A2ARequestContext,
  { taskId }: ListTaskPushNotificationConfigsRequest,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  return { configs: await loadPushConfigs(context, taskId), nextPageToken: "" };
}

/** Deletes a configuration; has no effect if it does not exist. Rejects like `findTask`. */
export async function deletePushConfig(
  context: A2ARequestContext,
  { taskId, id }: DeleteTaskPushNotificationConfigRequest,
): Promise<void> {
  const { conversationId, threadId } = await findTask(context, taskId);
  await context.operations.updatePushes(conversationId, threadId, { remove: id });
}

/** Loads the configurations of a task of this user. */
async function loadPushConfigs(context: A2ARequestContext, taskId: string): Promise<TaskPushNotificationConfig[]> {
  const { conversationId, threadId } = await findTask(context, taskId);
  const pushes = await context.operations.updatePushes(conversationId, threadId);
  return pushes.map((push) => toPushConfig(conversationId, threadId, push));
}

/** Converts a configuration to its A2A form. Its token and credentials are write-only: they appear in no response. */
function toPushConfig(conversationId: string, threadId: string, push: PushView): TaskPushNotificationConfig {
  const { id, url } = push;
  const authentication =
    push.authentication === undefined ? undefined : { scheme: push.authentication.scheme, credentials: "" };
  return { tenant: "", id, taskId: formatA2ATaskId(conversationId, threadId), url, token: "", authentication };
}

/** Returns the error for an unknown configuration. Ids are shortened, because they come from the client. */
function createMissingConfigError(taskId: string, id: string): Error {
  const metadata = { taskId: taskId.slice(0, 300), id: id.slice(0, 128) };
  return new TaskNotFoundError({ message: formatEnglish("a2a.pushConfigNotFound"), metadata });
}
