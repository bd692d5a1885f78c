// The consent page of the sign-in of MCP clients: what it shows, and which requests and forms it must refuse.

import { describe, expect, test } from "vitest";
import { formatPage, openPage, readPage, REDIRECT, registerClient, signIn } from "../mcp-client.ts";
import { ORIGIN } from "../support.ts";
import { signToken } from "../tokens.ts";

const now = () => Math.floor(Date.now() / 1_000);

describe("the consent page", () => {
  test("names the client and its destination in the language of the reader, and cannot be framed", async () => {
    const clientId = await registerClient({ client_name: `<b>Evil</b> "& co` });
    const page = await openPage(formatPage(clientId), { "accept-language": "zh-CN" });
    const text = await page.text();
    expect(text).toContain("允许“&lt;b&gt;Evil&lt;/b&gt; &quot;&amp; co”使用 Orrery 吗？");
    expect(text).toContain(`<code>${REDIRECT}</code>`);
    expect(text).toContain(`<html lang="zh">`);
    expect(text).not.toContain("<script");
    expect(text).not.toContain("你电脑上的程序");
    const { headers } = page;
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]{36}'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    // A client may wait for the redirect in the window that opened the page.
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-[\w-]+=\w+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
  });

  test("accepts another port of a registered loopback address and warns of the local program", async () => {
    const page = await openPage(formatPage(await registerClient(), { redirect_uri: "http://127.0.0.1:9999/callback" }));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("This address belongs to a program on your computer.");
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["another redirect URI", { redirect_uri: "https://client.example/other" }],
    ["a longer redirect URI", { redirect_uri: `${REDIRECT}/` }],
    ["another host on the same port", { redirect_uri: "http://127.0.0.2:7777/callback" }],
    ["a loopback address with another path", { redirect_uri: "http://127.0.0.1:7777/other" }],
    ["a script as redirect URI", { redirect_uri: "javascript:alert(1)" }],
    ["no redirect URI", { redirect_uri: "" }],
    ["an unknown client", { client_id: "unknown" }],
    ["no client", { client_id: "" }],
  ])("is refused without a redirect for %s", async (_, changes) => {
    const page = await openPage(formatPage(await registerClient(), changes));
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    const text = await page.text();
    expect(text).toContain("The application sent an invalid request.");
    expect(text).not.toContain("<form");
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["no PKCE challenge", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["the plain PKCE method", { code_challenge_method: "plain" }, "invalid_request"],
    ["no PKCE method", { code_challenge_method: "" }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ])("sends the client an error for %s", async (_, changes, error) => {
    for (const token_endpoint_auth_method of ["none", "client_secret_basic"]) {
      const clientId = await registerClient({ token_endpoint_auth_method });
      const page = await openPage(formatPage(clientId, changes));
      expect(page.status).toBe(303);
      const location = new URL(page.headers.get("location") ?? "");
      expect(`${location.origin}${location.pathname}`).toBe(REDIRECT);
      expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: "state-1", iss: ORIGIN });
    }
  });
});

describe("the sent form", () => {
  test("is refused without the cookie of its page, with another handle, and a second time", async () => {
    const path = formatPage(await registerClient());
    const token = await signToken({ sub: "ada" });
    const { handle, cookie } = await readPage(path);
    const other = await readPage(path);
    const form = { handle, token, decision: "allow" };
    const attempts: [string, Readonly<Record<string, string>>][] = [
      ["", form],
      [other.cookie, form],
      [cookie, { token, decision: "allow" }],
      [cookie, { ...form, handle: other.handle }],
      ["", { handle, decision: "deny" }],
    ];
    for (const [sent, fields] of attempts) {
      const refused = await openPage(path, { cookie: sent }, fields);
      expect([refused.status, refused.headers.get("location")]).toEqual([400, null]);
      expect(await refused.text()).toContain("This page has expired");
    }
    expect((await openPage(path, { cookie }, form)).status).toBe(303);
    expect((await openPage(path, { cookie }, form)).status).toBe(400);
  });

  test.each<[string, () => Promise<string>]>([
    ["no token", async () => ""],
    ["an expired token", () => signToken({ sub: "ada", exp: now() - 120 })],
    ["a token of another secret", () => signToken({ sub: "ada" }, { secret: "another secret, also of decent length" })],
    ["a token of a client", async () => (await signIn(await signToken({ sub: "ada" }))).access_token],
  ])("shows the page again for %s", async (_, createToken) => {
    const path = formatPage(await registerClient());
    const { handle, cookie } = await readPage(path);
    const answer = await openPage(path, { cookie }, { handle, token: await createToken(), decision: "allow" });
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    expect(await answer.text()).toContain("This token isn’t valid or has expired.");
  });

  test("returns to the client with an error if the person denies", async () => {
    const path = formatPage(await registerClient());
    const { handle, cookie } = await readPage(path);
    const denied = await openPage(path, { cookie }, { handle, decision: "deny" });
    const location = new URL(denied.headers.get("location") ?? "");
    expect(denied.status).toBe(303);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "access_denied",
      state: "state-1",
      iss: ORIGIN,
    });
  });

  test("is refused above its size limit", async () => {
    const path = formatPage(await registerClient());
    expect((await openPage(path, {}, { token: "a".repeat(20_000) })).status).toBe(413);
  });
});
