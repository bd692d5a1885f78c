// Plan templates from outside: kept, changed, released and archived, by each user for themselves.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowTemplate,
  WorkflowTemplateList,
} from "../../src/protocol/workflows/workflow-template.ts";
import { smallPlan } from "../support/plans.ts";
import { ask, call, DOWN, must, ORIGIN, refused, type Ask } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const TEMPLATES = "/api/v1/plan-templates";
const MINE = `${TEMPLATES}/welcome`;
const { DB } = env as unknown as { DB: D1Database };

let ada: Ask;
let eve: Ask;
beforeEach(async () => {
  await DB.batch(["plan_template", "plan_version", "plan_instance"].map((name) => DB.prepare(`DELETE FROM ${name}`)));
  [ada, eve] = [await as("ada"), await as("eve")];
});

const keep = (body: object = smallPlan(), user = ada) =>
  ask<SavedWorkflowTemplate>("POST", TEMPLATES, { ...user, body });
const [agentListener, codeListener] = smallPlan().listeners.map(must);
const withAgent = (agent_id: string, changes = {}) =>
  smallPlan({ listeners: [{ ...must(agentListener), agent_id }, must(codeListener)], ...changes });

describe("[F120] plan templates", () => {
  test("are kept as drafts, with the defaults filled in, and come back", async () => {
    const kept = await keep();
    expect(kept).toMatchObject({ plan_id: "welcome", version: 1, status: "draft", warnings: [], max_retries: 0 });
    const { warnings: _, ...template } = kept;
    expect(await ask("GET", MINE, ada)).toEqual(template);
    expect(await ask("GET", `${MINE}?version=1`, ada)).toEqual(template);
    expect(await refused("GET", `${MINE}?version=2`, ada)).toMatchObject({ code: "not_found" });
  });

  test("get a name and a main task where they come without", async () => {
    const { plan_id: _, main_task_id: __, ...nameless } = smallPlan({ name: "New Hire: Welcome!" });
    expect(await keep(nameless)).toMatchObject({ plan_id: "new-hire-welcome", main_task_id: "001" });
    expect((await keep(nameless)).plan_id).toMatch(/^new-hire-welcome-[0-9a-f]{8}$/);
    expect((await keep({ ...nameless, name: "新员工入职" })).plan_id).toMatch(/^plan-[0-9a-f]{12}$/);
    await keep();
    expect(await refused("POST", TEMPLATES, { ...ada, body: smallPlan() })).toMatchObject({
      code: "conflict",
      field: "plan_id",
    });
  });

  test("are refused with every bad reference by its place", async () => {
    const broken = smallPlan({
      main_task_id: "009",
      listeners: [
        { ...must(agentListener), trigger_task_id: "007" },
        { ...must(codeListener), trigger_condition: "002.status ==" },
      ],
    });
    const { status, field, problems, detail } = await refused("POST", TEMPLATES, { ...ada, body: broken });
    expect(status).toBe(422);
    const paths = must(problems).map(({ path }) => path);
    expect(paths).toContain("main_task_id");
    expect(paths.some((path) => path.startsWith("listeners.0"))).toBe(true);
    expect(paths.some((path) => path.startsWith("listeners.1"))).toBe(true);
    expect(field).toBe(paths[0]);
    for (const { message } of must(problems)) expect(detail).toContain(message);
    expect((await ask<WorkflowTemplateList>("GET", TEMPLATES, ada)).templates).toEqual([]);
  });

  test("are told what code has to be, and what else is wrong with them", async () => {
    const python = "# when all is done\nresult = {'success': True}\nif result:\n    print(result)";
    const { listeners } = withAgent("nobody");
    const body = smallPlan({ listeners: [must(listeners[0]), { ...must(codeListener), code_snippet: python }] });
    const { problems } = await refused("POST", TEMPLATES, { ...ada, body });
    expect(must(problems).map(({ path }) => path)).toEqual(["listeners.1.code_snippet", "listeners.0.agent_id"]);
    expect(must(problems)[0]?.message).toMatch(/Syntax error.*JavaScript: a function.*Without a code_snippet/);
  });

  test("are refused with every field that has no right shape", async () => {
    const body = { ...smallPlan(), max_retries: -1, tasks: [] };
    const problem = await refused("POST", TEMPLATES, { ...ada, body });
    expect(problem).toMatchObject({ code: "invalid_request" });
    expect(
      must(problem.problems)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["max_retries", "tasks"]);
  });

  test("may name agents that are not there while they are drafts, and say so; released they may not", async () => {
    const { warnings } = await keep(withAgent("nobody"));
    expect(warnings).toMatchObject([{ path: "listeners.0.agent_id" }]);
    expect(must(warnings[0]).message).toContain("nobody");
    const problem = await refused("PATCH", MINE, { ...ada, body: { status: "released" } });
    expect(problem).toMatchObject({ code: "unprocessable", field: "listeners.0.agent_id", problems: warnings });
    const body = withAgent("nobody", { plan_id: "other", status: "released" });
    expect(await refused("POST", TEMPLATES, { ...ada, body })).toMatchObject({ code: "unprocessable" });
    await ask("PUT", MINE, { ...ada, body: { ...smallPlan(), version: 1 } });
    const released = await ask<WorkflowTemplate>("PATCH", MINE, { ...ada, body: { status: "released" } });
    expect(released).toMatchObject({ status: "released", version: 2 });
    const again = { ...ada, body: { ...withAgent("nobody"), version: 2 } };
    expect(await refused("PUT", MINE, again)).toMatchObject({ code: "unprocessable" });
  });

  test("may not be released under the name of another agent, nor ask plans", async () => {
    await keep(smallPlan({ plan_id: "assistant" }));
    const body = { status: "released" };
    expect(await refused("PATCH", `${TEMPLATES}/assistant`, { ...ada, body })).toMatchObject({ field: "plan_id" });
    await keep();
    await ask("PATCH", MINE, { ...ada, body });
    const { warnings } = await keep(withAgent("welcome", { plan_id: "outer" }));
    expect(warnings).toMatchObject([{ path: "listeners.0.agent_id" }]);
  });

  test("are agents while they are released", async () => {
    const found = async () => {
      const { agents } = await ask<{ agents: Agent[] }>("GET", "/api/v1/agents", ada);
      return agents.find(({ name }) => name === "welcome");
    };
    await keep();
    expect(await found()).toBeUndefined();
    await ask("PATCH", MINE, { ...ada, body: { status: "released" } });
    expect(await found()).toMatchObject({ source: "plan", display_name: "Welcome", enabled: true });
    await ask("DELETE", MINE, ada);
    expect(await found()).toBeUndefined();
  });

  test("change version by version: whoever is late is told the current one", async () => {
    await keep();
    const changed = { ...smallPlan({ name: "Welcome!" }), version: 1 };
    expect(await ask("PUT", MINE, { ...ada, body: changed })).toMatchObject({ version: 2, name: "Welcome!" });
    expect(await refused("PUT", MINE, { ...ada, body: changed })).toMatchObject({
      code: "conflict",
      field: "version",
      current_version: 2,
    });
    expect(await ask("GET", `${MINE}?version=1`, ada)).toMatchObject({ version: 1, name: "Welcome" });
    const { versions } = await ask<{ versions: { version: number }[] }>("GET", `${MINE}/versions`, ada);
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    const renamed = { ...smallPlan({ plan_id: "other" }), version: 2 };
    expect(await refused("PUT", MINE, { ...ada, body: renamed })).toMatchObject({ field: "plan_id" });
  });

  test("are archived when they are deleted, and can be taken up again", async () => {
    await keep();
    expect(await ask("DELETE", MINE, ada)).toEqual({ plan_id: "welcome", deleted: true });
    expect((await ask<WorkflowTemplateList>("GET", TEMPLATES, ada)).templates).toEqual([]);
    expect(await ask("GET", MINE, ada)).toMatchObject({ status: "archived" });
    const body = { ...smallPlan(), version: 1 };
    expect(await refused("PUT", MINE, { ...ada, body })).toMatchObject({ code: "conflict" });
    expect(await refused("POST", `${MINE}/instances`, { ...ada, body: {} })).toMatchObject({ code: "conflict" });
    await ask("PATCH", MINE, { ...ada, body: { status: "draft" } });
    expect((await ask<WorkflowTemplateList>("GET", `${TEMPLATES}?status=draft`, ada)).templates).toHaveLength(1);
  });

  test("are listed in pages, newest first, and searched", async () => {
    for (const plan_id of ["a", "b", "c"]) await keep(smallPlan({ plan_id, name: `Plan ${plan_id}` }));
    const first = await ask<WorkflowTemplateList>("GET", `${TEMPLATES}?limit=2`, ada);
    const next = await ask<WorkflowTemplateList>("GET", `${TEMPLATES}?limit=2&cursor=${must(first.next_cursor)}`, ada);
    expect([...first.templates, ...next.templates].map(({ plan_id }) => plan_id)).toEqual(["c", "b", "a"]);
    expect(first.templates[0]).not.toHaveProperty("listeners");
    const found = await ask<WorkflowTemplateList>("GET", `${TEMPLATES}?search=plan%20B`, ada);
    expect(found.templates.map(({ plan_id }) => plan_id)).toEqual(["b"]);
  });

  test("of more than half a megabyte, and contexts without a bottom, are refused", async () => {
    const action_prompt = "计".repeat(16_000);
    const many = Array.from({ length: 12 }, (_, i) => ({
      ...must(agentListener),
      listener_id: `X${i}`,
      action_prompt,
    }));
    const listeners = [...many, must(codeListener)];
    expect(await refused("POST", TEMPLATES, { ...ada, body: smallPlan({ listeners }) })).toMatchObject({ status: 413 });
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = JSON.stringify(smallPlan()).replace('"status":"Done"', `"status":"Done","context":{"x":${deep}}`);
    const problem = await refused("POST", TEMPLATES, { ...ada, body });
    expect(problem).toMatchObject({ code: "invalid_request", field: "listeners.0.success_output.context.x" });
  });

  test("[U1] of another do not exist: the answer is the one for a template that never was", async () => {
    await keep();
    const started = await ask<{ plan_instance_id: string }>("POST", `${MINE}/instances`, {
      ...ada,
      body: { context: { seats: 2 } },
    });
    const body = { ...smallPlan(), version: 1 };
    const attempts: [string, string, object?][] = [
      ["GET", ""],
      ["GET", "?version=1"],
      ["GET", "/versions"],
      ["PUT", "", body],
      ["PATCH", "", { status: "released" }],
      ["DELETE", ""],
      ["POST", "/instances", {}],
    ];
    for (const [method, rest, given] of attempts) {
      const answers = new Set<string>();
      for (const id of ["welcome", "never", "x".repeat(200), "%00", "a%2Fb"]) {
        const config = given !== undefined && "plan_id" in given ? { ...given, plan_id: undefined } : given;
        const response = await call(method, `${TEMPLATES}/${id}${rest}`, { ...eve, ...(config && { body: config }) });
        expect(response.status, `${method} ${id}${rest}`).toBe(404);
        answers.add(JSON.stringify([[...response.headers], await response.text()]));
      }
      expect(answers.size).toBe(1);
    }
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/resume"],
      ["POST", "/cancel"],
    ] as const) {
      const ids = [started.plan_instance_id, `inst-${"0".repeat(32)}`, "inst-x", "%00"];
      const bodies = method === "POST" && path === "/resume" ? { body: {} } : {};
      const answers = await Promise.all(
        ids.map(async (id) =>
          (await call(method, `/api/v1/plan-instances/${id}${path}`, { ...eve, ...bodies })).text(),
        ),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain("There is no such instance.");
    }
  });

  test("say so when the directory is down", async () => {
    const down = { ...ada, env: { ...BY_SECRET, ...DOWN } };
    expect(await refused("GET", TEMPLATES, down)).toMatchObject({ code: "unavailable" });
  });

  test("are reached by the typed client", async () => {
    const api = createApi({
      url: ORIGIN,
      token: must(must(ada.headers)["authorization"]).replace("Bearer ", ""),
      fetch: (input, init) =>
        call(init?.method ?? "GET", String(input).slice(ORIGIN.length), {
          ...ada,
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: init?.body ?? undefined,
        }),
    });
    await api.createPlanTemplate(smallPlan());
    await expect(api.updatePlanTemplate("welcome", { ...smallPlan(), version: 7 })).rejects.toMatchObject({
      code: "conflict",
      detail: { field: "version", current_version: 1 },
    });
    expect((await api.setPlanTemplateStatus("welcome", "released")).status).toBe("released");
    expect((await api.listPlanTemplates({ search: "greets" })).templates).toHaveLength(1);
    await api.deletePlanTemplate("welcome");
  });
});
