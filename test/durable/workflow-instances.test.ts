// Workflow instances in the Conversation object: evictions, listener code, and workflows as agents of conversations and
// schedules.

import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { addTemplate, setTemplateStatus } from "../../src/directory/template-directory.ts";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import { createCodeRunner, findCodeProblem } from "../../src/durable/conversation/listener-code.ts";
import { formatInstanceTitle } from "../../src/durable/conversation/instance-start.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";
import type { WorkflowInstanceDetails } from "../../src/protocol/workflows/workflow-instance.ts";
import {
  workflowConfigSchema,
  type WorkflowConfigInput,
  type WorkflowTemplate,
} from "../../src/protocol/workflows/workflow-template.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { DB, LOADER, openConversation, queryStorage, send, waitForDone, waitUntil } from "./support.ts";

const ID_REUSED = { code: "unprocessable", field: "id" };
const NAMES = { plan_id: "welcome", main_task_id: "001" };

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

function createTemplate(changes: Partial<WorkflowConfigInput> = {}): WorkflowTemplate {
  const config = workflowConfigSchema.parse(createTemplateConfig(changes));
  return { ...config, ...NAMES, version: 3, status: "released", created_at: 1, updated_at: 1 };
}

const createStart = (
  context: WorkflowInstanceDetails["tasks"][number]["context"],
  changes: Partial<WorkflowConfigInput> = {},
) => ({
  template: createTemplate(changes),
  context,
  verify: false,
});

function waitForInstance(
  api: ConversationApi,
  matches: (instance: WorkflowInstanceDetails) => boolean,
): Promise<WorkflowInstanceDetails> {
  return waitUntil(async () => {
    const instance = unwrapResult(await api.instance());
    expect(matches(instance), JSON.stringify(instance)).toBe(true);
    return instance;
  });
}

describe("workflow instance", () => {
  test("[T2] is started once per command; another command gets a conflict", async () => {
    const { api, id } = openConversation();
    const started = unwrapResult(await api.startInstance("c1", createStart({ seats: 2 })));
    expect(started).toMatchObject({ plan_instance_id: deriveId(id, "inst"), plan_version: 3, conversation_id: id });
    expect(
      unwrapResult(await api.startInstance("c1", createStart({ seats: 2 }, { description: "Another version." }))),
    ).toEqual(started);
    expect(await api.startInstance("c1", createStart({ seats: 9 }))).toMatchObject({ failure: ID_REUSED });
    expect(await api.startInstance("c2", createStart({}))).toMatchObject({ ok: false, failure: { code: "conflict" } });
    const other = openConversation();
    unwrapResult(await other.api.create());
    expect(await other.api.startInstance("c1", createStart({}))).toMatchObject({ failure: { code: "conflict" } });
    expect(await other.api.instance()).toMatchObject({ failure: { code: "not_found" } });
  });

  test("stores its start data outside the head, which is written often", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.startInstance("c1", createStart({ seats: 2 })));
    await waitForInstance(api, ({ status }) => status === "done");
    const [row] = await queryStorage<{ body: string }>(stub, `SELECT body FROM head`);
    expect(row?.body).not.toContain("action_prompt");
    expect(JSON.parse(row?.body ?? "")).toMatchObject({ instance: { plan_id: "welcome", end: "ended" }, open: [] });
  });

  test("[I27] is resumed after an eviction while it waits", async () => {
    const { api, stub } = openConversation();
    unwrapResult(await api.startInstance("c1", createStart({})));
    await waitForInstance(api, ({ waiting_for_resume }) => waiting_for_resume);
    await evictDurableObject(stub);
    expect(unwrapResult(await api.instance())).toMatchObject({ waiting_for_resume: true });
    unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect((await waitForInstance(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("10");
  });

  test("[T2] returns the first result for a repeated resume command", async () => {
    const { api } = openConversation();
    const { seq } = unwrapResult(await api.startInstance("c1", createStart({})));
    await waitForInstance(api, ({ waiting_for_resume }) => waiting_for_resume);
    const resumed = unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect(resumed.seq).toBeGreaterThan(seq);
    expect(unwrapResult(await api.instance()).waiting_for_resume).toBe(false);
    expect(unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }))).toEqual(resumed);
    await waitForInstance(api, ({ status }) => status === "done");
    expect(unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }))).toEqual(resumed);
    expect(await api.resumeInstance("c2", { context: {} })).toMatchObject({ failure: ID_REUSED });
  });

  test("takes its values from an answer in its conversation", async () => {
    const { api } = openConversation();
    const listeners = createTemplateConfig().listeners;
    const started = unwrapResult(await api.startInstance("c1", createStart({}, { listeners })));
    const { hold } = await waitForInstance(api, ({ waiting_for_resume }) => waiting_for_resume);
    const reply = {
      message: "here",
      request_id: hold?.request_id ?? "",
      arguments: { context: { "001": { seats: 8 } } },
    };
    expect(unwrapResult(await api.resume("c2", reply))).toMatchObject({ thread_id: started.thread_id });
    expect((await waitForInstance(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("16");
  });

  test("asks in the language of its start request, not of its template name", async () => {
    const { api } = openConversation();
    unwrapResult(await api.startInstance("c1", { ...createStart({}), language: "zh-CN" }));
    await waitForInstance(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(unwrapResult(await api.context()).pending.map(({ prompt }) => prompt)).toEqual(["缺少以下值：001.seats。"]);
  });

  test("has a title made of its template name and the first context values", () => {
    const formatTitle = (context: Record<string, string | number>) => formatInstanceTitle(createStart(context));
    expect(formatTitle({})).toBe("Welcome");
    expect(formatTitle({ a: "张威", b: 7, c: " x\n\ty ", d: "more" })).toBe("Welcome · 张威 · 7 · x y");
    expect(formatTitle({ a: "\u{1F389}".repeat(500) }).isWellFormed()).toBe(true);
  });
});

describe("listener code", () => {
  const { signal } = new AbortController();

  test("returns a value computed from tasks and values", async () => {
    const code = "function run({ tasks, values }) { return { n: values.n + 1, s: tasks['001'].status }; }";
    const input = { tasks: { "001": { status: "Done" } }, values: { n: 1 } };
    expect(await createCodeRunner(LOADER, "ada").run(code, input, signal)).toMatchObject({
      kind: "returned",
      value: { n: 2, s: "Done" },
    });
  });

  test.each([
    ["() => fetch('https://x')", /line 1: .*fetch/],
    ["() => { for (;;); }", /too (many|long|much)|steps/i],
    ["() => { throw new Error('no seats left'); }", /no seats left/],
    ["nonsense {", /line 1/],
  ])("fails with a message: %s", async (code, words) => {
    const end = await createCodeRunner(LOADER, "ada").run(code, { tasks: {}, values: {} }, signal);
    expect(end).toMatchObject({ kind: "failed", message: expect.stringMatching(words) as unknown });
  });

  test("fails with a message if there is no loader, and stops when it is aborted", async () => {
    const input = { tasks: {}, values: {} };
    const end = await createCodeRunner(undefined, "ada").run("() => 1", input, signal);
    expect(end).toMatchObject({ kind: "failed", message: { key: "sandbox.loaderMissing" } });
    await expect(createCodeRunner(LOADER, "ada").run("() => 1", input, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(findCodeProblem("() => 1")).toBeNull();
  });
});

describe("released template as an agent", () => {
  // The directory may receive an instance after its test.
  let user: string;
  beforeEach(() => {
    user = createId("conv");
  });

  async function releaseTemplate(): Promise<void> {
    const { max_retries, ...rest } = workflowConfigSchema.parse(createTemplateConfig());
    await addTemplate(DB, user, { ...rest, max_retries, ...NAMES }, "draft", Date.now());
    await setTemplateStatus(DB, user, "welcome", "released", Date.now());
  }

  const countInstances = () =>
    DB.prepare(`SELECT count(*) AS n FROM plan_instance WHERE user_id = ?`).bind(user).first("n");

  test("cannot be the agent of a listener, because a workflow could run itself", async () => {
    await releaseTemplate();
    const { api } = openConversation(user);
    const [first, last] = createTemplateConfig().listeners;
    const listeners = [{ ...first, agent_id: "welcome" }, last] as WorkflowConfigInput["listeners"];
    unwrapResult(await api.startInstance("c1", createStart({ seats: 2 }, { listeners })));
    const { hold } = await waitForInstance(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(hold?.message).toContain("welcome");
    expect(await countInstances()).toBe(1);
  });

  test("is started as a new instance by each schedule run", async () => {
    await releaseTemplate();
    const { api } = openConversation(user);
    const request = "Every 5 minutes run the Welcome plan that greets somebody new, seats: 6. Yes, confirmed.";
    await send(api, request);
    await waitForDone(api);
    const [task] = unwrapResult(await api.tasks({ status: "scheduled" }));
    expect(task).toMatchObject({ agent_name: "welcome" });
    const taskId = task?.task_id ?? "";
    for (const run of [1, 2]) {
      unwrapResult(await api.runSchedule(`run-${run}`, taskId));
      await waitForDone(api, run + 1);
      const { results } = unwrapResult(await api.runResults(taskId, 10));
      expect(results[0]).toMatchObject({ status: "completed", result: expect.stringContaining("is done.") as unknown });
    }
    await waitUntil(async () => expect(await countInstances()).toBe(2));
  });
});
