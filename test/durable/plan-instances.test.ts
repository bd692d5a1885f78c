// Instances in the object: what outlives a host, what code may do, and plans as agents of conversations and schedules.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { addTemplate, setTemplateStatus } from "../../src/directory/plan-templates.ts";
import { objectName, valueOf, type ConversationApi } from "../../src/durable/api.ts";
import { codeOf, problemWithCode } from "../../src/durable/code.ts";
import { titleOf } from "../../src/durable/instance-start.ts";
import type { Env } from "../../src/env.ts";
import type { Frame } from "../../src/protocol/events.ts";
import { companion, mint } from "../../src/protocol/ids.ts";
import type { PlanInstance } from "../../src/protocol/plan-instance.ts";
import { planConfigSchema, type PlanInput, type PlanTemplate } from "../../src/protocol/plan-template.ts";
import type { RunResults } from "../../src/protocol/recurring.ts";
import { smallPlan } from "../support/plans.ts";

const { CONVERSATION, DB, LOADER } = env as unknown as Env;
const NAMES = { plan_id: "welcome", main_task_id: "001" };

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

function templateOf(changes: Partial<PlanInput> = {}): PlanTemplate {
  const config = planConfigSchema.parse(smallPlan(changes));
  return { ...config, ...NAMES, version: 3, status: "released", created_at: 1, updated_at: 1 };
}

function open(id = mint("conv"), user = "ada") {
  const stub = CONVERSATION.getByName(objectName(user, id));
  return { id, stub, api: stub as unknown as ConversationApi };
}

const startWith = (context: PlanInstance["tasks"][number]["context"], changes: Partial<PlanInput> = {}) => ({
  template: templateOf(changes),
  context,
  verify: false,
});

function until(api: ConversationApi, isThere: (instance: PlanInstance) => boolean): Promise<PlanInstance> {
  return vi.waitFor(
    async () => {
      const instance = valueOf(await api.instance());
      expect(isThere(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe("an instance", () => {
  test("[T2] is started once by a command; any other finds its conversation in use", async () => {
    const { api, id } = open();
    const started = valueOf(await api.startInstance("c1", startWith({ seats: 2 })));
    expect(started).toMatchObject({ plan_instance_id: companion(id, "inst"), plan_version: 3, conversation_id: id });
    expect(valueOf(await api.startInstance("c1", startWith({ seats: 9 })))).toEqual(started);
    expect(await api.startInstance("c2", startWith({}))).toMatchObject({ ok: false, failure: { code: "conflict" } });
    const other = open();
    valueOf(await other.api.create());
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
    valueOf(await api.startInstance("c1", startWith({ seats: 2 })));
    await until(api, ({ status }) => status === "done");
    const [row] = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec<{ body: string }>(`SELECT body FROM head`).toArray(),
    );
    expect(row?.body).not.toContain("action_prompt");
    expect(JSON.parse(row?.body ?? "")).toMatchObject({ instance: { plan_id: "welcome", end: "ended" }, open: [] });
  });

  test("[I27] that waits sleeps, and is resumed by an object that knows nothing of it", async () => {
    const { api, stub } = open();
    valueOf(await api.startInstance("c1", startWith({})));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    await evictDurableObject(stub);
    expect(valueOf(await api.instance())).toMatchObject({ waiting_for_resume: true });
    valueOf(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect((await until(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("10");
  });

  test("[T2] that is told again to go on says where it was told so first", async () => {
    const { api } = open();
    const { seq } = valueOf(await api.startInstance("c1", startWith({})));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    const resumed = valueOf(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }));
    expect(resumed.seq).toBeGreaterThan(seq);
    expect(valueOf(await api.instance()).waiting_for_resume).toBe(false);
    expect(valueOf(await api.resumeInstance("c2", { context: { "001": { seats: 5 } } }))).toEqual(resumed);
    await until(api, ({ status }) => status === "done");
    expect(valueOf(await api.resumeInstance("c2", { context: {} }))).toEqual(resumed);
  });

  test("has its values answered in words by whoever talks in its conversation", async () => {
    const { api } = open();
    const listeners = smallPlan().listeners;
    const started = valueOf(await api.startInstance("c1", startWith({}, { listeners })));
    const { hold } = await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    const reply = {
      message: "here",
      request_id: hold?.request_id ?? "",
      arguments: { context: { "001": { seats: 8 } } },
    };
    expect(valueOf(await api.resume("c2", reply))).toMatchObject({ thread_id: started.thread_id });
    expect((await until(api, ({ status }) => status === "done")).listeners[0]?.response).toContain("16");
  });

  test("asks in the language that it was started in, whatever its template is called in", async () => {
    const { api } = open();
    valueOf(await api.startInstance("c1", { ...startWith({}), language: "zh-CN" }));
    await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(valueOf(await api.context()).pending.map(({ prompt }) => prompt)).toEqual(["缺少以下值：001.seats."]);
  });

  test("is called after its plan and the first things that are known of its subject", () => {
    const titled = (context: Record<string, string | number>) => titleOf(startWith(context));
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
    expect(await codeOf(LOADER, "ada").run(code, input, signal)).toMatchObject({
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
    const end = await codeOf(LOADER, "ada").run(code, { tasks: {}, values: {} }, signal);
    expect(end).toMatchObject({ kind: "failed", message: expect.stringMatching(words) as unknown });
  });

  test("fails in words where there is no loader, and stops when it is told to", async () => {
    const input = { tasks: {}, values: {} };
    const end = await codeOf(undefined, "ada").run("() => 1", input, signal);
    expect(end).toMatchObject({ kind: "failed", message: expect.stringContaining("LOADER") as unknown });
    await expect(codeOf(LOADER, "ada").run("() => 1", input, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(problemWithCode("() => 1")).toBeNull();
  });
});

describe("a released plan as an agent", () => {
  // The directory may hear of an instance after its test.
  let user: string;
  beforeEach(() => {
    user = mint("conv");
  });

  async function released(): Promise<void> {
    const { max_retries, ...rest } = planConfigSchema.parse(smallPlan());
    await addTemplate(DB, user, { ...rest, max_retries, ...NAMES }, "draft", Date.now());
    await setTemplateStatus(DB, user, "welcome", "released", Date.now());
  }

  const textIn = (events: readonly Frame[]) =>
    events.map((frame) => (frame.event === "message_chunk" ? frame.data.payload.content : "")).join("");

  test("takes its values from the words, without a key", async () => {
    await released();
    const { api } = open(undefined, user);
    valueOf(await api.send("c1", { message: "Welcome them, seats: 6", agent: "welcome" }, { create: true }));
    await vi.waitFor(
      async () => expect(textIn(valueOf(await api.events(0, 1_000)).events)).toContain("“Welcome” is done."),
      { timeout: 15_000, interval: 50 },
    );
  });

  test("is no agent for listeners: a plan that ran plans could run itself", async () => {
    await released();
    const { api } = open(undefined, user);
    const [first, last] = smallPlan().listeners;
    const listeners = [{ ...first, agent_id: "welcome" }, last] as PlanInput["listeners"];
    valueOf(await api.startInstance("c1", startWith({ seats: 2 }, { listeners })));
    const { hold } = await until(api, ({ waiting_for_resume }) => waiting_for_resume);
    expect(hold?.message).toContain("welcome");
    const count = await DB.prepare(`SELECT count(*) AS n FROM plan_instance WHERE user_id = ?`).bind(user).first("n");
    expect(count).toBe(1);
  });

  test("is run by a schedule: each run is an instance of its own", async () => {
    await released();
    const { api } = open(undefined, user);
    const wish = "Every 5 minutes run the Welcome plan that greets somebody new, seats: 6. Yes, confirmed.";
    valueOf(await api.send("c1", { message: wish }, { create: true }));
    const task = await vi.waitFor(
      async () => {
        const [known] = valueOf(await api.tasks({ status: "scheduled" }));
        expect(known).toMatchObject({ agent_name: "welcome" });
        return known?.task_id ?? "";
      },
      { timeout: 10_000, interval: 50 },
    );
    for (const run of [1, 2]) {
      valueOf(await api.runSchedule(`run-${run}`, task));
      await vi.waitFor(
        async () => {
          const { results } = valueOf(await api.runResults(task, 10)) as RunResults;
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
