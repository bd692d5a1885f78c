// Workflow instances over HTTP, with the embedded model and the built-in assistant.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type {
  InstanceList,
  WorkflowInstanceDetails,
  StartedInstance,
} from "../../src/protocol/workflows/workflow-instance.ts";
import type { WorkflowConfigInput } from "../../src/protocol/workflows/workflow-template.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { callRoute, call, assertPresent, readStream, callForProblem, waitForThreads } from "./support.ts";

const { DB } = env as unknown as { DB: D1Database };
const INSTANCES = "/api/v1/plan-instances";

beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
});

async function createTemplate(changes: Partial<WorkflowConfigInput> = {}): Promise<string> {
  const { plan_id } = await callRoute<{ plan_id: string }>("POST", "/api/v1/plan-templates", {
    body: createTemplateConfig(changes),
  });
  return `/api/v1/plan-templates/${plan_id}/instances`;
}

const startInstance = (path: string, body: object = { context: { seats: 12 }, verify: false }, headers = {}) =>
  callRoute<StartedInstance>("POST", path, { body, headers });
const readInstance = (id: string) => callRoute<WorkflowInstanceDetails>("GET", `${INSTANCES}/${id}`);

function waitUntil(
  id: string,
  matches: (instance: WorkflowInstanceDetails) => boolean,
): Promise<WorkflowInstanceDetails> {
  return vi.waitFor(
    async () => {
      const instance = await readInstance(id);
      expect(matches(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 10_000, interval: 20 },
  );
}

const [firstListener, lastListener] = createTemplateConfig().listeners.map(assertPresent);

describe("[F121] a workflow instance", () => {
  test("is a conversation that ends with its main task", async () => {
    const started = await startInstance(await createTemplate());
    expect(started).toMatchObject({ plan_id: "welcome", plan_version: 1, seq: 2 });
    const { plan_instance_id: id, conversation_id } = started;
    expect(conversation_id.slice(5)).toBe(id.slice(5));
    const events = await waitForThreads(conversation_id);
    expect(events.slice(0, 2).map(({ event }) => event)).toEqual(["conversation_started", "thread_started"]);
    const instance = await readInstance(id);
    expect(instance).toMatchObject({ status: "done", waiting_for_resume: false, thread_id: started.thread_id });
    expect(instance.tasks.map(({ status }) => status)).toEqual(["Done", "Done"]);
    expect(instance.listeners.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(instance.listeners[0]?.response).toContain("24");
    expect(await callRoute("GET", `/api/v1/conversations/${conversation_id}`)).toMatchObject({ title: "Welcome · 12" });
  });

  test("is streamed on request", async () => {
    const response = await call("POST", await createTemplate(), {
      body: { context: { seats: 12 }, verify: false },
      headers: { accept: "text/event-stream" },
    });
    const { events, hasEnded } = await readStream(response);
    expect(hasEnded).toBe(true);
    expect(events.at(-1)?.frame.event).toBe("done");
  });

  test("[T2] is started once by a repeated command", async () => {
    const path = await createTemplate();
    const key = { "idempotency-key": "start-1" };
    const body = { context: { seats: 3 } };
    const [one, two] = await Promise.all([startInstance(path, body, key), startInstance(path, body, key)]);
    expect(one).toEqual(two);
    expect(await startInstance(path, { ...body, id: "start-1" })).toEqual(one);
    expect((await startInstance(path, body)).plan_instance_id).not.toBe(one.plan_instance_id);
    await callRoute("DELETE", "/api/v1/plan-templates/welcome");
    expect(await startInstance(path, body, key)).toEqual(one);
  });

  test("keeps the version of its start", async () => {
    const path = await createTemplate();
    const { plan_instance_id: id } = await startInstance(path, { verify: false });
    await waitUntil(id, ({ waiting_for_resume }) => waiting_for_resume);
    await callRoute("PUT", "/api/v1/plan-templates/welcome", {
      body: { ...createTemplateConfig({ name: "Other" }), version: 1 },
    });
    await callRoute("POST", `${INSTANCES}/${id}/resume`, { body: { context: { "001": { seats: 4 } } } });
    expect(await waitUntil(id, ({ status }) => status === "done")).toMatchObject({ plan_version: 1, name: "Welcome" });
  });

  test("[H1] that lacks a value waits for a month and continues once with it", async () => {
    const { plan_instance_id: id, conversation_id } = await startInstance(await createTemplate(), { verify: false });
    const waiting = await waitUntil(id, ({ waiting_for_resume }) => waiting_for_resume);
    expect(assertPresent(waiting.hold).missing).toEqual([{ task_id: "001", name: "seats" }]);
    const { pending } = await callRoute<QuestionContext>("GET", `/api/v1/conversations/${conversation_id}/context`);
    expect(pending).toMatchObject([{ request_id: assertPresent(waiting.hold).request_id }]);
    expect(assertPresent(assertPresent(pending[0]).expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const unknown = { body: { context: { "009": { seats: 2 } } } };
    const problem = await callForProblem("POST", `${INSTANCES}/${id}/resume`, unknown);
    expect(problem).toMatchObject({ status: 422, field: "context.009" });
    const body = { context: { "001": { seats: 21 } } };
    const resumed = await callRoute<StartedInstance>("POST", `${INSTANCES}/${id}/resume`, { body });
    expect(resumed).toMatchObject({ plan_instance_id: id, conversation_id });
    const done = await waitUntil(id, ({ status }) => status === "done");
    expect(done.listeners[0]?.response).toContain("42");
    expect(done.tasks[0]?.context).toMatchObject({ seats: 21 });
    expect(await callForProblem("POST", `${INSTANCES}/${id}/resume`, { body })).toMatchObject({ code: "conflict" });
  });

  test("runs code without network access and uses its result", async () => {
    const code = {
      ...assertPresent(lastListener),
      code_snippet: "({ tasks, values }) => ({ doubled: values.seats * 2, first: tasks['002'].status })",
      success_output: {
        task_id: "001",
        status: "Done",
        context: { out: "{{result.doubled}}", was: "{{result.first}}" },
      },
    };
    const path = await createTemplate({ listeners: [assertPresent(firstListener), code] });
    const { plan_instance_id: id } = await startInstance(path);
    const instance = await waitUntil(id, ({ status }) => status !== "running" && status !== "not_started");
    expect(instance).toMatchObject({ status: "done" });
    expect(instance.tasks[0]?.context).toMatchObject({ out: 24, was: "Done" });
    const bad = { ...code, code_snippet: "() => fetch('https://example.com')" };
    const problem = await callForProblem("POST", "/api/v1/plan-templates", {
      body: createTemplateConfig({ plan_id: "bad", listeners: [assertPresent(firstListener), bad] }),
    });
    expect(problem).toMatchObject({ code: "unprocessable", field: "listeners.1.code_snippet" });
  });

  test("can be cancelled, also while it waits, but not after its end", async () => {
    const { plan_instance_id: id, conversation_id } = await startInstance(await createTemplate(), { verify: false });
    await waitUntil(id, ({ waiting_for_resume }) => waiting_for_resume);
    expect(await callRoute("POST", `${INSTANCES}/${id}/cancel`)).toMatchObject({
      status: "cancelled",
      waiting_for_resume: false,
    });
    await waitForThreads(conversation_id);
    const { status, started_at, ended_at } = await readInstance(id);
    expect(status).toBe("cancelled");
    expect(ended_at).toBeGreaterThanOrEqual(started_at);
    await vi.waitFor(async () => {
      const { instances } = await callRoute<InstanceList>("GET", INSTANCES);
      const listed = instances.find(({ plan_instance_id }) => plan_instance_id === id);
      expect(listed).toMatchObject({ status: "cancelled", ended_at });
    });
    expect(await callForProblem("POST", `${INSTANCES}/${id}/cancel`)).toMatchObject({ code: "conflict" });
    expect(await callForProblem("POST", `${INSTANCES}/${id}/resume`, { body: {} })).toMatchObject({ code: "conflict" });
  });

  test("is listed newest first with the status of its conversation", async () => {
    // Use a separate plan: the directory learns of earlier instances up to 250 ms late.
    const path = await createTemplate({ plan_id: "listed" });
    const ids: string[] = [];
    for (const seats of [1, 2]) {
      const { plan_instance_id, conversation_id } = await startInstance(path, { context: { seats }, verify: false });
      await waitForThreads(conversation_id);
      ids.unshift(plan_instance_id);
    }
    const listInstances = () => callRoute<InstanceList>("GET", `${INSTANCES}?plan_id=listed&limit=2`);
    const { instances, next_cursor } = await vi.waitFor(async () => {
      const page = await listInstances();
      expect(page.instances.map(({ conversation_status }) => conversation_status)).toEqual(["completed", "completed"]);
      expect(page.instances.map(({ status }) => status)).toEqual(["done", "done"]);
      return page;
    });
    expect(instances.map(({ plan_instance_id }) => plan_instance_id)).toEqual(ids);
    expect(instances[0]).toMatchObject({ title: "Welcome · 2", plan_version: 1 });
    const next = await callRoute<InstanceList>(
      "GET",
      `${INSTANCES}?plan_id=listed&cursor=${assertPresent(next_cursor)}`,
    );
    expect(next.instances).toEqual([]);
    expect((await callRoute<InstanceList>("GET", `${INSTANCES}?plan_id=other`)).instances).toEqual([]);
  });

  test("is deleted with its conversation", async () => {
    const { plan_instance_id: id, conversation_id } = await startInstance(await createTemplate());
    await waitForThreads(conversation_id);
    await callRoute("DELETE", `/api/v1/conversations/${conversation_id}`);
    expect(await callForProblem("GET", `${INSTANCES}/${id}`)).toMatchObject({ code: "not_found" });
    await vi.waitFor(async () => expect((await callRoute<InstanceList>("GET", INSTANCES)).instances).toEqual([]));
  });

  test("is not found under the id of another conversation", async () => {
    const { conversation_id } = await callRoute<{ conversation_id: string }>("POST", "/api/v1/conversations", {
      body: {},
    });
    const id = conversation_id.replace("conv-", "inst-");
    expect(await callForProblem("GET", `${INSTANCES}/${id}`)).toMatchObject({ code: "not_found" });
  });

  test.each([
    [{ context: { a: { b: 1 } }, foo: 1 }, "foo"],
    [{ timezone: "Mars/Base" }, "timezone"],
    [{ context: { text: "x".repeat(70_000) } }, "context"],
  ])("is rejected with the field name for %j", async (body, field) => {
    expect(await callForProblem("POST", await createTemplate(), { body })).toMatchObject({
      code: "invalid_request",
      field,
    });
  });
});
