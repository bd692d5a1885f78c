// Workflow templates and instances in D1.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { removeConversation } from "../../src/directory/conversation-directory.ts";
import { listInstances, putInstance } from "../../src/directory/instance-directory.ts";
import {
  addTemplate,
  addTemplateVersion,
  listTemplates,
  getPlanTemplate,
  listReleasedTemplates,
  setTemplateStatus,
  listTemplateVersions,
  type IdentifiedPlanConfig,
} from "../../src/directory/template-directory.ts";
import { workflowConfigSchema, type WorkflowConfigInput } from "../../src/protocol/workflows/workflow-template.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";

const { DB } = env as unknown as { DB: D1Database };

function createConfig(plan_id: string, changes: Partial<WorkflowConfigInput> = {}): IdentifiedPlanConfig {
  return { ...workflowConfigSchema.parse(createTemplateConfig(changes)), plan_id, main_task_id: "001" };
}

const addDraft = (user: string, id: string, changes: Partial<WorkflowConfigInput> = {}, at = 1) =>
  addTemplate(DB, user, createConfig(id, changes), "draft", at);
const listIds = async (...args: Parameters<typeof listTemplates> extends [unknown, ...infer Rest] ? Rest : never) =>
  (await listTemplates(DB, ...args)).map(({ plan_id }) => plan_id);

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

describe("workflow templates", () => {
  test("are returned as they were stored", async () => {
    expect(await addDraft("ada", "welcome", { name: '欢迎 \u{1F389} "x"' }, 5)).toBe("added");
    const expected = { ...createConfig("welcome", { name: '欢迎 \u{1F389} "x"' }), version: 1, status: "draft" };
    expect(await getPlanTemplate(DB, "ada", "welcome")).toEqual({ ...expected, created_at: 5, updated_at: 5 });
    expect(await addDraft("ada", "welcome", { name: "Other" }, 6)).toBe("taken");
    expect(await getPlanTemplate(DB, "ada", "welcome")).toMatchObject({ version: 1, created_at: 5 });
  });

  test("[P1] accept one of many concurrent changes that are based on the same version", async () => {
    await addDraft("ada", "welcome");
    const names = Array.from({ length: 8 }, (_, i) => `Welcome ${i}`);
    const results = await Promise.all(
      names.map((name, i) => addTemplateVersion(DB, "ada", createConfig("welcome", { name }), 1, 10 + i)),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const winner = names[results.indexOf(true)];
    const at = 10 + results.indexOf(true);
    expect(await getPlanTemplate(DB, "ada", "welcome")).toMatchObject({ version: 2, name: winner, updated_at: at });
    expect(await getPlanTemplate(DB, "ada", "welcome", 1)).toMatchObject({
      version: 1,
      name: "Welcome",
      updated_at: 1,
    });
    expect(await getPlanTemplate(DB, "ada", "welcome", 3)).toBeNull();
    expect(await listTemplateVersions(DB, "ada", "welcome")).toEqual({
      versions: [
        { version: 2, name: winner, created_at: at },
        { version: 1, name: "Welcome", created_at: 1 },
      ],
    });
  });

  test("cannot be changed when archived, and are then listed only on request", async () => {
    await addDraft("ada", "a", {}, 1);
    await addDraft("ada", "b", { description: "Says GOODBYE" }, 2);
    expect(await setTemplateStatus(DB, "ada", "a", "archived", 3)).toBe(true);
    expect(await addTemplateVersion(DB, "ada", createConfig("a"), 1, 4)).toBe(false);
    expect(await listIds("ada", 10, null)).toEqual(["b"]);
    expect(await listIds("ada", 10, null, { status: "archived" })).toEqual(["a"]);
    expect(await listIds("ada", 10, null, { search: "goodbye" })).toEqual(["b"]);
    expect(await listIds("ada", 10, null, { search: "%" })).toEqual([]);
    expect(await listIds("ada", 10, { at: 2, id: "b" }, { status: "archived" })).toEqual(["a"]);
  });

  test("are agents while they are released", async () => {
    await addDraft("ada", "welcome", { name: "Hello", description: "" });
    expect(await listReleasedTemplates(DB, "ada")).toEqual([]);
    await setTemplateStatus(DB, "ada", "welcome", "released", 2);
    expect(await listReleasedTemplates(DB, "ada")).toMatchObject([
      { name: "welcome", display_name: "Hello", description: "Hello", version: "1.0.0", hidden: false },
    ]);
    expect(await listReleasedTemplates(DB, "eve")).toEqual([]);
    await setTemplateStatus(DB, "ada", "welcome", "draft", 3);
    expect(await listReleasedTemplates(DB, "ada")).toEqual([]);
  });

  test("of 500 KB are stored", async () => {
    const action_prompt = "计".repeat(16_000);
    const [first, second] = createTemplateConfig().listeners;
    const many = Array.from({ length: 10 }, (_, i) => ({ ...first, listener_id: `X${i}`, action_prompt }));
    const listeners = [...many, second] as WorkflowConfigInput["listeners"];
    expect(await addDraft("ada", "large", { listeners })).toBe("added");
    expect((await getPlanTemplate(DB, "ada", "large"))?.listeners[9]?.action_prompt).toBe(action_prompt);
  });
});

describe("workflow instances", () => {
  const createRow = (n: number, plan_id = "welcome") => ({
    plan_instance_id: `inst-${n}`,
    plan_id,
    plan_version: 1,
    conversation_id: `conv-${n}`,
    created_at: n,
  });

  test("are listed newest first, optionally of one template, for their user only", async () => {
    for (const n of [1, 2, 3]) await putInstance(DB, "ada", createRow(n));
    await putInstance(DB, "ada", createRow(4, "other"));
    await putInstance(DB, "ada", { ...createRow(1), plan_version: 9 });
    const listInstanceIds = async (...args: [string, number, { at: number; id: string } | null, string?]) =>
      (await listInstances(DB, ...args)).map(({ plan_instance_id }) => plan_instance_id);
    expect(await listInstanceIds("ada", 10, null)).toEqual(["inst-4", "inst-3", "inst-2", "inst-1"]);
    expect(await listInstanceIds("ada", 2, { at: 3, id: "inst-3" }, "welcome")).toEqual(["inst-2", "inst-1"]);
    expect(await listInstanceIds("ada", 10, null, "other")).toEqual(["inst-4"]);
    expect(await listInstanceIds("eve", 10, null)).toEqual([]);
    expect((await listInstances(DB, "ada", 1, { at: 2, id: "inst-2" }))[0]).toEqual(createRow(1));
  });

  test("store their status and keep a final one", async () => {
    const readFirst = async () => (await listInstances(DB, "ada", 1, null))[0];
    await putInstance(DB, "ada", { ...createRow(1), status: "running" });
    expect(await readFirst()).toEqual({ ...createRow(1), status: "running" });
    await putInstance(DB, "ada", { ...createRow(1), status: "cancelled", ended_at: 9 });
    await putInstance(DB, "ada", { ...createRow(1), status: "running" });
    expect(await readFirst()).toEqual({ ...createRow(1), status: "cancelled", ended_at: 9 });
  });

  test("are deleted with their conversation", async () => {
    await putInstance(DB, "ada", createRow(1));
    await putInstance(DB, "eve", createRow(1));
    await removeConversation(DB, "ada", "conv-1");
    expect(await listInstances(DB, "ada", 10, null)).toEqual([]);
    expect(await listInstances(DB, "eve", 10, null)).toHaveLength(1);
  });
});
