// What stands at which address: files, the web application, and nothing.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildAssets } from "../../scripts/assets.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
beforeAll(async () => {
  await buildAssets();
  runtime = await startRuntime();
});
afterAll(() => runtime.stop());

const ask = (path: string, accept: string) => fetch(runtime.url + path, { headers: { accept } });

describe.each(["/", "/c/conv-1", "/agents", "/agents/An%20agent%201.0", "/pages/page-1?tab=b"])("%s", (path) => {
  test("is the web application for whoever opens it, with its policy and never out of date", async () => {
    const response = await ask(path, "text/html,*/*;q=0.8");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(response.headers.get("cache-control")).toContain("must-revalidate");
    expect(await response.text()).toContain(`<div id="app">`);
  });
});

test.each([
  ["/c/conv-1", "*/*"],
  ["/assets/gone.js", "text/html"],
  ["/gone.txt", "text/html"],
  ["/api/v1/gone", "text/html"],
  ["/.well-known/gone", "text/html"],
])("%s is not there for whoever asks for %s", async (path, accept) => {
  const response = await ask(path, accept);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "not_found" });
});

test("what the application is made of may be kept for ever", async () => {
  const html = await (await ask("/", "text/html")).text();
  const [, script = ""] = /src="(\/assets\/[^"]+)"/.exec(html) ?? [];
  const response = await ask(script, "*/*");
  await response.body?.cancel();
  expect(response.headers.get("cache-control")).toContain("immutable");
});
