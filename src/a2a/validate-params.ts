// Validates the parameters of each A2A method against the types of the protocol definition (a2a.proto). The SDK coerces
// values to the expected type without an error; this module rejects wrong types and names the field.
//
// The rules are those of ProtoJSON: names may be in camelCase or snake_case, null means absent, and unknown names are
// ignored.

import { formatAgentMessage } from "../language/agent-messages.ts";
import { RequestMalformedError } from "@a2a-js/sdk/errors";

/** The expected type of a value. A tuple is a list with elements of one shape; an object lists its known fields. */
type ParamShape =
  | "text"
  | "flag"
  | "whole"
  | "name"
  | "object"
  | "any"
  | readonly [ParamShape]
  | { readonly [field: string]: ParamShape };

const PART: ParamShape = {
  text: "text",
  raw: "text",
  url: "text",
  data: "any",
  metadata: "object",
  filename: "text",
  mediaType: "text",
};
const MESSAGE = {
  messageId: "text",
  contextId: "text",
  taskId: "text",
  role: "name",
  parts: [PART],
  metadata: "object",
  extensions: ["text"],
  referenceTaskIds: ["text"],
} as const satisfies ParamShape;
const PUSH: ParamShape = {
  id: "text",
  taskId: "text",
  url: "text",
  token: "text",
  authentication: { scheme: "text", credentials: "text" },
};
const SEND_PARAMS: ParamShape = {
  message: MESSAGE,
  configuration: {
    acceptedOutputModes: ["text"],
    taskPushNotificationConfig: PUSH,
    historyLength: "whole",
    returnImmediately: "flag",
  },
  metadata: "object",
};
const TASK_PARAMS: ParamShape = { id: "text", historyLength: "whole", metadata: "object" };
const PUSH_REF_PARAMS: ParamShape = { taskId: "text", id: "text" };

const LEGACY_PART: ParamShape = { kind: "text", text: "text", data: "any", file: "object", metadata: "object" };
const LEGACY_PUSH: ParamShape = {
  id: "text",
  url: "text",
  token: "text",
  authentication: { schemes: ["text"], credentials: "text" },
};
const LEGACY_SEND_PARAMS: ParamShape = {
  message: { ...MESSAGE, kind: "text", role: "text", parts: [LEGACY_PART] },
  configuration: {
    acceptedOutputModes: ["text"],
    pushNotificationConfig: LEGACY_PUSH,
    historyLength: "whole",
    blocking: "flag",
  },
  metadata: "object",
};
const LEGACY_SET_PUSH_PARAMS: ParamShape = { taskId: "text", pushNotificationConfig: LEGACY_PUSH };
const LEGACY_PUSH_REF_PARAMS: ParamShape = { id: "text", pushNotificationConfigId: "text", metadata: "object" };

/** The parameters of every method of both versions. */
export const PARAMS_BY_METHOD: ReadonlyMap<string, ParamShape> = new Map<string, ParamShape>([
  ["SendMessage", SEND_PARAMS],
  ["SendStreamingMessage", SEND_PARAMS],
  ["GetTask", TASK_PARAMS],
  ["CancelTask", TASK_PARAMS],
  ["SubscribeToTask", TASK_PARAMS],
  [
    "ListTasks",
    {
      contextId: "text",
      status: "name",
      pageSize: "whole",
      pageToken: "text",
      historyLength: "whole",
      statusTimestampAfter: "text",
      includeArtifacts: "flag",
    },
  ],
  ["CreateTaskPushNotificationConfig", PUSH],
  ["GetTaskPushNotificationConfig", PUSH_REF_PARAMS],
  ["DeleteTaskPushNotificationConfig", PUSH_REF_PARAMS],
  ["ListTaskPushNotificationConfigs", { taskId: "text", pageSize: "whole", pageToken: "text" }],
  // Methods of A2A 0.3.
  ["message/send", LEGACY_SEND_PARAMS],
  ["message/stream", LEGACY_SEND_PARAMS],
  ["tasks/get", TASK_PARAMS],
  ["tasks/cancel", TASK_PARAMS],
  ["tasks/resubscribe", TASK_PARAMS],
  ["tasks/pushNotificationConfig/set", LEGACY_SET_PUSH_PARAMS],
  ["tasks/pushNotificationConfig/get", LEGACY_PUSH_REF_PARAMS],
  ["tasks/pushNotificationConfig/list", LEGACY_PUSH_REF_PARAMS],
  ["tasks/pushNotificationConfig/delete", LEGACY_PUSH_REF_PARAMS],
]);

/**
 * Validates the parameters of a method. Throws a `RequestMalformedError` that names the first field of a wrong type,
 * null in a list, part with several contents, or missing field that 0.3 requires; other missing fields are accepted, as
 * are absent parameters of 1.0 and unknown methods.
 */
export function validateParams(method: string, params: unknown): void {
  const shape = PARAMS_BY_METHOD.get(method);
  if (shape === undefined) return;
  if (!isAbsent(params)) validateValue({ tenant: "text", ...(shape as object) }, params, "");
  const fields = (params ?? {}) as Readonly<Record<string, unknown>>;
  const missing = listRequiredFields(method).find((name) => isAbsent(fields[name]));
  if (missing !== undefined) throw new RequestMalformedError(`${missing}: is required`);
}

/** Returns the fields without which a method about a task of 0.3 has no meaning. In 1.0, the SDK makes absent texts empty. */
function listRequiredFields(method: string): readonly string[] {
  if (!method.startsWith("tasks/")) return [];
  if (method === "tasks/pushNotificationConfig/set") return ["pushNotificationConfig", "taskId"];
  return method === "tasks/pushNotificationConfig/delete" ? ["id", "pushNotificationConfigId"] : ["id"];
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function validateValue(shape: ParamShape, value: unknown, path: string): void {
  if (isAbsent(value)) return;
  if (typeof shape === "string") {
    if (!isOfType(shape, value)) throw new RequestMalformedError(`${path}: must be ${TYPE_DESCRIPTIONS[shape]}`);
    return;
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) throw new RequestMalformedError(`${path}: must be a list`);
    for (const [index, element] of value.entries()) validatePresent(shape[0], element, `${path}[${index}]`);
    return;
  }
  if (!isOfType("object", value))
    throw new RequestMalformedError(
      path === "" ? formatAgentMessage("en", "a2a.invalidParams") : `${path}: must be an object`,
    );
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [name, memberShape] of Object.entries(shape))
    for (const spelling of new Set([name, toSnakeCase(name)]))
      validateValue(memberShape, fields[spelling], path === "" ? name : `${path}.${name}`);
  if (shape === PART) validatePart(fields, path);
}

function validatePresent(shape: ParamShape, value: unknown, path: string): void {
  if (isAbsent(value)) throw new RequestMalformedError(`${path}: must not be null`);
  validateValue(shape, value, path);
}

/** Throws if a part has more than one content. A `data` of null counts as a content. */
function validatePart(part: Readonly<Record<string, unknown>>, path: string): void {
  const contents = ["text", "raw", "url"].filter((name) => !isAbsent(part[name]));
  if (contents.length + ("data" in part ? 1 : 0) > 1)
    throw new RequestMalformedError(`${path}: a part has one of text, data, raw and url`);
}

const TYPE_DESCRIPTIONS = {
  text: "a text",
  flag: "true or false",
  whole: "a whole number",
  name: "one of the names that the protocol defines",
  object: "an object",
  any: "JSON",
} as const;

function isOfType(type: keyof typeof TYPE_DESCRIPTIONS, value: unknown): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "whole":
      return Number.isInteger(typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value);
    case "name":
      return typeof value === "string" || Number.isInteger(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "any":
      return true;
  }
}

function isList(shape: ParamShape): shape is readonly [ParamShape] {
  return Array.isArray(shape);
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
