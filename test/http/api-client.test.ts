// The typed client against the real Worker: all requests of an application except the socket.

import { describe, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { call, BROKEN_DB, assertPresent, ORIGIN, waitForThreads, type ApiRequest } from "./support.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

/** Creates the client of a user. `env` overrides bindings of the Worker. */
function createClient(user: ApiRequest, env: Record<string, unknown> = WITH_SECRET): ApiClient {
  return createApi({
    url: `${ORIGIN}/`,
    token: () => assertPresent(assertPresent(user.headers)["authorization"]).replace("Bearer ", ""),
    fetch: (input, init) =>
      call(init?.method ?? "GET", String(input).slice(ORIGIN.length), {
        env,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: init?.body ?? undefined,
      }),
  });
}

describe("the list of conversations", () => {
  test("can be searched, limited to conversations that the user started, and read in pages", async () => {
    const user = await authenticateAs("tess");
    const api = createClient(user);
    const { conversation_id: id } = await api.createConversation({ title: "Night sky over Oslo", message: CHAIN });
    await waitForThreads(id, 1, user);
    const { conversation_id: other } = await api.createConversation({ title: "奥斯陆的夜空 100%" });
    const listIds = async (options: Parameters<ApiClient["listConversations"]>[0]) =>
      (await api.listConversations(options)).conversations.map(({ conversation_id }) => conversation_id);
    await vi.waitFor(async () => {
      expect(await listIds({})).toHaveLength(4);
      expect(await listIds({ top: true })).toEqual([other, id]);
    });
    expect(await listIds({ q: "OSLO night", top: true })).toEqual([id]);
    expect(await listIds({ q: "%" })).toEqual([other]);
    expect(await listIds({ q: undefined, limit: undefined })).toEqual(await listIds({}));
    const page = await api.listConversations({ limit: 1, top: true });
    expect(await listIds({ limit: 1, top: true, cursor: assertPresent(page.next_cursor) })).toEqual([id]);
  });

  test.each([
    [{ q: "x".repeat(201) }, "q"],
    [{ top: "maybe" as unknown as boolean }, "top"],
    [{ cursor: "x" }, "cursor"],
  ])("is rejected with the parameters %j", async (options, field) => {
    const listing = createClient(await authenticateAs("tess")).listConversations(options);
    await expect(listing).rejects.toMatchObject({ code: "invalid_request", field });
  });
});

describe("health", () => {
  test("reports a server that is not ready", async () => {
    const health = await createClient(await authenticateAs("ada"), { ...WITH_SECRET, ...BROKEN_DB }).health();
    expect(health).toMatchObject({ status: "unavailable", missing: "the directory (D1)" });
  });

  test("throws a Fault for a server that is not Orrery", async () => {
    const answers = [
      () => Promise.resolve(new Response("<html>", { status: 200 })),
      () => Promise.resolve(new Response("bad gateway", { status: 502 })),
      () => Promise.reject(new TypeError("refused")),
    ];
    for (const fetch of answers) {
      await expect(createApi({ url: ORIGIN, fetch }).health()).rejects.toMatchObject({ name: "Fault" });
    }
  });
});
