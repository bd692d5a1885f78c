// The A2A 1.0 methods with a single result. Streaming methods are handled in `agent-server.ts`.

import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task } from "@a2a-js/sdk";
import { namedParams, unknownMethod } from "../../a2a/rpc.ts";
import { cancel, known, noPush, refuse, send, unstreamable, type Desk } from "./handler.ts";

/** Calls a method and returns its result as JSON. Throws the errors of the SDK, also for an unknown method. */
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

/** Parses the parameters of `SendMessage` and `SendStreamingMessage`. Throws if they are not an object. */
export function messageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(namedParams(params));
}
