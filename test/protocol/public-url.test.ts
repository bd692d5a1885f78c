// S9: URLs of private addresses in many spellings.

import { describe, expect, test } from "vitest";
import { findAddressProblem } from "../../src/lib/urls/address-problem.ts";
import { findUrlProblem } from "../../src/lib/urls/public-url.ts";
import { REFUSED_URLS } from "../support/refused-urls.ts";

const strict = { allowPrivate: false };

describe("findUrlProblem() rejects", () => {
  test.each(REFUSED_URLS)("%s", (address) => {
    // A URL that does not parse is rejected earlier.
    const problem = URL.canParse(address) ? findUrlProblem(new URL(address), strict) : "not a URL";
    expect(problem).toBeDefined();
  });
});

describe("findUrlProblem() accepts", () => {
  test.each([
    "https://agent.dev/",
    "https://agent.dev:443/a2a",
    "https://agent.dev:8443/a2a",
    "https://sub.agent.workers.dev/.well-known/agent-card.json",
    "https://bücher.de/",
    "https://8.8.8.8/",
    "https://100.63.255.255/",
    "https://172.32.0.1/",
    "https://192.169.0.1/",
    "https://[2606:4700:4700::1111]/",
    "https://[2a00:1450:4001:812::200e]/",
    "https://localhost.agent.dev/",
    "https://notlocal.dev/",
  ])("%s", (address) => {
    expect(findUrlProblem(new URL(address), strict)).toBeUndefined();
  });

  test.each(["http://127.0.0.1:8788/", "http://localhost:3000/", "https://[::1]/"])(
    "%s if private agents are allowed",
    (address) => {
      expect(findUrlProblem(new URL(address), { allowPrivate: true })).toBeUndefined();
    },
  );

  test("neither credentials nor other schemes if private agents are allowed", () => {
    expect(findUrlProblem(new URL("http://a:b@127.0.0.1/"), { allowPrivate: true })).toBeDefined();
    expect(findUrlProblem(new URL("file:///etc/passwd"), { allowPrivate: true })).toBeDefined();
  });
});

describe("a URL with a public name", () => {
  const check = (addresses: readonly string[], address = "https://agent.dev/", allowPrivate = false) =>
    findAddressProblem(new URL(address), { allowPrivate, resolveHost: async () => addresses });

  test.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["93.184.215.14", "192.168.0.1"],
    ["::1"],
    ["fd00::5"],
    ["::ffff:127.0.0.1"],
    ["not an address"],
  ])("is refused for the addresses %s %s", async (...addresses) => {
    expect(await check(addresses)).toMatchObject({ key: "url.notPublic" });
    expect(await check(addresses, "https://agent.dev/", true)).toBeUndefined();
  });

  test("is accepted for public addresses, and if they are unknown", async () => {
    expect(await check(["93.184.215.14", "2606:4700:4700::1111"])).toBeUndefined();
    expect(await check([])).toBeUndefined();
  });

  test("is resolved only if it is a name", async () => {
    expect(await check(["127.0.0.1"], "https://8.8.8.8/")).toBeUndefined();
    expect(await check(["127.0.0.1"], "https://[2606:4700:4700::1111]/")).toBeUndefined();
  });
});
