// The onboarding example as a listener template, and the same template with other ids and names.

import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import type { Script } from "../../support/scripted-ports.ts";
import { codeListener, listener, createTemplate, toolAgent, type TemplateConfigInput } from "./instance-fixture.ts";

export const SUBJECT = { employee_id: "WZ001", name: "张威", department: "工程部", email: "will.zhang@company.com" };

export const ONBOARDING: TemplateConfigInput = {
  plan_id: "onboarding",
  name: "新员工入职",
  main_task_id: "001",
  tasks: [
    { task_id: "001", name: "新员工入职", is_main_task: true },
    { task_id: "002", name: "新员工注册", parent_task_id: "001" },
    { task_id: "003", name: "申请电脑", parent_task_id: "001" },
    { task_id: "004", name: "电脑出库", parent_task_id: "001" },
    { task_id: "005", name: "门禁申请", parent_task_id: "001" },
    { task_id: "006", name: "发送欢迎邮件", parent_task_id: "001" },
    { task_id: "007", name: "签订合同", parent_task_id: "001" },
  ],
  listeners: [
    listener("L001", "001", "Running", "hr", "002", {
      action_prompt: "为 {001.context.name} 建立档案，工号 {001.context.employee_id}，部门 {001.context.department}",
      success_output: {
        task_id: "002",
        status: "Done",
        context: { emp_id: "{{result.emp_id}}", level: "{{result.level}}" },
      },
    }),
    listener("L002", "002", "002.status == Done", "access", "005", {
      action_prompt: "给 {002.context.emp_id}（{002.context.name}）开通门禁",
    }),
    listener("L003", "002", "Done", "it", "003", {
      action_prompt: "为 {002.context.emp_id} 申请电脑，级别 {002.context.level}",
      success_output: { task_id: "003", status: "Done", context: { pc_model: "{{result.pc_model}}" } },
    }),
    listener("L005", "003", "Done", "inventory", "004", { action_prompt: "电脑 {003.context.pc_model} 出库" }),
    listener("L004", "004,005", "004.status == Done && 005.status == Done", "email", "006", {
      action_prompt: "给 {002.context.email} 发送欢迎邮件",
    }),
    codeListener("L007", "006", "Done"),
  ],
};

/** The tool calls, in order. */
export type ToolCalls = { readonly tool: string; readonly query: string; readonly context: unknown }[];

export function createOnboardingAgents(
  calls: ToolCalls,
  names: (name: string) => string = (name) => name,
): Record<string, Script> {
  const createAgent = (tool: string, result: object): Script =>
    toolAgent(tool, (request: AgentRequest) => {
      calls.push({ tool, query: request.query, context: request.metadata.current_context });
      return { success: true, ...result };
    });
  return Object.fromEntries(
    Object.entries({
      hr: createAgent("create_employee_profile", { emp_id: "WZ001", level: 7 }),
      access: createAgent("grant_access", {}),
      it: createAgent("apply_computer", { pc_model: "ThinkPad X1" }),
      inventory: createAgent("outbound", {}),
      email: createAgent("send_email", {}),
    }).map(([name, script]) => [names(name), script]),
  );
}

/** Replaces every id and name of the template. */
export function renameAll(text: string): string {
  return text
    .replaceAll(/\b00(\d)\b/g, "step-$1x")
    .replaceAll(/\bL00(\d)\b/g, "rule_$1")
    .replaceAll(/"(hr|access|it|inventory|email)"/g, '"$1-department"')
    .replaceAll("employee_id", "kennung");
}

export const createOnboarding = () => createTemplate(ONBOARDING);
export const createRenamedOnboarding = () =>
  createTemplate(JSON.parse(renameAll(JSON.stringify(ONBOARDING))) as TemplateConfigInput);
