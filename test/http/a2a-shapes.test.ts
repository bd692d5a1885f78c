// Parameters of A2A of the wrong type: refused with the name of the field, in both versions, and nothing of ours leaks.

import { expect, test } from "vitest";
import { call } from "./support.ts";

type Answer = { readonly error?: { readonly code: number; readonly message: string } };

async function post(method: string, params: unknown): Promise<Answer> {
  const response = await call("POST", "/a2a", { body: { jsonrpc: "2.0", id: 1, method, params } });
  return await response.json();
}

const INVALID_PARAMS = -32_602;
const odd = [{ toString: 1 }, true, 7, [["x"]]] as const;

/** Everything that a message of 0.3 may have, each in turn replaced by what it cannot be. */
const message = (id: string) => ({
  kind: "message",
  messageId: id,
  contextId: "shapes",
  role: "user",
  parts: [{ kind: "text", text: "hello", metadata: {} }],
  extensions: ["x"],
  referenceTaskIds: ["x"],
  metadata: {},
});
const configuration = {
  acceptedOutputModes: ["text/plain"],
  historyLength: 1,
  pushNotificationConfig: { url: "https://hooks.example.dev/", id: "p", token: "t" },
};

test.each([
  ["message.contextId", (value: unknown) => ({ message: { ...message("s1"), contextId: value } })],
  ["message.messageId", (value: unknown) => ({ message: { ...message("s2"), messageId: value } })],
  ["message.role", (value: unknown) => ({ message: { ...message("s3"), role: value } })],
  ["message.extensions", (value: unknown) => ({ message: { ...message("s4"), extensions: value } })],
  [
    "message.parts[0].kind",
    (value: unknown) => ({ message: { ...message("s5"), parts: [{ kind: value, text: "x" }] } }),
  ],
  [
    "message.parts[0].text",
    (value: unknown) => ({ message: { ...message("s6"), parts: [{ kind: "text", text: value }] } }),
  ],
  [
    "configuration.acceptedOutputModes",
    (value: unknown) => ({ message: message("s7"), configuration: { ...configuration, acceptedOutputModes: value } }),
  ],
  [
    "configuration.pushNotificationConfig.url",
    (value: unknown) => ({
      message: message("s8"),
      configuration: { ...configuration, pushNotificationConfig: { url: value } },
    }),
  ],
])("0.3: message/send, %s", async (field, params) => {
  for (const value of odd) {
    for (const method of ["message/send", "message/stream"]) {
      const { error } = await post(method, params(value));
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
])("0.3: %s, %s", async (method, field) => {
  for (const value of odd) {
    const { error } = await post(method, { [field]: value });
    expect([value, error?.code, error?.message]).toEqual([value, INVALID_PARAMS, `${field}: must be a text`]);
  }
});

test.each([
  ["pushNotificationConfig", "tasks/pushNotificationConfig/set", {}],
  ["pushNotificationConfig", "tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: null }],
  ["url", "message/send", { message: message("s9"), configuration: { pushNotificationConfig: {} } }],
  ["url", "message/send", { message: message("s9"), configuration: { pushNotificationConfig: { url: null } } }],
])("0.3: without %s, %s is refused", async (field, method, params) => {
  const { error } = await post(method, params);
  expect(error?.code).toBe(INVALID_PARAMS);
  expect(error?.message).toMatch(new RegExp(`^${field}: `));
});
