// Validates the parameters of each A2A method against the types of the protocol definition (a2a.proto). The SDK coerces
// values to the expected type without an error; this module rejects wrong types and names the field.
//
// The rules are those of ProtoJSON: names may be in camelCase or snake_case, null means absent, and unknown names are
// ignored.

import { RequestMalformedError } from "@a2a-js/sdk/errors";

/** The expected type of a value. A tuple is a list with elements of one shape; an object lists its known fields. */
type Shape =
  | "text"
  | "flag"
  | "whole"
  | "name"
  | "object"
  | "any"
  | readonly [Shape]
  | { readonly [field: string]: Shape };

const PART: Shape = {
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
} as const satisfies Shape;
const PUSH: Shape = {
  id: "text",
  taskId: "text",
  url: "text",
  token: "text",
  authentication: { scheme: "text", credentials: "text" },
};
const SEND: Shape = {
  message: MESSAGE,
  configuration: {
    acceptedOutputModes: ["text"],
    taskPushNotificationConfig: PUSH,
    historyLength: "whole",
    returnImmediately: "flag",
  },
  metadata: "object",
};
const OF_TASK: Shape = { id: "text", historyLength: "whole", metadata: "object" };
const OF_PUSH: Shape = { taskId: "text", id: "text" };

const OLD_PART: Shape = { kind: "text", text: "text", data: "any", file: "object", metadata: "object" };
const OLD_PUSH: Shape = {
  id: "text",
  url: "text",
  token: "text",
  authentication: { schemes: ["text"], credentials: "text" },
};
const OLD_SEND: Shape = {
  message: { ...MESSAGE, kind: "text", role: "text", parts: [OLD_PART] },
  configuration: {
    acceptedOutputModes: ["text"],
    pushNotificationConfig: OLD_PUSH,
    historyLength: "whole",
    blocking: "flag",
  },
  metadata: "object",
};
const OLD_PUSH_OF_TASK: Shape = { taskId: "text", pushNotificationConfig: OLD_PUSH };
const OF_OLD_PUSH: Shape = { id: "text", pushNotificationConfigId: "text", metadata: "object" };

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["SendMessage", SEND],
  ["SendStreamingMessage", SEND],
  ["GetTask", OF_TASK],
  ["CancelTask", OF_TASK],
  ["SubscribeToTask", OF_TASK],
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
  ["GetTaskPushNotificationConfig", OF_PUSH],
  ["DeleteTaskPushNotificationConfig", OF_PUSH],
  ["ListTaskPushNotificationConfigs", { taskId: "text", pageSize: "whole", pageToken: "text" }],
  // Methods of A2A 0.3.
  ["message/send", OLD_SEND],
  ["message/stream", OLD_SEND],
  ["tasks/get", OF_TASK],
  ["tasks/cancel", OF_TASK],
  ["tasks/resubscribe", OF_TASK],
  ["tasks/pushNotificationConfig/set", OLD_PUSH_OF_TASK],
  ["tasks/pushNotificationConfig/get", OF_OLD_PUSH],
  ["tasks/pushNotificationConfig/list", OF_OLD_PUSH],
  ["tasks/pushNotificationConfig/delete", OF_OLD_PUSH],
]);

/**
 * Validates the parameters of a method. Throws `RequestMalformedError` for the first field of a wrong type and for a
 * part with several contents. Accepts absent parameters and unknown methods.
 */
export function checkShape(method: string, params: unknown): void {
  const shape = SHAPES.get(method);
  if (shape === undefined || isAbsent(params)) return;
  check({ tenant: "text", ...(shape as object) }, params, "");
  if (shape === OLD_PUSH_OF_TASK && isAbsent((params as { pushNotificationConfig?: unknown }).pushNotificationConfig))
    throw new RequestMalformedError("pushNotificationConfig: is required");
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function check(shape: Shape, value: unknown, path: string): void {
  if (isAbsent(value)) return;
  if (typeof shape === "string") {
    if (!isOfType(shape, value)) throw new RequestMalformedError(`${path}: must be ${WORDS[shape]}`);
    return;
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) throw new RequestMalformedError(`${path}: must be a list`);
    for (const [index, one] of value.entries()) checkPresent(shape[0], one, `${path}[${index}]`);
    return;
  }
  if (!isOfType("object", value))
    throw new RequestMalformedError(path === "" ? "Invalid method parameters." : `${path}: must be an object`);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [name, of] of Object.entries(shape))
    for (const given of new Set([name, inSnakeCase(name)]))
      check(of, fields[given], path === "" ? name : `${path}.${name}`);
  if (shape === PART) checkPart(fields, path);
}

function checkPresent(shape: Shape, value: unknown, path: string): void {
  if (isAbsent(value)) throw new RequestMalformedError(`${path}: must not be null`);
  check(shape, value, path);
}

/** Throws if a part has more than one content. A `data` of null counts as a content. */
function checkPart(part: Readonly<Record<string, unknown>>, path: string): void {
  const contents = ["text", "raw", "url"].filter((name) => !isAbsent(part[name]));
  if (contents.length + ("data" in part ? 1 : 0) > 1)
    throw new RequestMalformedError(`${path}: a part has one of text, data, raw and url`);
}

const WORDS = {
  text: "a text",
  flag: "true or false",
  whole: "a whole number",
  name: "one of the names that the protocol defines",
  object: "an object",
  any: "JSON",
} as const;

function isOfType(type: keyof typeof WORDS, value: unknown): boolean {
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

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
