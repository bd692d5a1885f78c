import { describe, expect, test } from "vitest";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { getEvents, answerWith, type Script } from "../../support/scripted-ports.ts";
import { createOnboarding, createOnboardingAgents, SUBJECT, type ToolCalls } from "./onboarding.ts";
import { getInstance, runTestInstance, toolAgent } from "./instance-fixture.ts";

const createVerifier = (tool: string, verified = true): Script =>
  toolAgent(tool, () => ({ success: verified, verified }));

/** Runs the onboarding example, whose agents verify their work with the scripts that `getVerifier` returns. */
async function runVerified(getVerifier: (agent: string) => Script, message = "Start", language?: string) {
  const calls: ToolCalls = [];
  const requests: AgentRequest[] = [];
  const agents = Object.entries(createOnboardingAgents(calls)).map(([name, action]): [string, Script] => {
    const verify: Script = (request, signal) => {
      requests.push(request);
      return getVerifier(name)(request, signal);
    };
    return [name, (request, signal) => (request.metadata.scope === "read_only" ? verify : action)(request, signal)];
  });
  const turn = { request: { message, ...(language === undefined ? {} : { language }) } };
  const scenario = { template: createOnboarding(), agents: Object.fromEntries(agents), context: SUBJECT, verify: true };
  return { ...(await runTestInstance({ ...scenario, turn })), calls, requests };
}

describe("verification of an instance", () => {
  test("[F127, F131, F132] runs after the main task, asks each agent and repeats no action", async () => {
    const tools = new Map([
      ["hr", "query_profile"],
      ["access", "query_access"],
      ["inventory", "check_outbound_status"],
    ]);
    const { memory, end, calls } = await runVerified((name) => {
      const tool = tools.get(name);
      return tool === undefined ? answerWith("I have nothing to look with.") : createVerifier(tool);
    });
    expect(end.status).toBe("completed");
    expect(calls).toHaveLength(5);
    const instance = getInstance(memory);
    expect([instance.status, instance.tasks[0]?.status]).toEqual(["done", "Done"]);
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
  });

  test.each([
    ["en-GB", "Please verify", "tasks verified"],
    ["zh-CN", "请验证", "项任务"],
  ])("uses the language of the start request, not of the template name: %s", async (language, question, summary) => {
    const { memory, requests } = await runVerified(() => createVerifier("look"), "新员工入职 · 张威", language);
    expect(requests[0]?.query).toContain(question);
    expect(getEvents({ memory }, "verification_completed")[0]?.payload.summary).toContain(summary);
  });

  test("[F129] passes the results of the task and the context of the subject", async () => {
    const { requests } = await runVerified(() => createVerifier("look"));
    const request = requests.find(({ metadata }) => metadata.current_context?.["task_id"] === "002");
    expect(request?.metadata.current_context).toMatchObject({ ...SUBJECT, emp_id: "WZ001", level: 7 });
    expect(request?.query).toContain(`"level":7`);
    for (const name of ["hr", "access", "it", "inventory", "email"]) expect(request?.query).not.toContain(`${name}_`);
  });

  test("[F136] ends the instance in an error that names the failed agents", async () => {
    const { memory, end } = await runVerified((name) => createVerifier("look", name !== "access"));
    expect(end.status).toBe("failed");
    const instance = getInstance(memory);
    expect([instance.status, instance.error]).toEqual(["error", "The verification failed: access (005 门禁申请)."]);
  });
});
