// The methods of A2A 1.0 that are answered at once; streams go their own way.

import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task } from "@a2a-js/sdk";
import { namedParams, unknownMethod } from "../../a2a/rpc.ts";
import { cancel, known, noPush, refuse, send, unstreamable, type Desk } from "./handler.ts";

/** The result of a method as JSON. Throws the errors of the SDK. */
export async function resultOf(desk: Desk, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await send(desk, messageParams(params))) };
    case "GetTask":
      return Task.toJSON(known(desk.runs, GetTaskRequest.fromJSON(namedParams(params)).id).snapshot());
    case "CancelTask":
      return Task.toJSON(cancel(desk, CancelTaskRequest.fromJSON(namedParams(params))));
    case "SubscribeToTask":
      return unstreamable();
    case "ListTasks":
    case "GetExtendedAgentCard":
      return refuse();
    case "CreateTaskPushNotificationConfig":
    case "GetTaskPushNotificationConfig":
    case "ListTaskPushNotificationConfigs":
    case "DeleteTaskPushNotificationConfig":
      return noPush();
    default:
      throw unknownMethod();
  }
}

export function messageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(namedParams(params));
}
