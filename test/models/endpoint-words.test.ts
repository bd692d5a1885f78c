// The words of an endpoint in a failure: errors that it reports in a stream, and redirects.

import { expect, test } from "vitest";
import {
  callForFault,
  createStreamScript,
  finishFrame,
  KEY,
  okScript,
  serveScripts,
  textFrame,
  toSseFrame,
  type EndpointScript,
} from "./scripted-endpoint.ts";

const createJsonScript =
  (body: object): EndpointScript =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
const CHOICE_ERROR = { code: 402, message: "Insufficient credits" };

test.each<[string, EndpointScript, string]>([
  [
    "a frame with an error object",
    createStreamScript(toSseFrame({ error: { type: "invalid_request_error", message: "No such tool." } })),
    "“No such tool.”",
  ],
  ["a frame with an error text", createStreamScript(textFrame("a"), toSseFrame({ error: "boom" })), "“boom”"],
  [
    "an event named error",
    createStreamScript(
      `event: error\n${toSseFrame({ type: "error", error: { type: "billing_error", message: "Pay first" } })}`,
    ),
    "“Pay first” The quota",
  ],
  [
    "an error in the choice",
    createStreamScript(toSseFrame({ choices: [{ delta: {}, finish_reason: "error", error: CHOICE_ERROR }] })),
    "“Insufficient credits” The quota",
  ],
  [
    "an error after the finish reason error",
    createStreamScript(finishFrame("error"), toSseFrame({ error: { code: 403, message: "Blocked region" } })),
    "“Blocked region” The model endpoint doesn’t allow",
  ],
  [
    "a chunk that is an error object",
    createStreamScript(toSseFrame({ object: "error", type: "BadRequestError", code: 400, message: "Odd template" })),
    "“Odd template” The model endpoint rejected",
  ],
  [
    "a JSON error with status 200",
    createJsonScript({ error: { code: "context_length_exceeded", message: "Too long" } }),
    "“Too long” The conversation is too long",
  ],
  ["a JSON choice with an error", createJsonScript({ choices: [{ error: CHOICE_ERROR }] }), "“Insufficient credits”"],
])("[I30] %s is told in the words of the provider", async (_, script, words) => {
  const { fault, attempts } = await callForFault(script);
  expect(attempts).toBe(1);
  expect(fault.message).toContain(`The model’s provider reported an error: ${words}`);
});

test("[I30] a retryable error in the stream keeps the words of the provider after its attempts", async () => {
  const busy = toSseFrame({ error: { code: 503, message: "Region is drained" } });
  const [before, after] = await Promise.all([
    callForFault(createStreamScript(busy)),
    callForFault(createStreamScript(textFrame("par"), busy)),
  ]);
  expect(before).toMatchObject({ code: "model_unavailable", retryable: false, attempts: 3 });
  expect(after).toMatchObject({ code: "model_interrupted", retryable: true, attempts: 1, streamed: "par" });
  for (const { fault } of [before, after]) expect(fault.message).toMatch(/“Region is drained” .*HTTP 503/);
});

test("[S23] the words of the provider are one short line without the key and without control characters", async () => {
  const message = `bad\u0000 key\n${encodeURIComponent(KEY)} ${KEY}\u202e ${"long ".repeat(10_000)}`;
  const { fault } = await callForFault(createStreamScript(toSseFrame({ error: { code: 400, message } })));
  expect(fault.message).toContain(String.raw`“bad\u0000 key [key] [key]\u202e long`);
  expect(fault.message).not.toMatch(/[\p{C}]/u);
  expect(fault.message.length).toBeLessThan(500);
});

test.each([301, 302, 303, 307, 308])(
  "[S23] a redirect with status %i is refused, and its target gets nothing",
  async (status) => {
    const target = await serveScripts(okScript);
    const failed = await callForFault((response) => {
      response.writeHead(status, { location: `${target.url}/chat/completions` });
      response.end();
    });
    expect(failed).toMatchObject({ code: "model_refused", retryable: false, attempts: 1 });
    expect(failed.fault.message).toContain(`redirect (HTTP ${status})`);
    expect(failed.fault.message).not.toContain(new URL(target.url).host);
    expect(String(failed.fault.cause)).toContain(new URL(target.url).host);
    expect(target.requests).toEqual([]);
  },
);
