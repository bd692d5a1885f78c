// Instances in the object: what outlives a host, what code may do, and plans as agents of conversations and schedules.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { addTemplate, setTemplateStatus } from "../../src/directory/template-directory.ts";
import { formatObjectName, unwrapResult, type ConversationApi } from "../../src/durable/conversation-api.ts";
import { createCodeRunner, findCodeProblem } from "../../src/durable/listener-code.ts";
import { formatInstanceTitle } from "../../src/durable/instance-start.ts";
import type { Env } from "../../src/env.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";
import type { WorkflowInstanceDetails } from "../../src/protocol/workflows/workflow-instance.ts";
import {
  workflowConfigSchema,
  type WorkflowConfigInput,
  type WorkflowTemplate,
} from "../../src/protocol/workflows/workflow-template.ts";
import type { ScheduleRunResultList } from "../../src/protocol/schedules/schedule.ts";
import { smallPlan } from "../support/plans.ts";

const { CONVERSATION, DB, LOADER } = env as unknown as Env;
const NAMES = { plan_id: "welcome", main_task_id: "001" };

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

function templateOf(changes: Partial<WorkflowConfigInput> = {}): WorkflowTemplate {
  const config = workflowConfigSchema.parse(smallPlan(changes));
  return { ...config, ...NAMES, version: 3, status: "released", created_at: 1, updated_at: 1 };
}

function open(id = createId("conv"), user = "ada") {
  const stub = CONVERSATION.getByName(formatObjectName(user, id));
  return { id, stub, api: stub as unknown as ConversationApi };
}

const startWith = (
  context: WorkflowInstanceDetails["tasks"][number]["context"],
  changes: Partial<WorkflowConfigInput> = {},
) => ({
  template: templateOf(changes),
  context,
  verify: false,
});

function until(
  api: ConversationApi,
  isThere: (instance: WorkflowInstanceDetails) => boolean,
): Promise<WorkflowInstanceDetails> {
  return vi.waitFor(
    async () => {
      const instance = unwrapResult(await api.instance());
      expect(isThere(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe("an instance", () => {
  test("[T2] is started once by a command; any other finds its conversation in use", async () => {
    const { api, id } = open();
    const started = unwrapResult(await api.startInstance("c1", startWith({ seats: 2 })));
    expect(started).toMatchObject({ plan_instance_id: deriveId(id, "inst"), plan_version: 3, conversation_id: id });
    expect(unwrapResult(await api.startInstance("c1", startWith({ seats: 9 })))).toEqual(started);
    expect(await api.startInstance("c2", startWith({}))).toMatchObject({ ok: false, failure: { code: "conflict" } });
    const other = open();
    unwrapResult(await other.api.create());
    expect(await other.api.startInstance("c1", startWith({}))).toMatchObject({ failure: { code: "conflict" } });
    expect(await other.api.instance()).toMatchObject({ failure: { code: "not_found" } });
  });

  test("[U1] that was never started is not found and leaves no trace", async () => {
    const { api, stub } = open();
    expect(await api.instance()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.cancelInstance()).toMatchObject({ ok: false, failure: { code: "not_found" } });
    const tables = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`SELECT name FROM sqlite_master WHERE name = 'head'`).toArray(),
    );
    expect(tables).toEqual([]);
  });

  test("keeps what it was started with out of the head, which is written again and again", async () => {
    const { api, stub } = open();
    unwrapResult(await api.startInstance("c1", startWith({ seats: 2 })));
    await until(api, ({ status }) => status === "done");
    const [row] = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec<{ body: string }>(`SELECT body FROM head`).toArray(),
    );
    expect(row?.body).not.toContain("action_prompt");
    expect(JSON.parse(row?.body ?? "")).toMatchObject({ instance: { plan_id: "welcome", end: "ended" }, open: [] });
  });

  test("[I27] that waits sleeps, and is resumed by an object that knows nothing of it", async () => {
    const { api, stub } = open();
    unwrapResult(await api.startInstance("c1", startWith({})));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    await evictDurableObject(stub);
    expect(unwrapResult(await api.instance())).toMatchObject({ waiting_for_resume: true });
    unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect((await until(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("10");
  });

  test("[T2] that is told again to go on says where it was told so first", async () => {
    const { api } = open();
    const { seq } = unwrapResult(await api.startInstance("c1", startWith({})));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    const resumed = unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect(resumed.seq).toBeGreaterThan(seq);
    expect(unwrapResult(await api.instance()).waiting_for_resume).toBe(false);
    expect(unwrapResult(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }))).toEqual(resumed);
    await until(api, ({ status }) => status === "done");
    expect(unwrapResult(await api.resumeInstance("c2", { context: {} }))).toEqual(resumed);
  });

  test("has its values answered in words by whoever talks in its conversation", async () => {
    const { api } = open();
    const listeners = smallPlan().listeners;
    const started = unwrapResult(await api.startInstance("c1", startWith({}, { listeners })));
    const { hold } = await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    const reply = {
      message: "here",
      request_id: hold?.request_id ?? "",
      arguments: { context: { "001": { seats: 8 } } },
    };
    expect(unwrapResult(await api.resume("c2", reply))).toMatchObject({ thread_id: started.thread_id });
    expect((await until(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("16");
  });

  test("asks in the language that it was started in, whatever its template is called in", async () => {
    const { api } = open();
    unwrapResult(await api.startInstance("c1", { ...startWith({}), language: "zh-CN" }));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(unwrapResult(await api.context()).pending.map(({ prompt }) => prompt)).toEqual(["缺少以下值：001.seats."]);
  });

  test("is called after its plan and the first things that are known of its subject", () => {
    const titled = (context: Record<string, string | number>) => formatInstanceTitle(startWith(context));
    expect(titled({})).toBe("Welcome");
    expect(titled({ a: "张威", b: 7, c: " x\n\ty ", d: "more" })).toBe("Welcome · 张威 · 7 · x y");
    expect(titled({ a: "\u{1F389}".repeat(500) }).isWellFormed()).toBe(true);
  });
});

describe("the code of a listener", () => {
  const { signal } = new AbortController();

  test("returns what it makes of tasks and values", async () => {
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
  ])("fails in words: %s", async (code, words) => {
    const end = await createCodeRunner(LOADER, "ada").run(code, { tasks: {}, values: {} }, signal);
    expect(end).toMatchObject({ kind: "failed", message: expect.stringMatching(words) as unknown });
  });

  test("fails in words where there is no loader, and stops when it is told to", async () => {
    const input = { tasks: {}, values: {} };
    const end = await createCodeRunner(undefined, "ada").run("() => 1", input, signal);
    expect(end).toMatchObject({ kind: "failed", message: expect.stringContaining("LOADER") as unknown });
    await expect(createCodeRunner(LOADER, "ada").run("() => 1", input, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(findCodeProblem("() => 1")).toBeNull();
  });
});

describe("a released plan as an agent", () => {
  // The directory may hear of an instance after its test.
  let user: string;
  beforeEach(() => {
    user = createId("conv");
  });

  async function released(): Promise<void> {
    const { max_retries, ...rest } = workflowConfigSchema.parse(smallPlan());
    await addTemplate(DB, user, { ...rest, max_retries, ...NAMES }, "draft", Date.now());
    await setTemplateStatus(DB, user, "welcome", "released", Date.now());
  }

  const textIn = (events: readonly Frame[]) =>
    events.map((frame) => (frame.event === "message_chunk" ? frame.data.payload.content : "")).join("");

  test("takes its values from the words, without a key", async () => {
    await released();
    const { api } = open(undefined, user);
    unwrapResult(await api.send("c1", { message: "Welcome them, seats: 6", agent: "welcome" }, { create: true }));
    await vi.waitFor(
      async () => expect(textIn(unwrapResult(await api.events(0, 1_000)).events)).toContain("“Welcome” is done."),
      { timeout: 15_000, interval: 50 },
    );
  });

  test("is no agent for listeners: a plan that ran plans could run itself", async () => {
    await released();
    const { api } = open(undefined, user);
    const [first, last] = smallPlan().listeners;
    const listeners = [{ ...first, agent_id: "welcome" }, last] as WorkflowConfigInput["listeners"];
    unwrapResult(await api.startInstance("c1", startWith({ seats: 2 }, { listeners })));
    const { hold } = await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(hold?.message).toContain("welcome");
    const count = await DB.prepare(`SELECT count(*) AS n FROM plan_instance WHERE user_id = ?`).bind(user).first("n");
    expect(count).toBe(1);
  });

  test("is run by a schedule: each run is an instance of its own", async () => {
    await released();
    const { api } = open(undefined, user);
    const wish = "Every 5 minutes run the Welcome plan that greets somebody new, seats: 6. Yes, confirmed.";
    unwrapResult(await api.send("c1", { message: wish }, { create: true }));
    const task = await vi.waitFor(
      async () => {
        const [known] = unwrapResult(await api.tasks({ status: "scheduled" }));
        expect(known).toMatchObject({ agent_name: "welcome" });
        return known?.task_id ?? "";
      },
      { timeout: 10_000, interval: 50 },
    );
    for (const run of [1, 2]) {
      unwrapResult(await api.runSchedule(`run-${run}`, task));
      await vi.waitFor(
        async () => {
          const { results } = unwrapResult(await api.runResults(task, 10)) as ScheduleRunResultList;
          expect(results.filter(({ status }) => status === "completed")).toHaveLength(run);
          expect(results[0]?.result).toContain("“Welcome” is done.");
        },
        { timeout: 15_000, interval: 50 },
      );
    }
    const { count } = (await DB.prepare(`SELECT count(*) AS count FROM plan_instance WHERE user_id = ?`)
      .bind(user)
      .first<{ count: number }>()) ?? { count: 0 };
    expect(count).toBe(2);
  });
});
