// What a failure must not contain: the key, control characters, the target of a redirect.

import { expect, test } from "vitest";
import { callForFault, createStreamScript, KEY, okScript, serveScripts, toSseFrame } from "./scripted-endpoint.ts";

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
