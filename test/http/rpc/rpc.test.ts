// The RPC interface, called through a service binding.

import { exports } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { RpcResult } from "../../../src/durable/conversation-api.ts";
import { listOperations } from "../../../src/http/api/operations.ts";
import { RPC_METHODS } from "../../../src/protocol/api/rpc-methods.ts";
import type { OrreryApi } from "../../../src/http/api/rpc.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { saveTestTool, MULTIPLY } from "../../directory/tool-rows.ts";
import { assertPresent } from "../support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const CHAIN = "首先查询现在时间然后计算678乘以8776的结果";

async function unwrap<T>(result: Promise<RpcResult<T>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.failure.message);
  return settled.value;
}

function parseFrames(text: string): Frame[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Frame);
}

describe("the RPC interface", () => {
  test("has a method for each operation with an RPC signature", () => {
    const named = listOperations().flatMap(([name, { rpc }]) => (rpc === undefined ? [] : [name]));
    expect([...RPC_METHODS].toSorted()).toEqual(named.toSorted());
  });

  test("supports conversations", async () => {
    const { conversation_id: id } = await unwrap(orrery.createConversation("rpc-1", { title: "Stars" }));
    expect(await unwrap(orrery.readConversation("rpc-1", id))).toMatchObject({ title: "Stars", user_id: "rpc-1" });
    expect(await unwrap(orrery.updateConversation("rpc-1", id, { title: "Planets" }))).toMatchObject({
      title: "Planets",
    });
    await vi.waitFor(async () => {
      const { conversations } = await unwrap(orrery.listConversations("rpc-1", { limit: 1 }));
      expect(conversations).toMatchObject([{ conversation_id: id, title: "Planets" }]);
    });
    expect((await unwrap(orrery.listConversations("rpc-1", { q: "PLANET", top: true }))).conversations).toHaveLength(1);
    expect((await unwrap(orrery.listConversations("rpc-1", { q: "stars" }))).conversations).toEqual([]);
    expect(await unwrap(orrery.deleteConversation("rpc-1", id))).toEqual({ conversation_id: id, deleted: true });
    expect(await orrery.readConversation("rpc-1", id)).toMatchObject({ ok: false, failure: { code: "not_found" } });
  });

  test("streams a thread and returns all its parts", async () => {
    const stream = await unwrap(orrery.ask("rpc-2", null, { message: CHAIN }));
    const frames = parseFrames(await new Response(stream).text());
    expect(frames[0]?.event).toBe("conversation_started");
    expect(frames.at(-1)?.event).toBe("done");
    const id = assertPresent(frames[0]).data.conversation_id;
    const { events } = await unwrap(orrery.events("rpc-2", id));
    expect(events.at(-1)).toEqual(frames.at(-1));
    expect(JSON.stringify(await unwrap(orrery.items("rpc-2", id)))).toContain("5950128");
    const [plan] = await unwrap(orrery.plans("rpc-2", id));
    const tasks = await unwrap(orrery.tasks("rpc-2", id, "completed"));
    expect(plan?.tasks).toEqual(tasks);
    const task = assertPresent(tasks[0]);
    expect(await unwrap(orrery.task("rpc-2", task.task_id))).toEqual(task);
    expect(await orrery.cancelTask("rpc-2", task.task_id)).toMatchObject({ failure: { code: "conflict" } });
    const reader = (await unwrap(orrery.follow("rpc-2", task.conversation_id))).getReader();
    let text = "";
    while (!text.includes('"event":"task_completed"'))
      text += new TextDecoder().decode((await reader.read()).value, { stream: true });
    await reader.cancel();
    const { events: taskEvents } = await unwrap(orrery.events("rpc-2", task.conversation_id));
    expect(parseFrames(text)).toEqual(taskEvents);
    expect(await orrery.cancel("rpc-2", id)).toMatchObject({ failure: { code: "not_found" } });
    expect(await orrery.resume("rpc-2", id, { message: "yes" })).toMatchObject({ failure: { code: "conflict" } });
  });

  test("supports agents", async () => {
    const { agents } = await unwrap(orrery.agents("rpc-4"));
    const { name } = assertPresent(agents[0]);
    expect(await unwrap(orrery.setAgentEnabled("rpc-4", name, false))).toMatchObject({ enabled: false });
    expect(await unwrap(orrery.agent("rpc-4", name))).toMatchObject({ enabled: false });
    expect(await unwrap(orrery.agent("rpc-5", name))).toMatchObject({ enabled: true });
    expect(await orrery.previewAgent("rpc-4", "http://localhost")).toMatchObject({ failure: { field: "url" } });
    expect(await orrery.registerAgent("rpc-4", "http://localhost")).toMatchObject({ failure: { field: "url" } });
    const app = { name, description: "d", mcp: { binding: "MCP_NONE" } };
    expect(await orrery.registerApp("rpc-4", app)).toMatchObject({ failure: { code: "conflict", field: "name" } });
    expect(await orrery.registerApp("rpc-4", { ...app, name: "none" })).toMatchObject({ failure: { field: "mcp" } });
    const done = await unwrap(orrery.execute("rpc-5", "assistant", { action: "What is 6 * 7?" }));
    expect(done).toMatchObject({ success: true, tools_used: ["calculate"] });
    expect(await orrery.execute("rpc-5", "assistant", { action: "" })).toMatchObject({ failure: { field: "action" } });
    expect(await orrery.execute("rpc-5", "nobody", { action: "x" })).toMatchObject({ failure: { code: "not_found" } });
    expect(await orrery.removeAgent("rpc-4", name)).toMatchObject({ failure: { code: "not_found" } });
  });
});

describe("schedules over RPC", () => {
  const EVERY_FIVE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";

  async function createSchedule(user: string): Promise<string> {
    const stream = await unwrap(orrery.ask(user, null, { message: EVERY_FIVE }));
    const { conversation_id } = assertPresent(parseFrames(await new Response(stream).text())[0]).data;
    return assertPresent((await unwrap(orrery.tasks(user, conversation_id)))[0]).task_id;
  }

  test("can be listed, read, changed, run and deleted", async () => {
    const id = await createSchedule("rpc-20");
    await vi.waitFor(async () => {
      const { schedules } = await unwrap(orrery.listSchedules("rpc-20", { limit: 1 }));
      expect(schedules).toMatchObject([{ schedule_id: id }]);
    });
    const { next_runs } = await unwrap(orrery.schedule("rpc-20", id));
    expect(next_runs).toHaveLength(5);
    expect(await unwrap(orrery.updateSchedule("rpc-20", id, { status: "paused" }))).toMatchObject({
      status: "paused",
    });
    const { thread_id } = await unwrap(orrery.runSchedule("rpc-20", id, "now-1"));
    await vi.waitFor(async () => {
      const { results } = await unwrap(orrery.runResults("rpc-20", id, { limit: 1 }));
      expect(results).toMatchObject([{ run_id: thread_id, status: "completed" }]);
    }, 5_000);
    const [{ due_at: before } = { due_at: 0 }] = (await unwrap(orrery.runResults("rpc-20", id))).results;
    expect(await unwrap(orrery.runResults("rpc-20", id, { before }))).toEqual({ results: [] });
    expect(await unwrap(orrery.deleteSchedule("rpc-20", id))).toEqual({ schedule_id: id, deleted: true });
    expect(await orrery.schedule("rpc-20", id)).toMatchObject({ failure: { code: "not_found" } });
  });
});

test("[F45] [U1] a profile can be read and changed over RPC, by each user alone", async () => {
  const facts = { role: "teacher" };
  await unwrap(orrery.updateProfile("rpc-40", { name: "Ada", facts }));
  const changed = await unwrap(orrery.updateProfile("rpc-40", { name: null, language: "zh" }));
  expect(changed).toEqual({ user_id: "rpc-40", language: "zh", facts });
  expect(await unwrap(orrery.profile("rpc-40"))).toEqual(changed);
  expect(await unwrap(orrery.profile("rpc-41"))).toEqual({ user_id: "rpc-41" });
});

describe("tools over RPC", () => {
  test("can be listed, searched, read and deleted", async () => {
    await saveTestTool("rpc-30");
    await saveTestTool("rpc-30", { hash: "h2", code: "() => 7" }, 2_000);
    await saveTestTool("rpc-30", { name: "reverse", category: "text", description: "Reverses text" }, 3_000);
    const { tools, next_cursor } = await unwrap(orrery.listTools("rpc-30", { limit: 1 }));
    expect(tools).toMatchObject([{ name: "reverse" }]);
    const rest = await unwrap(orrery.listTools("rpc-30", { limit: 9, cursor: assertPresent(next_cursor) }));
    expect(rest).toMatchObject({ tools: [{ name: "multiply_numbers", version: 2 }], next_cursor: null });
    const found = await unwrap(orrery.listTools("rpc-30", { q: "reversed", category: "text" }));
    expect(found).toEqual({ tools, next_cursor: null });
    expect(await unwrap(orrery.tool("rpc-30", "multiply_numbers"))).toMatchObject({ version: 2, code: "() => 7" });
    const old = await unwrap(orrery.tool("rpc-30", "multiply_numbers", 1));
    expect(old).toMatchObject({ code: MULTIPLY.code, versions: [{ version: 2 }, { version: 1 }] });
    const deleted = { name: "multiply_numbers", deleted: true };
    expect(await unwrap(orrery.deleteTool("rpc-30", "multiply_numbers"))).toEqual(deleted);
    expect(await orrery.tool("rpc-30", "multiply_numbers")).toMatchObject({ failure: { code: "not_found" } });
  });
});

describe("an invalid RPC argument", () => {
  const castInvalid = <T>(value: unknown): T => value as T;
  const calls: Record<string, [() => Promise<RpcResult<unknown>>, string]> = {
    "no user": [() => orrery.agents(""), "user"],
    "a user that is not a string": [() => orrery.agents(castInvalid(null)), "user"],
    "a limit of zero": [() => orrery.listConversations("rpc", { limit: 0 }), "limit"],
    "an invalid cursor": [() => orrery.listConversations("rpc", { cursor: "x" }), "cursor"],
    "an oversized page of results": [() => orrery.runResults("rpc", "x", { limit: 101 }), "limit"],
    "an unknown member of a change": [
      () => orrery.updateSchedule("rpc", "x", castInvalid({ next_run_at: 1 })),
      "next_run_at",
    ],
    "an invalid version": [() => orrery.tool("rpc", "multiply_numbers", 0), "version"],
    "an oversized command id": [() => orrery.send("rpc", null, { message: "x" }, "x".repeat(129)), "commandId"],
    "no message": [() => orrery.ask("rpc", null, castInvalid({})), "message"],
    "an unknown status": [() => orrery.tasks("rpc", "x", castInvalid("finished")), "status"],
    "a thread that is not a string": [() => orrery.follow("rpc", "x", 0, castInvalid(1)), "thread"],
    "an enabled state that is not a boolean": [() => orrery.setAgentEnabled("rpc", "x", castInvalid("yes")), "enabled"],
    "invalid credentials": [() => orrery.previewAgent("rpc", "https://a.example", castInvalid("k")), "credentials"],
    "a link duration below the minimum": [() => orrery.linkPage("rpc", "x", 1), "seconds"],
  };

  test.each(Object.entries(calls))("is a failure value with its field: %s", async (_, [run, field]) => {
    const result = await run();
    expect(result).toMatchObject({ ok: false, failure: { field } });
  });
});
