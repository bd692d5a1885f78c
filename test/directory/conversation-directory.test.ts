// The list of conversations: title search, and the filter for conversations that the user started.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  listConversations,
  putConversation,
  putConversationBatched,
  removeConversation,
  type ConversationFilter,
} from "../../src/directory/conversation-directory.ts";
import { putInstance } from "../../src/directory/instance-directory.ts";
import type { Env } from "../../src/env.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";

const { DB, LIBRARY } = env as unknown as Env;

beforeEach(async () => {
  await DB.batch(["conversation", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

function createInfo(id: string, at: number, title?: string, user_id = "ada"): ConversationInfo {
  return {
    conversation_id: `conv-${id}`,
    user_id,
    ...(title === undefined ? {} : { title }),
    status: "completed",
    created_at: at,
    updated_at: at,
  };
}

async function put(...args: Parameters<typeof createInfo>): Promise<ConversationInfo> {
  const conversation = createInfo(...args);
  await putConversation(DB, conversation);
  return conversation;
}

async function findIds(filter: ConversationFilter, user = "ada", limit = 100): Promise<string[]> {
  const conversations = await listConversations(DB, user, limit, null, filter);
  return conversations.map(({ conversation_id: id }) => id.slice("conv-".length));
}

describe("title search", () => {
  test.each([
    ["Quarterly report for Oslo", "REPORT", true],
    ["Quarterly report for Oslo", "port", true],
    ["Quarterly report for Oslo", "oslo  quarterly", true],
    ["Quarterly report for Oslo", "oslo weather", false],
    ["首先查询现在时间然后计算", "现在时间", true],
    ["首先查询现在时间然后计算", "计算　查询", true],
    ["首先查询现在时间然后计算", "昨天", false],
    ["Über Öl", "über", true],
    ["ЖУРНАЛ", "журнал", true],
    ["Журнал", "ЖУРНАЛ", true],
    ["100% done", "100%", true],
    ["100 of it is done", "100%", false],
    ["a_b", "a_b", true],
    ["axb", "a_b", false],
    [String.raw`C:\temp`, String.raw`\TEMP`, true],
    [`it's "quoted"`, `'s "quoted`, true],
    ["anything", " \t ", true],
    ["Stars 🌟 tonight", "🌟", true],
    ["x".repeat(200), "X".repeat(200), true],
    ["现".repeat(60), "现".repeat(60), true],
  ])("in the title %j for %j: found is %j", async (title, text, isThere) => {
    await put("1", 1, title);
    expect(await findIds({ text })).toEqual(isThere ? ["1"] : []);
  });

  test("finds no conversation without a title", async () => {
    await put("1", 1);
    expect(await findIds({ text: "a" })).toEqual([]);
    expect(await findIds({ text: "" })).toEqual(["1"]);
  });

  test("returns pages, newest first, of one user", async () => {
    for (const [i, title] of ["Stars", "Moon", "stars again", "Sun", "more stars"].entries())
      await put(`${i}`, i, title);
    await put("9", 9, "Stars", "eve");
    expect(await findIds({ text: "stars" }, "ada", 2)).toEqual(["4", "2"]);
    const rest = await listConversations(DB, "ada", 2, { at: 2, id: "conv-2" }, { text: "stars" });
    expect(rest.map(({ title }) => title)).toEqual(["Stars"]);
    expect(await findIds({ text: "stars" }, "eve")).toEqual(["9"]);
    expect(await findIds({ text: "stars" }, "nobody")).toEqual([]);
  });
});

describe("filter for conversations that the user started", () => {
  async function putAll(): Promise<void> {
    const parent = await put("1", 1, "Stars");
    const task = {
      conversation_id: "conv-2",
      title: "Stars of a task",
      agent_name: "assistant",
      created_at: 2,
    } as Task;
    await putConversation(DB, parent, [task]);
    await put("3", 3, "Stars of a plan");
    const instance = { plan_instance_id: "inst-3", plan_id: "stars", plan_version: 1 };
    await putInstance(DB, "ada", { ...instance, conversation_id: "conv-3", created_at: 3 });
  }

  test("excludes conversations of tasks and workflow instances", async () => {
    await putAll();
    expect(await findIds({})).toEqual(["3", "2", "1"]);
    expect(await findIds({ isTop: false })).toEqual(["3", "2", "1"]);
    expect(await findIds({ isTop: true })).toEqual(["1"]);
    expect(await findIds({ isTop: true, text: "stars" })).toEqual(["1"]);
    expect(await findIds({ isTop: true, text: "plan" })).toEqual([]);
  });

  test("[U1] is independent of other users' instances", async () => {
    await putAll();
    await put("3", 3, "Mine", "eve");
    expect(await findIds({ isTop: true }, "eve")).toEqual(["3"]);
  });

  test("returns full pages although other conversations lie in between", async () => {
    const parent = await put("0", 0);
    const tasks = Array.from({ length: 30 }, (_, i) => ({ conversation_id: `conv-t${i}`, title: "t", created_at: i }));
    await putConversation(DB, { ...parent, updated_at: 5 }, tasks as Task[]);
    for (let i = 1; i <= 4; i += 1) await put(`${i}`, i);
    expect(await findIds({ isTop: true }, "ada", 3)).toEqual(["0", "4", "3"]);
  });
});

test("[S3] a queued write of a reset conversation does not list it again after its deletion", async () => {
  const [started, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const bind = () => ({ run: () => (started.resolve(), written.promise) });
  const slow = { prepare: () => ({ bind }) } as unknown as D1Database;
  const before = putConversationBatched(slow, createInfo("1", 1));
  await started.promise;
  const next = putConversationBatched(DB, createInfo("3", 3));
  const reset = LIBRARY.getByName("conversations-reset");
  await runInDurableObject(reset, () => void putConversationBatched(DB, createInfo("2", 2)));
  await runInDurableObject(reset, (_, state) => state.abort("The object is reset")).catch(() => undefined);
  const removed = removeConversation(DB, "ada", "conv-2");
  await new Promise((resolve) => setTimeout(resolve, 100));
  written.resolve();
  await Promise.all([before, next, removed]);
  expect(await findIds({})).toEqual(["3"]);
});
