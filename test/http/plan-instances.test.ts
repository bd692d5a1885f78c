// Instances from outside, with the embedded model and the built-in assistant.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type {
  InstanceList,
  WorkflowInstanceDetails,
  StartedInstance,
} from "../../src/protocol/workflows/workflow-instance.ts";
import type { WorkflowConfigInput } from "../../src/protocol/workflows/workflow-template.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import { smallPlan } from "../support/plans.ts";
import { ask, call, must, readStream, refused, settled } from "./support.ts";

const { DB } = env as unknown as { DB: D1Database };
const INSTANCES = "/api/v1/plan-instances";

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

async function kept(changes: Partial<WorkflowConfigInput> = {}): Promise<string> {
  const { plan_id } = await ask<{ plan_id: string }>("POST", "/api/v1/plan-templates", { body: smallPlan(changes) });
  return `/api/v1/plan-templates/${plan_id}/instances`;
}

const start = (path: string, body: object = { context: { seats: 12 }, verify: false }, headers = {}) =>
  ask<StartedInstance>("POST", path, { body, headers });
const read = (id: string) => ask<WorkflowInstanceDetails>("GET", `${INSTANCES}/${id}`);

function until(id: string, isThere: (instance: WorkflowInstanceDetails) => boolean): Promise<WorkflowInstanceDetails> {
  return vi.waitFor(
    async () => {
      const instance = await read(id);
      expect(isThere(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 10_000, interval: 20 },
  );
}

const [first, last] = smallPlan().listeners.map(must);

describe("[F121] instances", () => {
  test("are conversations, which end with their main task", async () => {
    const started = await start(await kept());
    expect(started).toMatchObject({ plan_id: "welcome", plan_version: 1, seq: 2 });
    const { plan_instance_id: id, conversation_id } = started;
    expect(conversation_id.slice(5)).toBe(id.slice(5));
    const events = await settled(conversation_id);
    expect(events.slice(0, 2).map(({ event }) => event)).toEqual(["conversation_started", "thread_started"]);
    const instance = await read(id);
    expect(instance).toMatchObject({ status: "done", waiting_for_resume: false, thread_id: started.thread_id });
    expect(instance.tasks.map(({ status }) => status)).toEqual(["Done", "Done"]);
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(instance.listeners[0]?.response).toContain("24");
    expect(await ask("GET", `/api/v1/conversations/${conversation_id}`)).toMatchObject({ title: "Welcome · 12" });
  });

  test("are streamed where that is asked for", async () => {
    const response = await call("POST", await kept(), {
      body: { context: { seats: 12 }, verify: false },
      headers: { accept: "text/event-stream" },
    });
    const { events, hasEnded } = await readStream(response);
    expect(hasEnded).toBe(true);
    expect(events.at(-1)?.frame.event).toBe("done");
  });

  test("[T2] are started once by the same command", async () => {
    const path = await kept();
    const key = { "idempotency-key": "start-1" };
    const body = { context: { seats: 3 } };
    const [one, two] = await Promise.all([start(path, body, key), start(path, body, key)]);
    expect(one).toEqual(two);
    expect(await start(path, { ...body, id: "start-1" })).toEqual(one);
    expect((await start(path, body)).plan_instance_id).not.toBe(one.plan_instance_id);
    await ask("DELETE", "/api/v1/plan-templates/welcome");
    expect(await start(path, body, key)).toEqual(one);
  });

  test("keep the version that they began with", async () => {
    const path = await kept();
    const { plan_instance_id: id } = await start(path, { verify: false });
    await until(id, ({ waiting_for_resume }) => waiting_for_resume);
    await ask("PUT", "/api/v1/plan-templates/welcome", { body: { ...smallPlan({ name: "Other" }), version: 1 } });
    await ask("POST", `${INSTANCES}/${id}/resume`, { body: { context: { "001": { seats: 4 } } } });
    expect(await until(id, ({ status }) => status === "done")).toMatchObject({ plan_version: 1, name: "Welcome" });
  });

  test("that lack a value wait for a month, and go on with it", async () => {
    const { plan_instance_id: id, conversation_id } = await start(await kept(), { verify: false });
    const waiting = await until(id, ({ waiting_for_resume }) => waiting_for_resume);
    expect(must(waiting.hold).missing).toEqual([{ task_id: "001", name: "seats" }]);
    const { pending } = await ask<QuestionContext>("GET", `/api/v1/conversations/${conversation_id}/context`);
    expect(pending).toMatchObject([{ request_id: must(waiting.hold).request_id }]);
    expect(must(must(pending[0]).expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const body = { context: { "001": { seats: 21 } } };
    const resumed = await ask<StartedInstance>("POST", `${INSTANCES}/${id}/resume`, { body });
    expect(resumed).toMatchObject({ plan_instance_id: id, conversation_id });
    const done = await until(id, ({ status }) => status === "done");
    expect(done.listeners[0]?.response).toContain("42");
    expect(done.tasks[0]?.context).toMatchObject({ seats: 21 });
    expect(await refused("POST", `${INSTANCES}/${id}/resume`, { body })).toMatchObject({ code: "conflict" });
  });

  test("[T2] [H1] are resumed once by the same command, and by one command alone", async () => {
    const { plan_instance_id: id } = await start(await kept(), { verify: false });
    await until(id, ({ waiting_for_resume }) => waiting_for_resume);
    const body = { id: "resume-1", context: { "001": { seats: 2 } } };
    const resume = () => ask<StartedInstance>("POST", `${INSTANCES}/${id}/resume`, { body });
    const resumed = await resume();
    const other = await refused("POST", `${INSTANCES}/${id}/resume`, { body: { ...body, id: "resume-2" } });
    expect(other.status).toBe(409);
    await until(id, ({ status }) => status === "done");
    expect(await resume()).toMatchObject({ thread_id: resumed.thread_id });
  });

  test("are not resumed with values of a task that is not there", async () => {
    const { plan_instance_id: id } = await start(await kept(), { verify: false });
    await until(id, ({ waiting_for_resume }) => waiting_for_resume);
    const problem = await refused("POST", `${INSTANCES}/${id}/resume`, { body: { context: { "009": { seats: 2 } } } });
    expect(problem).toMatchObject({ status: 422, field: "context.009" });
    await ask("POST", `${INSTANCES}/${id}/resume`, { body: { context: { "001": { seats: 2 } } } });
    await until(id, ({ status }) => status === "done");
  });

  test("run code where nobody else can be reached, and its result is the listener's", async () => {
    const code = {
      ...must(last),
      code_snippet: "({ tasks, values }) => ({ doubled: values.seats * 2, first: tasks['002'].status })",
      success_output: {
        task_id: "001",
        status: "Done",
        context: { out: "{{result.doubled}}", was: "{{result.first}}" },
      },
    };
    const path = await kept({ listeners: [must(first), code] });
    const { plan_instance_id: id } = await start(path);
    const instance = await until(id, ({ status }) => status !== "running" && status !== "not_started");
    expect(instance).toMatchObject({ status: "done" });
    expect(instance.tasks[0]?.context).toMatchObject({ out: 24, was: "Done" });
    const bad = { ...code, code_snippet: "() => fetch('https://example.com')" };
    const problem = await refused("POST", "/api/v1/plan-templates", {
      body: smallPlan({ plan_id: "bad", listeners: [must(first), bad] }),
    });
    expect(problem).toMatchObject({ code: "unprocessable", field: "listeners.1.code_snippet" });
  });

  test("can be cancelled, also while they wait, and only then", async () => {
    const { plan_instance_id: id, conversation_id } = await start(await kept(), { verify: false });
    await until(id, ({ waiting_for_resume }) => waiting_for_resume);
    expect(await ask("POST", `${INSTANCES}/${id}/cancel`)).toMatchObject({
      status: "cancelled",
      waiting_for_resume: false,
    });
    await settled(conversation_id);
    const { status, started_at, ended_at } = await read(id);
    expect(status).toBe("cancelled");
    expect(ended_at).toBeGreaterThanOrEqual(started_at);
    await vi.waitFor(async () => {
      const { instances } = await ask<InstanceList>("GET", INSTANCES);
      const listed = instances.find(({ plan_instance_id }) => plan_instance_id === id);
      expect(listed).toMatchObject({ status: "cancelled", ended_at });
    });
    expect(await refused("POST", `${INSTANCES}/${id}/cancel`)).toMatchObject({ code: "conflict" });
    expect(await refused("POST", `${INSTANCES}/${id}/resume`, { body: {} })).toMatchObject({ code: "conflict" });
  });

  test("are listed newest first, with how their conversations stand", async () => {
    // A plan of its own: the directory hears of earlier instances up to a quarter of a second late.
    const path = await kept({ plan_id: "listed" });
    const ids: string[] = [];
    for (const seats of [1, 2]) {
      const { plan_instance_id, conversation_id } = await start(path, { context: { seats }, verify: false });
      await settled(conversation_id);
      ids.unshift(plan_instance_id);
    }
    const listed = () => ask<InstanceList>("GET", `${INSTANCES}?plan_id=listed&limit=2`);
    const { instances, next_cursor } = await vi.waitFor(async () => {
      const page = await listed();
      expect(page.instances.map(({ conversation_status }) => conversation_status)).toEqual(["completed", "completed"]);
      expect(page.instances.map(({ status }) => status)).toEqual(["done", "done"]);
      return page;
    });
    expect(instances.map(({ plan_instance_id }) => plan_instance_id)).toEqual(ids);
    expect(instances[0]).toMatchObject({ title: "Welcome · 2", plan_version: 1 });
    const next = await ask<InstanceList>("GET", `${INSTANCES}?plan_id=listed&cursor=${must(next_cursor)}`);
    expect(next.instances).toEqual([]);
    expect((await ask<InstanceList>("GET", `${INSTANCES}?plan_id=other`)).instances).toEqual([]);
  });

  test("go with their conversations", async () => {
    const { plan_instance_id: id, conversation_id } = await start(await kept());
    await settled(conversation_id);
    await ask("DELETE", `/api/v1/conversations/${conversation_id}`);
    expect(await refused("GET", `${INSTANCES}/${id}`)).toMatchObject({ code: "not_found" });
    await vi.waitFor(async () => expect((await ask<InstanceList>("GET", INSTANCES)).instances).toEqual([]));
  });

  test("are conversations like others once they are over", async () => {
    const { plan_instance_id: id, conversation_id } = await start(await kept());
    await until(id, ({ status }) => status === "done");
    const message = { message: "What is 3 * 4?" };
    await ask("POST", `/api/v1/conversations/${conversation_id}/messages`, { body: message });
    const events = await settled(conversation_id, 2);
    expect(JSON.stringify(events)).toContain("12");
    expect(await read(id)).toMatchObject({ status: "done" });
  });

  test("a conversation that is none is no instance", async () => {
    const { conversation_id } = await ask<{ conversation_id: string }>("POST", "/api/v1/conversations", { body: {} });
    const id = conversation_id.replace("conv-", "inst-");
    expect(await refused("GET", `${INSTANCES}/${id}`)).toMatchObject({ code: "not_found" });
  });

  test.each([
    [{ context: { a: { b: 1 } }, foo: 1 }, "foo"],
    [{ timezone: "Mars/Base" }, "timezone"],
    [{ context: { text: "x".repeat(70_000) } }, "context"],
  ])("%j is refused, and the field named", async (body, field) => {
    expect(await refused("POST", await kept(), { body })).toMatchObject({ code: "invalid_request", field });
  });
});
