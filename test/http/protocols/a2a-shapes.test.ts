// A2A parameters of the wrong type are rejected with the name of the field, in both versions, without internal
// details.

import { expect, test } from "vitest";
import { call } from "../support.ts";

type JsonRpcAnswer = { readonly error?: { readonly code: number; readonly message: string } };

async function postA2a(method: string, params: unknown): Promise<JsonRpcAnswer> {
  const response = await call("POST", "/a2a", { body: { jsonrpc: "2.0", id: 1, method, params } });
  return await response.json();
}

const INVALID_PARAMS = -32_602;
const WRONG_VALUES = [{ toString: 1 }, 7] as const;

/** A 0.3 message with all its members. Each is replaced with wrong values in turn. */
const createMessage = (id: string) => ({
  kind: "message",
  messageId: id,
  contextId: "shapes",
  role: "user",
  parts: [{ kind: "text", text: "hello", metadata: {} }],
  extensions: ["x"],
  referenceTaskIds: ["x"],
  metadata: {},
});
const CONFIGURATION = {
  acceptedOutputModes: ["text/plain"],
  historyLength: 1,
  pushNotificationConfig: { url: "https://hooks.example.dev/", id: "p", token: "t" },
};

test.each([
  ["message.contextId", (value: unknown) => ({ message: { ...createMessage("s1"), contextId: value } })],
  ["message.messageId", (value: unknown) => ({ message: { ...createMessage("s2"), messageId: value } })],
  ["message.role", (value: unknown) => ({ message: { ...createMessage("s3"), role: value } })],
  ["message.extensions", (value: unknown) => ({ message: { ...createMessage("s4"), extensions: value } })],
  [
    "message.parts[0].kind",
    (value: unknown) => ({ message: { ...createMessage("s5"), parts: [{ kind: value, text: "x" }] } }),
  ],
  [
    "message.parts[0].text",
    (value: unknown) => ({ message: { ...createMessage("s6"), parts: [{ kind: "text", text: value }] } }),
  ],
  [
    "configuration.acceptedOutputModes",
    (value: unknown) => ({
      message: createMessage("s7"),
      configuration: { ...CONFIGURATION, acceptedOutputModes: value },
    }),
  ],
  [
    "configuration.pushNotificationConfig.url",
    (value: unknown) => ({
      message: createMessage("s8"),
      configuration: { ...CONFIGURATION, pushNotificationConfig: { url: value } },
    }),
  ],
])("0.3 message/send rejects the wrong type of %s", async (field, params) => {
  for (const value of WRONG_VALUES) {
    for (const method of ["message/send", "message/stream"]) {
      const { error } = await postA2a(method, params(value));
      expect([method, error?.code]).toEqual([method, INVALID_PARAMS]);
      expect(error?.message.replace("[0]: ", ": ")).toContain(`${field}: must be`);
    }
  }
});

test.each([
  ["tasks/get", "id"],
  ["tasks/cancel", "id"],
  ["tasks/resubscribe", "id"],
  ["tasks/pushNotificationConfig/set", "taskId"],
  ["tasks/pushNotificationConfig/get", "id"],
  ["tasks/pushNotificationConfig/list", "id"],
  ["tasks/pushNotificationConfig/delete", "id"],
])("0.3 %s rejects the wrong type of %s", async (method, field) => {
  for (const value of WRONG_VALUES) {
    const { error } = await postA2a(method, { [field]: value });
    expect([value, error?.code, error?.message]).toEqual([value, INVALID_PARAMS, `${field}: must be a text`]);
  }
});

test.each([
  ["pushNotificationConfig", "tasks/pushNotificationConfig/set", {}],
  ["pushNotificationConfig", "tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: null }],
  ["url", "message/send", { message: createMessage("s9"), configuration: { pushNotificationConfig: {} } }],
  ["url", "message/send", { message: createMessage("s9"), configuration: { pushNotificationConfig: { url: null } } }],
])("0.3 without %s, %s is rejected", async (field, method, params) => {
  const { error } = await postA2a(method, params);
  expect(error?.code).toBe(INVALID_PARAMS);
  expect(error?.message).toMatch(new RegExp(`^${field}: `));
});
