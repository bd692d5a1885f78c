import { describe, expect, test } from "vitest";
import {
  createOnboarding,
  createOnboardingAgents,
  createRenamedOnboarding,
  SUBJECT,
  type ToolCalls,
} from "./onboarding.ts";
import { getInstance, runTestInstance, getStatuses, getView } from "./instance-fixture.ts";

const ORDER = ["create_employee_profile", "grant_access", "apply_computer", "outbound", "send_email"];

describe("onboarding example", () => {
  test("[F121, F122, F123, F124, F125] makes five calls in causal order, sends the mail once and completes the main task", async () => {
    const calls: ToolCalls = [];
    const result = await runTestInstance({
      template: createOnboarding(),
      agents: createOnboardingAgents(calls),
      context: SUBJECT,
    });
    expect(result.end.status).toBe("completed");
    expect(calls.map(({ tool }) => tool)).toEqual(ORDER);
    expect(calls.map(({ query }) => query)).toEqual([
      "为 张威 建立档案，工号 WZ001，部门 工程部",
      "给 WZ001（张威）开通门禁",
      "为 WZ001 申请电脑，级别 7",
      "电脑 ThinkPad X1 出库",
      "给 will.zhang@company.com 发送欢迎邮件",
    ]);
    expect(calls[0]?.context).toEqual(SUBJECT);
    expect(calls[2]?.context).toEqual({ ...SUBJECT, emp_id: "WZ001", level: 7 });
    const instance = getInstance(result.memory);
    expect(instance.status).toBe("done");
    expect(getStatuses(instance)).toEqual({
      "001": "Done",
      "002": "Done",
      "003": "Done",
      "004": "Done",
      "005": "Done",
      "006": "Done",
      "007": "NotStarted",
    });
    expect(instance.tasks[1]?.context).toEqual({ emp_id: "WZ001", level: 7 });
    expect(instance.listeners.map(({ status, attempts }) => [status, attempts])).toEqual(Array(6).fill(["done", 1]));
    expect(result.events.filter((name) => name === "done")).toHaveLength(1);
    expect(result.events.at(-1)).toBe("done");
  });

  test("[F128] runs the same with different ids, names and values", async () => {
    const calls: ToolCalls = [];
    const { employee_id: kennung, ...rest } = SUBJECT;
    const result = await runTestInstance({
      template: createRenamedOnboarding(),
      agents: createOnboardingAgents(calls, (name) => `${name}-department`),
      context: { ...rest, kennung },
    });
    expect(calls.map(({ tool }) => tool)).toEqual(ORDER);
    expect(calls[0]?.query).toBe("为 张威 建立档案，工号 WZ001，部门 工程部");
    const instance = getInstance(result.memory);
    expect([instance.status, instance.main_task_id]).toEqual(["done", "step-1x"]);
    expect(getStatuses(instance)).toMatchObject({ "step-1x": "Done", "step-6x": "Done", "step-7x": "NotStarted" });
  });

  test("[F126, F133] logs events in causal order, even with a constant clock", async () => {
    const calls: ToolCalls = [];
    const { memory } = await runTestInstance({
      template: createOnboarding(),
      agents: createOnboardingAgents(calls),
      context: SUBJECT,
      // The clock does not advance while a Worker computes.
      now: () => 1_000,
    });
    const { log } = getInstance(memory);
    const words = log.map((entry) => {
      if (entry.type === "TASK_STATUS_CHANGE") return `${entry.task_id} ${entry.old_status}→${entry.new_status}`;
      if (entry.type === "TOOL_CALLED") return `${entry.agent_id} ${entry.tool}`;
      return "listener_id" in entry ? `${entry.type} ${entry.listener_id}` : entry.type;
    });
    const at = (word: string): number => words.indexOf(word);
    expect(words[0]).toBe("PLAN_STARTED");
    expect(words.at(-1)).toBe("PLAN_COMPLETED");
    const chain = [
      "001 NotStarted→Running",
      "LISTENER_TRIGGERED L001",
      "hr create_employee_profile",
      "LISTENER_EXECUTED L001",
      "002 NotStarted→Done",
      "LISTENER_TRIGGERED L003",
      "it apply_computer",
      "003 NotStarted→Done",
      "inventory outbound",
      "004 NotStarted→Done",
      "LISTENER_TRIGGERED L004",
      "email send_email",
      "006 NotStarted→Done",
      "LISTENER_TRIGGERED L007",
      "001 Running→Done",
    ];
    expect(chain.map(at)).toEqual(chain.map(at).toSorted((a, b) => a - b));
    expect(chain.map(at)).not.toContain(-1);
    expect(log.filter(({ type }) => type === "TOOL_CALLED")).toHaveLength(5);
  });

  test("shows a plan with one task per agent listener and its dependencies", async () => {
    const { memory } = await runTestInstance({
      template: createOnboarding(),
      agents: createOnboardingAgents([]),
      context: SUBJECT,
    });
    const { plans } = getView(memory);
    const tasks = plans[0]?.tasks ?? [];
    const getListenerId = (id: string) => tasks.find(({ task_id }) => task_id === id)?.metadata["listener_id"];
    expect(
      tasks.map(({ title, agent_name, metadata, status, depends_on }) => [
        title,
        agent_name,
        metadata["listener_id"],
        status,
        depends_on.map(getListenerId),
      ]),
    ).toEqual([
      ["新员工注册", "hr", "L001", "completed", []],
      ["门禁申请", "access", "L002", "completed", ["L001"]],
      ["申请电脑", "it", "L003", "completed", ["L001"]],
      ["电脑出库", "inventory", "L005", "completed", ["L003"]],
      ["发送欢迎邮件", "email", "L004", "completed", ["L005", "L002"]],
    ]);
  });
});
