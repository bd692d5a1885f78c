// The typed client against the real Worker: all requests of an application except the socket.

import { describe, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
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
  test("can be searched, and can be limited to conversations that the user started", async () => {
    const user = await authenticateAs("tess");
    const api = createClient(user);
    const { conversation_id: id } = await api.createConversation({ title: "Night sky over Oslo", message: CHAIN });
    await waitForThreads(id, 1, user);
    await api.createPlanTemplate(createTemplateConfig());
    const started = await api.startPlanInstance("welcome", { context: { seats: 12 }, verify: false });
    await waitForThreads(started.conversation_id, 1, user);
    const other = await api.createConversation({ title: "奥斯陆的夜空 100%" });
    const listIds = async (options: Parameters<ApiClient["listConversations"]>[0]) =>
      (await api.listConversations(options)).conversations.map(({ conversation_id }) => conversation_id).toSorted();
    const { length: tasks } = (await api.tasks(id)).tasks;
    expect(tasks).toBe(2);
    await vi.waitFor(async () => {
      const { conversations } = await api.listConversations();
      expect(conversations.filter(({ parent_id }) => parent_id === id)).toHaveLength(tasks);
      expect(conversations.map(({ conversation_id }) => conversation_id)).toContain(started.conversation_id);
      expect(await listIds({ top: true })).toEqual([id, other.conversation_id].toSorted());
    });
    expect(await listIds({ top: false })).toContain(started.conversation_id);
    expect(await listIds({ q: "OSLO night", top: true })).toEqual([id]);
    expect(await listIds({ q: "夜空" })).toEqual([other.conversation_id]);
    expect(await listIds({ q: "100%" })).toEqual([other.conversation_id]);
    expect(await listIds({ q: "%" })).toEqual([other.conversation_id]);
    expect(await listIds({ q: "welcome 12" })).toEqual([started.conversation_id]);
    expect(await listIds({ q: "welcome 12", top: true })).toEqual([]);
    expect(await listIds({ q: undefined, limit: undefined })).toEqual(await listIds({}));
    const page = await api.listConversations({ limit: 1, top: true });
    const rest = await api.listConversations({ limit: 1, top: true, cursor: assertPresent(page.next_cursor) });
    expect([...page.conversations, ...rest.conversations]).toHaveLength(2);
    expect(rest.conversations).not.toEqual(page.conversations);
    expect((await createClient(await authenticateAs("eve")).listConversations({ q: "Oslo" })).conversations).toEqual(
      [],
    );
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
