// The methods of A2A 1.0 that are answered at once; streams go their own way.

import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task } from "@a2a-js/sdk";
import { A2A_ERROR_CODE, JsonRpcRequestMalformedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { cancel, known, noPush, refuse, send, unstreamable, type Desk } from "./handler.ts";

/** The result of a method as JSON. Throws the errors of the SDK. */
export async function resultOf(desk: Desk, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await send(desk, messageParams(params))) };
    case "GetTask":
      return Task.toJSON(known(desk.runs, GetTaskRequest.fromJSON(named(params)).id).snapshot());
    case "CancelTask":
      return Task.toJSON(cancel(desk.runs, CancelTaskRequest.fromJSON(named(params)).id));
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
      throw new JsonRpcRequestMalformedError({
        message: "There is no such method.",
        envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND,
      });
  }
}

export function messageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(named(params));
}

function named(params: unknown): object {
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new RequestMalformedError("Invalid method parameters.");
  return params;
}
