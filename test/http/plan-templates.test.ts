// The HTTP interface of workflow templates: store, change, release and archive, separately for each user.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowTemplate,
  WorkflowTemplateList,
} from "../../src/protocol/workflows/workflow-template.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { callRoute, assertPresent, callForProblem, type ApiRequest } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const TEMPLATES = "/api/v1/plan-templates";
const WELCOME_PATH = `${TEMPLATES}/welcome`;
const { DB } = env as unknown as { DB: D1Database };

let ada: ApiRequest;
beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
  ada = await authenticateAs("ada");
});

const storeTemplate = (body: object = createTemplateConfig(), user = ada) =>
  callRoute<SavedWorkflowTemplate>("POST", TEMPLATES, { ...user, body });
const [agentListener, codeListener] = createTemplateConfig().listeners.map(assertPresent);
const createWithAgent = (agent_id: string, changes = {}) =>
  createTemplateConfig({
    listeners: [{ ...assertPresent(agentListener), agent_id }, assertPresent(codeListener)],
    ...changes,
  });

describe("[F120] a plan template", () => {
  test("is stored as a draft with defaults and can be read again", async () => {
    const stored = await storeTemplate();
    expect(stored).toMatchObject({ plan_id: "welcome", version: 1, status: "draft", warnings: [], max_retries: 0 });
    const { warnings: _, ...template } = stored;
    expect(await callRoute("GET", WELCOME_PATH, ada)).toEqual(template);
    expect(await callRoute("GET", `${WELCOME_PATH}?version=1`, ada)).toEqual(template);
    expect(await callForProblem("GET", `${WELCOME_PATH}?version=2`, ada)).toMatchObject({ code: "not_found" });
  });

  test("receives a name and a main task where they are missing", async () => {
    const { plan_id: _, main_task_id: __, ...nameless } = createTemplateConfig({ name: "New Hire: Welcome!" });
    expect(await storeTemplate(nameless)).toMatchObject({ plan_id: "new-hire-welcome", main_task_id: "001" });
    expect((await storeTemplate(nameless)).plan_id).toMatch(/^new-hire-welcome-[0-9a-f]{8}$/);
    expect((await storeTemplate({ ...nameless, name: "新员工入职" })).plan_id).toMatch(/^plan-[0-9a-f]{12}$/);
    await storeTemplate();
    expect(await callForProblem("POST", TEMPLATES, { ...ada, body: createTemplateConfig() })).toMatchObject({
      code: "conflict",
      field: "plan_id",
    });
  });

  test("is rejected with the path of each invalid reference", async () => {
    const broken = createTemplateConfig({
      main_task_id: "009",
      listeners: [
        { ...assertPresent(agentListener), trigger_task_id: "007" },
        { ...assertPresent(codeListener), trigger_condition: "002.status ==" },
      ],
    });
    const { status, field, problems, detail } = await callForProblem("POST", TEMPLATES, { ...ada, body: broken });
    expect(status).toBe(422);
    const paths = assertPresent(problems).map(({ path }) => path);
    expect(paths).toContain("main_task_id");
    expect(paths.some((path) => path.startsWith("listeners.0"))).toBe(true);
    expect(paths.some((path) => path.startsWith("listeners.1"))).toBe(true);
    expect(field).toBe(paths[0]);
    for (const { message } of assertPresent(problems)) expect(detail).toContain(message);
    expect((await callRoute<WorkflowTemplateList>("GET", TEMPLATES, ada)).templates).toEqual([]);
  });

  test.each([
    ["surprise", { surprise: 1 }],
    ["tasks.0.promt", { tasks: [{ task_id: "001", name: "Welcome somebody", promt: "Hello" }] }],
    ["listeners.0.retries", { listeners: [{ ...createTemplateConfig().listeners[0], retries: 3 }] }],
    [
      "listeners.0.success_output.contxt",
      {
        listeners: [
          { ...createTemplateConfig().listeners[0], success_output: { task_id: "002", status: "Done", contxt: {} } },
        ],
      },
    ],
  ])("is rejected with the unknown field %s", async (field, changes) => {
    const body = { ...createTemplateConfig(), ...changes };
    const problem = await callForProblem("POST", TEMPLATES, { ...(await authenticateAs("ada")), body });
    expect(problem).toMatchObject({ status: 400, code: "invalid_request", field });
    expect(problem.detail).toContain(field);
  });

  test("may be sent back as it was returned", async () => {
    const stored = await storeTemplate();
    const saved = await callRoute<SavedWorkflowTemplate>("PUT", WELCOME_PATH, { ...ada, body: stored });
    expect(saved).toEqual({ ...stored, version: 2, updated_at: saved.updated_at });
  });

  test("is rejected with the required form of code and with all other problems", async () => {
    const python = "# when all is done\nresult = {'success': True}\nif result:\n    print(result)";
    const { listeners } = createWithAgent("nobody");
    const body = createTemplateConfig({
      listeners: [assertPresent(listeners[0]), { ...assertPresent(codeListener), code_snippet: python }],
    });
    const { problems } = await callForProblem("POST", TEMPLATES, { ...ada, body });
    expect(assertPresent(problems).map(({ path }) => path)).toEqual([
      "listeners.1.code_snippet",
      "listeners.0.agent_id",
    ]);
    expect(assertPresent(problems)[0]?.message).toMatch(/Syntax error.*JavaScript: a function.*Without a code_snippet/);
  });

  test("is rejected with each field of the wrong type", async () => {
    const body = { ...createTemplateConfig(), max_retries: -1, tasks: [] };
    const problem = await callForProblem("POST", TEMPLATES, { ...ada, body });
    expect(problem).toMatchObject({ code: "invalid_request" });
    expect(
      assertPresent(problem.problems)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["max_retries", "tasks"]);
  });

  test("may name unknown agents with a warning as a draft, but not when released", async () => {
    const { warnings } = await storeTemplate(createWithAgent("nobody"));
    expect(warnings).toMatchObject([{ path: "listeners.0.agent_id" }]);
    expect(assertPresent(warnings[0]).message).toContain("nobody");
    const problem = await callForProblem("PATCH", WELCOME_PATH, { ...ada, body: { status: "released" } });
    expect(problem).toMatchObject({ code: "unprocessable", field: "listeners.0.agent_id", problems: warnings });
    const body = createWithAgent("nobody", { plan_id: "other", status: "released" });
    expect(await callForProblem("POST", TEMPLATES, { ...ada, body })).toMatchObject({ code: "unprocessable" });
    await callRoute("PUT", WELCOME_PATH, { ...ada, body: { ...createTemplateConfig(), version: 1 } });
    const released = await callRoute<WorkflowTemplate>("PATCH", WELCOME_PATH, { ...ada, body: { status: "released" } });
    expect(released).toMatchObject({ status: "released", version: 2 });
    const again = { ...ada, body: { ...createWithAgent("nobody"), version: 2 } };
    expect(await callForProblem("PUT", WELCOME_PATH, again)).toMatchObject({ code: "unprocessable" });
  });

  test("may not be released under the name of another agent, nor call other plans", async () => {
    await storeTemplate(createTemplateConfig({ plan_id: "assistant" }));
    const body = { status: "released" };
    expect(await callForProblem("PATCH", `${TEMPLATES}/assistant`, { ...ada, body })).toMatchObject({
      field: "plan_id",
    });
    await storeTemplate();
    await callRoute("PATCH", WELCOME_PATH, { ...ada, body });
    const { warnings } = await storeTemplate(createWithAgent("welcome", { plan_id: "outer" }));
    expect(warnings).toMatchObject([{ path: "listeners.0.agent_id" }]);
  });

  test("is an agent while it is released", async () => {
    const findAgent = async () => {
      const { agents } = await callRoute<{ agents: Agent[] }>("GET", "/api/v1/agents", ada);
      return agents.find(({ name }) => name === "welcome");
    };
    await storeTemplate();
    expect(await findAgent()).toBeUndefined();
    await callRoute("PATCH", WELCOME_PATH, { ...ada, body: { status: "released" } });
    expect(await findAgent()).toMatchObject({ source: "plan", display_name: "Welcome", enabled: true });
    await callRoute("DELETE", WELCOME_PATH, ada);
    expect(await findAgent()).toBeUndefined();
  });

  test("is updated by version, and an outdated update returns the current version", async () => {
    await storeTemplate();
    const changed = { ...createTemplateConfig({ name: "Welcome!" }), version: 1 };
    expect(await callRoute("PUT", WELCOME_PATH, { ...ada, body: changed })).toMatchObject({
      version: 2,
      name: "Welcome!",
    });
    expect(await callForProblem("PUT", WELCOME_PATH, { ...ada, body: changed })).toMatchObject({
      code: "conflict",
      field: "version",
      current_version: 2,
    });
    expect(await callRoute("GET", `${WELCOME_PATH}?version=1`, ada)).toMatchObject({ version: 1, name: "Welcome" });
    const { versions } = await callRoute<{ versions: { version: number }[] }>("GET", `${WELCOME_PATH}/versions`, ada);
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    const renamed = { ...createTemplateConfig({ plan_id: "other" }), version: 2 };
    expect(await callForProblem("PUT", WELCOME_PATH, { ...ada, body: renamed })).toMatchObject({ field: "plan_id" });
  });

  test("is archived by a deletion and can be restored", async () => {
    await storeTemplate();
    expect(await callRoute("DELETE", WELCOME_PATH, ada)).toEqual({ plan_id: "welcome", deleted: true });
    expect((await callRoute<WorkflowTemplateList>("GET", TEMPLATES, ada)).templates).toEqual([]);
    expect(await callRoute("GET", WELCOME_PATH, ada)).toMatchObject({ status: "archived" });
    const body = { ...createTemplateConfig(), version: 1 };
    expect(await callForProblem("PUT", WELCOME_PATH, { ...ada, body })).toMatchObject({ code: "conflict" });
    expect(await callForProblem("POST", `${WELCOME_PATH}/instances`, { ...ada, body: {} })).toMatchObject({
      code: "conflict",
    });
    await callRoute("PATCH", WELCOME_PATH, { ...ada, body: { status: "draft" } });
    expect((await callRoute<WorkflowTemplateList>("GET", `${TEMPLATES}?status=draft`, ada)).templates).toHaveLength(1);
  });

  test("is listed in pages, newest first, and can be searched", async () => {
    for (const plan_id of ["a", "b", "c"])
      await storeTemplate(createTemplateConfig({ plan_id, name: `Plan ${plan_id}` }));
    const first = await callRoute<WorkflowTemplateList>("GET", `${TEMPLATES}?limit=2`, ada);
    const next = await callRoute<WorkflowTemplateList>(
      "GET",
      `${TEMPLATES}?limit=2&cursor=${assertPresent(first.next_cursor)}`,
      ada,
    );
    expect([...first.templates, ...next.templates].map(({ plan_id }) => plan_id)).toEqual(["c", "b", "a"]);
    expect(first.templates[0]).not.toHaveProperty("listeners");
    const found = await callRoute<WorkflowTemplateList>("GET", `${TEMPLATES}?search=plan%20B`, ada);
    expect(found.templates.map(({ plan_id }) => plan_id)).toEqual(["b"]);
  });

  test("is rejected beyond 512 KB or with a context that is nested too deep", async () => {
    const action_prompt = "计".repeat(16_000);
    const many = Array.from({ length: 12 }, (_, i) => ({
      ...assertPresent(agentListener),
      listener_id: `X${i}`,
      action_prompt,
    }));
    const listeners = [...many, assertPresent(codeListener)];
    expect(
      await callForProblem("POST", TEMPLATES, { ...ada, body: createTemplateConfig({ listeners }) }),
    ).toMatchObject({
      status: 413,
    });
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = JSON.stringify(createTemplateConfig()).replace(
      '"status":"Done"',
      `"status":"Done","context":{"x":${deep}}`,
    );
    const problem = await callForProblem("POST", TEMPLATES, { ...ada, body });
    expect(problem).toMatchObject({ code: "invalid_request", field: "listeners.0.success_output.context.x" });
  });
});
