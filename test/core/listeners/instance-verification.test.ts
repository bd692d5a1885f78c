import { describe, expect, test } from "vitest";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { getEvents, answerWith, type Script } from "../../support/scripted-ports.ts";
import { createOnboarding, createOnboardingAgents, SUBJECT, type ToolCalls } from "./onboarding.ts";
import { getInstance, runTestInstance, getStatuses, toolAgent } from "./instance-fixture.ts";

describe("verification of an instance", () => {
  const verificationAgent = (tool: string, isThere: boolean): Script =>
    toolAgent(tool, () => ({ success: isThere, verified: isThere }));
  const splitByScope =
    (action: Script, verification: Script): Script =>
    (request, signal) =>
      (request.metadata.scope === "read_only" ? verification : action)(request, signal);

  test("[F127, F131, F132] runs after the main task, asks each agent and repeats no action", async () => {
    const calls: ToolCalls = [];
    const agents = createOnboardingAgents(calls);
    const verification: Record<string, Script> = {
      hr: verificationAgent("query_profile", true),
      access: verificationAgent("query_access", true),
      inventory: verificationAgent("check_outbound_status", true),
    };
    const all = Object.fromEntries(
      Object.entries(agents).map(([name, action]) => [
        name,
        splitByScope(action, verification[name] ?? answerWith("I have nothing to look with.")),
      ]),
    );
    const { memory, end } = await runTestInstance({
      template: createOnboarding(),
      agents: all,
      context: SUBJECT,
      verify: true,
    });
    expect(end.status).toBe("completed");
    expect(calls).toHaveLength(5);
    const instance = getInstance(memory);
    expect(instance.status).toBe("done");
    expect(instance.verification?.checklist.map(({ agent_id, status }) => [agent_id, status])).toEqual([
      ["hr", "executed_and_verified"],
      ["access", "executed_and_verified"],
      ["it", "executed_but_unverified"],
      ["inventory", "executed_and_verified"],
      ["email", "executed_but_unverified"],
    ]);
    expect(instance.tasks[0]?.context).toMatchObject({ ...SUBJECT, planner_verification: "completed" });
    expect(instance.log.filter(({ type }) => type === "TOOL_CALLED")).toHaveLength(8);
    expect(getEvents({ memory }, "verification_completed")).toHaveLength(1);
    expect(getStatuses(instance)["001"]).toBe("Done");
  });

  test.each([
    ["en-GB", "Please verify", "tasks verified"],
    ["zh-CN", "请验证", "项任务"],
  ])("uses the language of the start request, not of the template name: %s", async (language, question, summary) => {
    const queries: string[] = [];
    const agents = Object.fromEntries(
      Object.entries(createOnboardingAgents([])).map(([name, action]): [string, Script] => [
        name,
        splitByScope(action, (request, signal) => {
          queries.push(request.query);
          return verificationAgent("look", true)(request, signal);
        }),
      ]),
    );
    const turn = { request: { message: "新员工入职 · 张威", language } };
    const scenario = { template: createOnboarding(), agents, context: SUBJECT, verify: true, turn };
    const { memory } = await runTestInstance(scenario);
    expect(queries[0]).toContain(question);
    expect(getEvents({ memory }, "verification_completed")[0]?.payload.summary).toContain(summary);
  });

  test("[F129] passes the results of the task and the context of the subject", async () => {
    const requests: AgentRequest[] = [];
    const agents = Object.fromEntries(
      Object.entries(createOnboardingAgents([])).map(([name, action]): [string, Script] => [
        name,
        splitByScope(action, (request, signal) => {
          requests.push(request);
          return verificationAgent("look", true)(request, signal);
        }),
      ]),
    );
    await runTestInstance({ template: createOnboarding(), agents, context: SUBJECT, verify: true });
    const request = requests.find(({ metadata }) => metadata.current_context?.["task_id"] === "002");
    expect(request?.metadata.current_context).toMatchObject({ ...SUBJECT, emp_id: "WZ001", level: 7 });
    expect(request?.query).toContain(`"level":7`);
    for (const name of Object.keys(agents)) expect(request?.query).not.toContain(`${name}_`);
  });

  test("[F136] ends the instance in an error that names the failed agents", async () => {
    const agents = Object.fromEntries(
      Object.entries(createOnboardingAgents([])).map(([name, action]) => [
        name,
        splitByScope(action, verificationAgent("look", name !== "access")),
      ]),
    );
    const { memory, end } = await runTestInstance({
      template: createOnboarding(),
      agents,
      context: SUBJECT,
      verify: true,
    });
    expect(end.status).toBe("failed");
    const instance = getInstance(memory);
    expect([instance.status, instance.error]).toEqual(["error", "The verification failed: access (005 门禁申请)."]);
  });
});
