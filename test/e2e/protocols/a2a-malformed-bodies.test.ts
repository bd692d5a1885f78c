// A2A requests with malformed bodies.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiUser } from "../../support/api-user.ts";
import { startA2ASetup, post, type Answer, type A2ASetup } from "./a2a-setup.ts";

let setup: A2ASetup;
let url: string;

beforeAll(async () => {
  setup = await startA2ASetup();
  url = `${setup.runtime.url}/a2a`;
});
afterAll(() => setup.close());

describe("malformed A2A body", () => {
  const nest = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
  const createMessageBody = (part: string, more = "") =>
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"h-${Math.random()}","role":"ROLE_USER","parts":[${part}]${more}}}}`;
  const createLegacyBody = (part: string, more = "") =>
    `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"h-${Math.random()}","role":"user","parts":[${part}]${more}}}}`;

  test.each([
    ["extreme nesting", nest(100_000), -32600],
    ["nesting in data", createMessageBody(`{"data":${nest(5_000)}}`), -32602],
    [
      "nesting in metadata",
      createMessageBody(`{"text":"What is 1 + 1?"}`, `,"metadata":{"current_context":{"a":${nest(5_000)}}}`),
      0,
    ],
    ["nesting in data of 0.3", createLegacyBody(`{"kind":"data","data":{"a":${nest(5_000)}}}`), -32602],
    [
      "nesting in metadata of 0.3",
      createLegacyBody(`{"kind":"text","text":"x"}`, `,"metadata":{"a":${nest(5_000)}}`),
      -32602,
    ],
    [
      "__proto__ members",
      createMessageBody(`{"text":"What is 1 + 1?","__proto__":{"isAdmin":true}}`, `,"__proto__":{"role":"x"}`),
      0,
    ],
    ["duplicate names", createMessageBody(`{"text":"a","text":"What is 1 + 1?"}`), 0],
    ["a lone surrogate", createMessageBody(`{"text":"\\ud800"}`, `,"contextId":"\\ud800"`), -32602],
    ["a number as text", createMessageBody(`{"text":5}`), -32602],
    ["an object as text", createMessageBody(`{"text":{"a":1}}`), -32602],
    ["two contents in one part", createMessageBody(`{"text":"x","data":{}}`), -32602],
    [
      "a string as a flag",
      createMessageBody(`{"text":"x"}`).replace(/}}$/, `,"configuration":{"returnImmediately":"yes"}}}`),
      -32602,
    ],
    ["a string as a list", createMessageBody(`{"text":"x"}`, `,"referenceTaskIds":"x"`), -32602],
    ["null in a list", createMessageBody(`{"text":"x"},null`), -32602],
    ["a list of lists", createMessageBody(`[[]]`), -32602],
    ["a truncated body", createMessageBody(`{"text":"x"}`).slice(0, 80), -32700],
    ["control characters", "\u0000\u0001", -32700],
    ["a message that is too large", createMessageBody(`{"text":"${"x".repeat(70_000)}"}`), -32602],
    ...["get", "cancel", "resubscribe", "pushNotificationConfig/get", "pushNotificationConfig/delete"].map(
      (name): [string, string, number] => [
        `tasks/${name} of 0.3 without an id`,
        `{"jsonrpc":"2.0","id":1,"method":"tasks/${name}","params":{}}`,
        -32602,
      ],
    ),
    [
      "a body that is too large",
      createMessageBody(`{"text":"x"}`, `,"metadata":{"x":"${"x".repeat(3_000_000)}"}`),
      -32600,
    ],
  ])("gets a JSON-RPC response: %s", async (_, body, code) => {
    const response = await post(url, body, /"(?:message|tasks)\//.test(body) ? { "a2a-version": "0.3" } : {});
    const answer = (await response.json()) as Answer;
    expect(response.status).toBe(200);
    if (code === 0) expect(answer).toHaveProperty("result.task");
    else expect(answer.error.code).toBe(code);
    expect(answer).not.toHaveProperty("error.data.0.stack");
  });

  test("does not affect the next request", async () => {
    expect((await createApiUser(setup.runtime.url).sendAndWait("What is 2 + 3?")).frames.length).toBeGreaterThan(2);
  });
});
