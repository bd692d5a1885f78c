// The resolver in the Workers runtime, whose DNS over HTTPS uses `fetch`.

import { afterEach, expect, test, vi } from "vitest";
import { resolveHost } from "../../src/resolve-host.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function mockDns(answer: (url: URL) => Promise<Response>) {
  return vi.spyOn(globalThis, "fetch").mockImplementation((input) => answer(new URL(String(input))));
}

test("a name is resolved to its addresses, once in a minute", async () => {
  const requests = mockDns(async ({ searchParams }) => {
    const name = searchParams.get("name") ?? "";
    const [type, data] = searchParams.get("type") === "A" ? [1, "10.0.0.7"] : [28, "fd00::5"];
    const alias = { name, type: 5, TTL: 60, data: "alias.inside.dev." };
    const flags = { Status: 0, TC: false, RD: true, RA: true, AD: false, CD: false };
    return Response.json({ ...flags, Question: [{ name, type }], Answer: [alias, { name, type, TTL: 60, data }] });
  });
  expect(await resolveHost("inside.dev")).toEqual(["10.0.0.7", "fd00::5"]);
  expect(await resolveHost("inside.dev")).toEqual(["10.0.0.7", "fd00::5"]);
  expect(requests).toHaveBeenCalledTimes(2);
});

test("a name is unknown if the resolver fails or does not answer within a second", async () => {
  mockDns(async () => new Response("down", { status: 502 }));
  expect(await resolveHost("failed.dev")).toEqual([]);
  mockDns(() => new Promise(() => undefined));
  const startedAt = Date.now();
  expect(await resolveHost("silent.dev")).toEqual([]);
  expect(Date.now() - startedAt).toBeLessThan(1_900);
});
