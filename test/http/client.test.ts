// The typed client against the real Worker: what an application asks besides the socket.

import { describe, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { smallPlan } from "../support/plans.ts";
import { call, DOWN, must, ORIGIN, settled, type Ask } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

/** The client of a user; `env` is what differs in the Worker. */
function clientOf(user: Ask, env: Record<string, unknown> = BY_SECRET): ApiClient {
  return createApi({
    url: `${ORIGIN}/`,
    token: () => must(must(user.headers)["authorization"]).replace("Bearer ", ""),
    fetch: (input, init) =>
      call(init?.method ?? "GET", String(input).slice(ORIGIN.length), {
        env,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: init?.body ?? undefined,
      }),
  });
}

describe("the list of conversations", () => {
  test("is searched, and shows what the person began, tasks and plans only where they are wanted", async () => {
    const user = await as("tess");
    const api = clientOf(user);
    const { conversation_id: id } = await api.createConversation({ title: "Night sky over Oslo", message: CHAIN });
    await settled(id, 1, user);
    await api.createPlanTemplate(smallPlan());
    const started = await api.startPlanInstance("welcome", { context: { seats: 12 }, verify: false });
    await settled(started.conversation_id, 1, user);
    const other = await api.createConversation({ title: "奥斯陆的夜空 100%" });
    const titles = async (wanted: Parameters<ApiClient["listConversations"]>[0]) =>
      (await api.listConversations(wanted)).conversations.map(({ conversation_id }) => conversation_id).toSorted();
    const { length: tasks } = await api.tasks(id);
    expect(tasks).toBe(2);
    await vi.waitFor(async () => {
      const { conversations } = await api.listConversations();
      expect(conversations.filter(({ parent_id }) => parent_id === id)).toHaveLength(tasks);
      expect(conversations.map(({ conversation_id }) => conversation_id)).toContain(started.conversation_id);
      expect(await titles({ top: true })).toEqual([id, other.conversation_id].toSorted());
    });
    expect(await titles({ top: false })).toContain(started.conversation_id);
    expect(await titles({ q: "OSLO night", top: true })).toEqual([id]);
    expect(await titles({ q: "夜空" })).toEqual([other.conversation_id]);
    expect(await titles({ q: "100%" })).toEqual([other.conversation_id]);
    expect(await titles({ q: "%" })).toEqual([other.conversation_id]);
    expect(await titles({ q: "welcome 12" })).toEqual([started.conversation_id]);
    expect(await titles({ q: "welcome 12", top: true })).toEqual([]);
    expect(await titles({ q: undefined, limit: undefined })).toEqual(await titles({}));
    const page = await api.listConversations({ limit: 1, top: true });
    const rest = await api.listConversations({ limit: 1, top: true, cursor: must(page.next_cursor) });
    expect([...page.conversations, ...rest.conversations]).toHaveLength(2);
    expect(rest.conversations).not.toEqual(page.conversations);
    expect((await clientOf(await as("eve")).listConversations({ q: "Oslo" })).conversations).toEqual([]);
  });

  test.each([
    [{ q: "x".repeat(201) }, "q"],
    [{ top: "maybe" as unknown as boolean }, "top"],
    [{ cursor: "x" }, "cursor"],
  ])("is not asked for with %j", async (wanted, field) => {
    const listing = clientOf(await as("tess")).listConversations(wanted);
    await expect(listing).rejects.toMatchObject({ code: "invalid_request", field });
  });
});

describe("what happened in a conversation", () => {
  test("is read as events, items, plans and tasks", async () => {
    const user = await as("rita");
    const api = clientOf(user);
    const { conversation_id: id } = await api.createConversation({ message: CHAIN });
    const all = await settled(id, 1, user);
    const first = await api.events(id, { limit: 3 });
    expect(first).toEqual({ events: all.slice(0, 3), next: must(all[2]).seq });
    expect((await api.events(id, { after: first.next })).events).toEqual(all.slice(3));
    expect((await api.events(id)).events).toEqual(all);
    expect(JSON.stringify(await api.items(id))).toContain("5950128");
    const [plan] = await api.plans(id);
    const tasks = await api.tasks(id, "completed");
    expect(must(plan).tasks).toEqual(tasks);
    expect(await api.tasks(id, "failed")).toEqual([]);
    expect(await api.context(id)).toEqual({ pending: [] });
    const task = must(tasks[0]);
    expect(await api.task(task.task_id)).toEqual(task);
    await expect(api.cancelTask(task.task_id)).rejects.toMatchObject({ code: "conflict" });
    expect(await api.plans(task.conversation_id)).toEqual([]);
  });

  test("a task is stopped, with the schedule that it is, whose runs are known ahead", async () => {
    const user = await as("rosa");
    const api = clientOf(user);
    const message = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
    const { conversation_id: id } = await api.createConversation({ message });
    await settled(id, 1, user);
    const task = must((await api.tasks(id))[0]).task_id;
    const { next_run_at: next, next_runs: runs } = await api.schedule(task);
    expect(runs).toEqual([0, 1, 2, 3, 4].map((i) => must(next) + i * 300_000));
    expect(await api.cancelTask(task)).toEqual([task]);
    await expect(api.schedule(task)).rejects.toMatchObject({ code: "not_found" });
  });
});

test("one agent is read, and switched off and on", async () => {
  const api = clientOf(await as("alma"));
  const agent = await api.agent("assistant");
  expect(await api.agents()).toContainEqual(agent);
  expect(await api.setAgentEnabled("assistant", false)).toEqual({ ...agent, enabled: false });
  expect(await api.agent("assistant")).toMatchObject({ enabled: false });
  expect(await api.setAgentEnabled("assistant", true)).toEqual(agent);
  await expect(api.agent("nobody")).rejects.toMatchObject({ code: "not_found" });
});

describe("health", () => {
  test("says which model answers and who may come in", async () => {
    const health = await clientOf(await as("ada")).health();
    expect(health).toEqual({
      status: "ok",
      model: { name: expect.any(String) as string, kind: "embedded" },
      auth: "secret",
    });
  });

  test("is told of a server that is not ready as well", async () => {
    const health = await clientOf(await as("ada"), { ...BY_SECRET, ...DOWN }).health();
    expect(health).toMatchObject({ status: "unavailable", missing: "the directory (D1)" });
  });

  test("is not known of what is no such server", async () => {
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
