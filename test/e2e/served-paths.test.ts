// The responses at paths outside of the API: static files, the web application and 404.

import { beforeAll, describe, expect, test } from "vitest";
import { shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";

let runtime: SharedRuntime;
beforeAll(async () => {
  runtime = await shareRuntime();
});

const fetchPath = (path: string, accept: string) => fetch(runtime.url + path, { headers: { accept } });

describe.each(["/", "/c/conv-1", "/agents", "/agents/An%20agent%201.0", "/pages/page-1?tab=b"])("%s", (path) => {
  test("serves the web application to browsers with its Content-Security-Policy and without caching", async () => {
    const response = await fetchPath(path, "text/html,*/*;q=0.8");
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
])("%s responds with 404 to a request that accepts %s", async (path, accept) => {
  const response = await fetchPath(path, accept);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "not_found" });
});

test("scripts of the web application are served as immutable", async () => {
  const html = await (await fetchPath("/", "text/html")).text();
  const [, script = ""] = /src="(\/assets\/[^"]+)"/.exec(html) ?? [];
  const response = await fetchPath(script, "*/*");
  await response.body?.cancel();
  expect(response.headers.get("cache-control")).toContain("immutable");
});
