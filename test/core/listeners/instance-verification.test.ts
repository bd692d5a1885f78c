import { describe, expect, test } from "vitest";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { eventsOf, saying, type Script } from "../../support/scripted.ts";
import { onboarding, onboardingAgents, SUBJECT, type Calls } from "./onboarding.ts";
import { instanceIn, playInstance, statuses, using } from "./playing.ts";

describe("verification", () => {
  const looking = (tool: string, isThere: boolean): Script =>
    using(tool, () => ({ success: isThere, verified: isThere }));
  const both =
    (acts: Script, looks: Script): Script =>
    (request, signal) =>
      (request.metadata.scope === "read_only" ? looks : acts)(request, signal);

  test("[F127, F131, F132] follows the main task, asks each agent, and does nothing again", async () => {
    const calls: Calls = [];
    const agents = onboardingAgents(calls);
    const looks: Record<string, Script> = {
      hr: looking("query_profile", true),
      access: looking("query_access", true),
      inventory: looking("check_outbound_status", true),
    };
    const all = Object.fromEntries(
      Object.entries(agents).map(([name, acts]) => [
        name,
        both(acts, looks[name] ?? saying("I have nothing to look with.")),
      ]),
    );
    const { memory, end } = await playInstance({ template: onboarding(), agents: all, context: SUBJECT, verify: true });
    expect(end.status).toBe("completed");
    expect(calls).toHaveLength(5);
    const instance = instanceIn(memory);
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
    expect(eventsOf({ memory }, "verification_completed")).toHaveLength(1);
    expect(statuses(instance)["001"]).toBe("Done");
  });

  test.each([
    ["en-GB", "Please verify", "tasks verified"],
    ["zh-CN", "请验证", "项任务"],
  ])("speaks the language of whoever started it, whatever the plan is called: %s", async (language, asks, sums) => {
    const queries: string[] = [];
    const agents = Object.fromEntries(
      Object.entries(onboardingAgents([])).map(([name, acts]): [string, Script] => [
        name,
        both(acts, (request, signal) => {
          queries.push(request.query);
          return looking("look", true)(request, signal);
        }),
      ]),
    );
    const turn = { request: { message: "新员工入职 · 张威", language } };
    const world = { template: onboarding(), agents, context: SUBJECT, verify: true, turn };
    const { memory } = await playInstance(world);
    expect(queries[0]).toContain(asks);
    expect(eventsOf({ memory }, "verification_completed")[0]?.payload.summary).toContain(sums);
  });

  test("[F129] tells of the task what came of it, and of the subject what is known", async () => {
    const asked: AgentRequest[] = [];
    const agents = Object.fromEntries(
      Object.entries(onboardingAgents([])).map(([name, acts]): [string, Script] => [
        name,
        both(acts, (request, signal) => {
          asked.push(request);
          return looking("look", true)(request, signal);
        }),
      ]),
    );
    await playInstance({ template: onboarding(), agents, context: SUBJECT, verify: true });
    const request = asked.find(({ metadata }) => metadata.current_context?.["task_id"] === "002");
    expect(request?.metadata.current_context).toMatchObject({ ...SUBJECT, emp_id: "WZ001", level: 7 });
    expect(request?.query).toContain(`"level":7`);
    for (const name of Object.keys(agents)) expect(request?.query).not.toContain(`${name}_`);
  });

  test("[F136] that finds work undone makes the instance an error, and says which", async () => {
    const agents = Object.fromEntries(
      Object.entries(onboardingAgents([])).map(([name, acts]) => [
        name,
        both(acts, looking("look", name !== "access")),
      ]),
    );
    const { memory, end } = await playInstance({ template: onboarding(), agents, context: SUBJECT, verify: true });
    expect(end.status).toBe("failed");
    const instance = instanceIn(memory);
    expect([instance.status, instance.error]).toEqual(["error", "The verification failed: access (005 门禁申请)."]);
  });
});
