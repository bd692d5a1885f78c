// The A2A 1.0 methods with a single result. Streaming methods are handled in `agent-server.ts`.

import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task } from "@a2a-js/sdk";
import { parseNamedParams, createUnknownMethodError } from "../../../a2a/json-rpc.ts";
import {
  cancelTask,
  getRun,
  rejectPushNotifications,
  rejectUnsupported,
  sendMessage,
  throwNotSubscribable,
  type TaskHandlerContext,
} from "./task-handler.ts";

/**
 * Calls a method and returns its result as JSON. Rejects with an A2A error of the SDK if the method fails, is unknown
 * or is not offered by agents of the kit, or if `params` are not an object.
 */
export async function callUnaryMethod(ctx: TaskHandlerContext, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await sendMessage(ctx, parseMessageParams(params))) };
    case "GetTask":
      return Task.toJSON(getRun(ctx.runs, GetTaskRequest.fromJSON(parseNamedParams(params)).id).snapshot());
    case "CancelTask":
      return Task.toJSON(cancelTask(ctx, CancelTaskRequest.fromJSON(parseNamedParams(params))));
    case "SubscribeToTask":
      return throwNotSubscribable();
    case "ListTasks":
    case "GetExtendedAgentCard":
      return rejectUnsupported();
    case "CreateTaskPushNotificationConfig":
    case "GetTaskPushNotificationConfig":
    case "ListTaskPushNotificationConfigs":
    case "DeleteTaskPushNotificationConfig":
      return rejectPushNotifications();
    default:
      throw createUnknownMethodError();
  }
}

/**
 * Parses the parameters of `SendMessage` and `SendStreamingMessage`. Throws `RequestMalformedError` if they are not an
 * object. The message in them may be missing or incomplete.
 */
export function parseMessageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(parseNamedParams(params));
}
