// The door for other Workers, called as a binding calls it.

import { exports } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { RpcResult } from "../../src/durable/conversation-api.ts";
import type { OrreryApi } from "../../src/http/rpc-api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { keep, MULTIPLY } from "../directory/tool-rows.ts";
import { must } from "./support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

async function valueOf<T>(result: Promise<RpcResult<T>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.failure.message);
  return settled.value;
}

function framesIn(text: string): Frame[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Frame);
}

describe("the verbs", () => {
  test("conversations", async () => {
    const { conversation_id: id } = await valueOf(orrery.createConversation("rpc-1", { title: "Stars" }));
    expect(await valueOf(orrery.readConversation("rpc-1", id))).toMatchObject({ title: "Stars", user_id: "rpc-1" });
    expect(await valueOf(orrery.updateConversation("rpc-1", id, { title: "Planets" }))).toMatchObject({
      title: "Planets",
    });
    await vi.waitFor(async () => {
      const { conversations } = await valueOf(orrery.listConversations("rpc-1", { limit: 1 }));
      expect(conversations).toMatchObject([{ conversation_id: id, title: "Planets" }]);
    });
    expect((await valueOf(orrery.listConversations("rpc-1", { q: "PLANET", top: true }))).conversations).toHaveLength(
      1,
    );
    expect((await valueOf(orrery.listConversations("rpc-1", { q: "stars" }))).conversations).toEqual([]);
    expect(await valueOf(orrery.deleteConversation("rpc-1", id))).toEqual({ conversation_id: id, deleted: true });
    expect(await orrery.readConversation("rpc-1", id)).toMatchObject({ ok: false, failure: { code: "not_found" } });
  });

  test("a thread as a stream, and everything that can be read of it", async () => {
    const stream = await valueOf(orrery.ask("rpc-2", null, { message: CHAIN }));
    const frames = framesIn(await new Response(stream).text());
    expect(frames[0]?.event).toBe("conversation_started");
    expect(frames.at(-1)?.event).toBe("done");
    const id = must(frames[0]).data.conversation_id;
    const { events } = await valueOf(orrery.events("rpc-2", id));
    expect(events.at(-1)).toEqual(frames.at(-1));
    expect(JSON.stringify(await valueOf(orrery.items("rpc-2", id)))).toContain("5950128");
    const [plan] = await valueOf(orrery.plans("rpc-2", id));
    const tasks = await valueOf(orrery.tasks("rpc-2", id, "completed"));
    expect(plan?.tasks).toEqual(tasks);
    const task = must(tasks[0]);
    expect(await valueOf(orrery.task("rpc-2", task.task_id))).toEqual(task);
    expect(await orrery.cancelTask("rpc-2", task.task_id)).toMatchObject({ failure: { code: "conflict" } });
    const reader = (await valueOf(orrery.follow("rpc-2", task.conversation_id))).getReader();
    let text = "";
    while (!text.includes('"event":"task_completed"'))
      text += new TextDecoder().decode((await reader.read()).value, { stream: true });
    await reader.cancel();
    const { events: own } = await valueOf(orrery.events("rpc-2", task.conversation_id));
    expect(framesIn(text)).toEqual(own);
    expect(await orrery.cancel("rpc-2", id)).toMatchObject({ failure: { code: "not_found" } });
    expect(await orrery.resume("rpc-2", id, { message: "yes" })).toMatchObject({ failure: { code: "conflict" } });
  });

  test("following a conversation goes on until the reader leaves", async () => {
    const { conversation_id: id } = await valueOf(orrery.createConversation("rpc-3"));
    const reader = (await valueOf(orrery.follow("rpc-3", id))).getReader();
    await valueOf(orrery.send("rpc-3", id, { message: "hello" }, "c1"));
    await valueOf(orrery.send("rpc-3", id, { message: "hello" }, "c1"));
    let text = "";
    while (!text.includes('"event":"done"')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    const frames = framesIn(text);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1));
    expect(frames.filter((frame) => frame.event === "thread_started")).toHaveLength(1);
  });

  test("agents", async () => {
    const { agents } = await valueOf(orrery.agents("rpc-4"));
    const { name } = must(agents[0]);
    expect(await valueOf(orrery.setAgentEnabled("rpc-4", name, false))).toMatchObject({ enabled: false });
    expect(await valueOf(orrery.agent("rpc-4", name))).toMatchObject({ enabled: false });
    expect(await valueOf(orrery.agent("rpc-5", name))).toMatchObject({ enabled: true });
    expect(await orrery.previewAgent("rpc-4", "http://localhost")).toMatchObject({ failure: { field: "url" } });
    expect(await orrery.registerAgent("rpc-4", "http://localhost")).toMatchObject({ failure: { field: "url" } });
    const app = { name, description: "d", mcp: { binding: "MCP_NONE" } };
    expect(await orrery.registerApp("rpc-4", app)).toMatchObject({ failure: { code: "conflict", field: "name" } });
    expect(await orrery.registerApp("rpc-4", { ...app, name: "none" })).toMatchObject({ failure: { field: "mcp" } });
    const done = await valueOf(orrery.execute("rpc-5", "assistant", { action: "What is 6 * 7?" }));
    expect(done).toMatchObject({ success: true, tools_used: ["calculate"] });
    expect(await orrery.execute("rpc-5", "assistant", { action: "" })).toMatchObject({ failure: { field: "action" } });
    expect(await orrery.execute("rpc-5", "nobody", { action: "x" })).toMatchObject({ failure: { code: "not_found" } });
    expect(await orrery.removeAgent("rpc-4", name)).toMatchObject({ failure: { code: "not_found" } });
  });
});

describe("schedules", () => {
  const EVERY_FIVE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";

  async function scheduled(user: string): Promise<string> {
    const stream = await valueOf(orrery.ask(user, null, { message: EVERY_FIVE }));
    const { conversation_id } = must(framesIn(await new Response(stream).text())[0]).data;
    return must((await valueOf(orrery.tasks(user, conversation_id)))[0]).task_id;
  }

  test("are listed, read, changed, run and deleted", async () => {
    const id = await scheduled("rpc-20");
    await vi.waitFor(async () => {
      const { schedules } = await valueOf(orrery.listSchedules("rpc-20", { limit: 1 }));
      expect(schedules).toMatchObject([{ schedule_id: id }]);
    });
    const { next_runs } = await valueOf(orrery.schedule("rpc-20", id));
    expect(next_runs).toHaveLength(5);
    expect(await valueOf(orrery.updateSchedule("rpc-20", id, { status: "paused" }))).toMatchObject({
      status: "paused",
    });
    const { thread_id } = await valueOf(orrery.runSchedule("rpc-20", id, "now-1"));
    await vi.waitFor(async () => {
      const { results } = await valueOf(orrery.runResults("rpc-20", id, { limit: 1 }));
      expect(results).toMatchObject([{ run_id: thread_id, status: "completed" }]);
    }, 5_000);
    const [{ due_at: before } = { due_at: 0 }] = (await valueOf(orrery.runResults("rpc-20", id))).results;
    expect(await valueOf(orrery.runResults("rpc-20", id, { before }))).toEqual({ results: [] });
    expect(await valueOf(orrery.deleteSchedule("rpc-20", id))).toEqual({ schedule_id: id, deleted: true });
    expect(await orrery.schedule("rpc-20", id)).toMatchObject({ failure: { code: "not_found" } });
  });

  test("[U1] of another do not exist", async () => {
    const id = await scheduled("rpc-21");
    const none = `task-${"0".repeat(32)}`;
    for (const user of ["rpc-22", "rpc-21/", "RPC-21"]) {
      const answers = await Promise.all(
        [id, none, "../x", ""].map(async (name) => [
          await orrery.schedule(user, name),
          await orrery.updateSchedule(user, name, { status: "paused" }),
          await orrery.runSchedule(user, name),
          await orrery.runResults(user, name),
          await orrery.deleteSchedule(user, name),
        ]),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.[0]).toMatchObject({ failure: { code: "not_found" } });
      expect(await valueOf(orrery.listSchedules(user))).toEqual({ schedules: [], next_cursor: null });
    }
    expect(await valueOf(orrery.schedule("rpc-21", id))).toMatchObject({ status: "active" });
  });
});

describe("tools", () => {
  test("are listed, searched, read and deleted", async () => {
    await keep("rpc-30");
    await keep("rpc-30", { hash: "h2", code: "() => 7" }, 2_000);
    await keep("rpc-30", { name: "reverse", category: "text", description: "Reverses text" }, 3_000);
    const { tools, next_cursor } = await valueOf(orrery.listTools("rpc-30", { limit: 1 }));
    expect(tools).toMatchObject([{ name: "reverse" }]);
    const rest = await valueOf(orrery.listTools("rpc-30", { limit: 9, cursor: must(next_cursor) }));
    expect(rest).toMatchObject({ tools: [{ name: "multiply_numbers", version: 2 }], next_cursor: null });
    const found = await valueOf(orrery.listTools("rpc-30", { q: "reversed", category: "text" }));
    expect(found).toEqual({ tools, next_cursor: null });
    expect(await valueOf(orrery.tool("rpc-30", "multiply_numbers"))).toMatchObject({ version: 2, code: "() => 7" });
    const old = await valueOf(orrery.tool("rpc-30", "multiply_numbers", 1));
    expect(old).toMatchObject({ code: MULTIPLY.code, versions: [{ version: 2 }, { version: 1 }] });
    const deleted = { name: "multiply_numbers", deleted: true };
    expect(await valueOf(orrery.deleteTool("rpc-30", "multiply_numbers"))).toEqual(deleted);
    expect(await orrery.tool("rpc-30", "multiply_numbers")).toMatchObject({ failure: { code: "not_found" } });
  });

  test("[U1] of another do not exist", async () => {
    await keep("rpc-31");
    for (const user of ["rpc-32", "rpc-31/", "RPC-31"]) {
      const answers = await Promise.all(
        ["multiply_numbers", "never_was", "../x", "", "\ud800", {} as string].map(async (name) => [
          await orrery.tool(user, name),
          await orrery.tool(user, name, 1),
          await orrery.deleteTool(user, name),
        ]),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.[0]).toMatchObject({ failure: { code: "not_found" } });
      expect(await valueOf(orrery.listTools(user))).toEqual({ tools: [], next_cursor: null });
      expect(await valueOf(orrery.listTools(user, { q: "multiply" }))).toEqual({ tools: [], next_cursor: null });
    }
    expect(await valueOf(orrery.tool("rpc-31", "multiply_numbers"))).toMatchObject({ version: 1 });
  });
});

test("[U1] a user's conversation does not exist for another", async () => {
  const { conversation_id: id } = await valueOf(orrery.createConversation("rpc-6"));
  const message = { message: "hello" };
  for (const user of ["rpc-7", "rpc-6/", "RPC-6", "rpc-6%2F"]) {
    const answers = await Promise.all(
      [id, "conv-none", "../x", `${id}/`, ""].map(async (name) => [
        await orrery.readConversation(user, name),
        await orrery.events(user, name),
        await orrery.send(user, name, message),
        await orrery.follow(user, name),
        await orrery.deleteConversation(user, name),
      ]),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.[0]).toMatchObject({ failure: { code: "not_found" } });
  }
});

describe("what does not fit is a value that names the field", () => {
  const bad = <T>(value: unknown): T => value as T;
  const calls: Record<string, [() => Promise<RpcResult<unknown>>, string]> = {
    "no user": [() => orrery.agents(""), "user"],
    "a user that is no text": [() => orrery.agents(bad(null)), "user"],
    "a user without end": [() => orrery.agents("x".repeat(1_000)), "user"],
    "half a character": [() => orrery.readConversation("\ud800", "x"), "user"],
    "a limit of zero": [() => orrery.listConversations("rpc", { limit: 0 }), "limit"],
    "a limit that is no number": [() => orrery.listConversations("rpc", { limit: NaN }), "limit"],
    "words without end": [() => orrery.listConversations("rpc", { q: "x".repeat(201) }), "q"],
    "a strange cursor": [() => orrery.listConversations("rpc", { cursor: "x" }), "cursor"],
    "a strange cursor of schedules": [() => orrery.listSchedules("rpc", { cursor: "x" }), "cursor"],
    "a page of results without end": [() => orrery.runResults("rpc", "x", { limit: 101 }), "limit"],
    "a change that there is not": [() => orrery.updateSchedule("rpc", "x", bad({ next_run_at: 1 })), "next_run_at"],
    "a strange cursor of tools": [() => orrery.listTools("rpc", { cursor: "x" }), "cursor"],
    "a category that there is not": [() => orrery.listTools("rpc", { category: bad("cooking") }), "category"],
    "a version that cannot be": [() => orrery.tool("rpc", "multiply_numbers", 0), "version"],
    "an unknown option": [() => orrery.createConversation("rpc", bad({ user: "eve" })), "user"],
    "an empty message": [() => orrery.send("rpc", null, { message: " " }), "message"],
    "a message without end": [() => orrery.send("rpc", null, { message: "x".repeat(65_537) }), "message"],
    "a command id without end": [() => orrery.send("rpc", null, { message: "x" }, "x".repeat(129)), "commandId"],
    "no message": [() => orrery.ask("rpc", null, bad({})), "message"],
    "an unknown status": [() => orrery.tasks("rpc", "x", bad("finished")), "status"],
    "too many events": [() => orrery.events("rpc", "x", 0, 10_001), "limit"],
    "a thread that is no text": [() => orrery.follow("rpc", "x", 0, bad(1)), "thread"],
    "neither on nor off": [() => orrery.setAgentEnabled("rpc", "x", bad("yes")), "enabled"],
    "an address that is no text": [() => orrery.registerAgent("rpc", bad(1)), "url"],
    "credentials that are none": [() => orrery.previewAgent("rpc", "https://a.example", bad("k")), "credentials"],
    "a link that is too short": [() => orrery.linkPage("rpc", "x", 1), "seconds"],
    "rows without end": [() => orrery.datasetRows("rpc", "x", { limit: 1e9 }), "limit"],
  };

  test.each(Object.entries(calls))("%s", async (_, [run, field]) => {
    const result = await run();
    expect(result).toMatchObject({ ok: false, failure: { field } });
  });

  test.each([-1, NaN, 1.5, Infinity, 2 ** 53])("after %d", async (after) => {
    const { conversation_id: id } = await valueOf(orrery.createConversation("rpc-8"));
    const failure = { code: "invalid_request", field: "after" };
    expect(await orrery.events("rpc-8", id, after)).toMatchObject({ failure });
    expect(await orrery.follow("rpc-8", id, after)).toMatchObject({ failure });
  });

  test("[I4] after a number that never was", async () => {
    const { conversation_id: id } = await valueOf(orrery.createConversation("rpc-9"));
    for (const after of [2, Number.MAX_SAFE_INTEGER]) {
      const failure = { code: "seq_unknown", field: "after" };
      expect(await orrery.events("rpc-9", id, after)).toMatchObject({ ok: false, failure });
      expect(await orrery.follow("rpc-9", id, after)).toMatchObject({ ok: false, failure });
    }
    expect(await valueOf(orrery.events("rpc-9", id, 1))).toEqual({ events: [], next: 1 });
  });
});
