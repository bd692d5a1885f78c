// One thing of each kind that a user can own, and ids of things that nobody owns.

import { expect } from "vitest";
import { signToken } from "../http/tokens.ts";
import type { A2AAgent } from "../support/a2a-agent.ts";
import type { ApiUser } from "../support/api-user.ts";
import { createHandoffReply } from "../support/model-reply.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { scriptPlan, scriptQuestion, type Setup } from "./setup.ts";

/** Ids by kind. `response` is the thread as OpenAI names it, with one item as `output`. `conversation` waits for an answer to `question` in `thread`; `sub` belongs to `task`. */
export type OwnedIds = {
  readonly [
    Kind in
      | "response"
      | "output"
      | "conversation"
      | "thread"
      | "question"
      | "sub"
      | "task"
      | "schedule"
      | "template"
      | "instance"
      | "dataset"
      | "agent"
  ]: string;
};

/** Valid ids that do not exist. */
export const UNUSED_IDS: OwnedIds = {
  response: `resp_2_${"0".repeat(32)}_conv-${"0".repeat(32)}`,
  output: `msg_0_2_${"0".repeat(32)}_conv-${"0".repeat(32)}`,
  conversation: `conv-${"0".repeat(32)}`,
  thread: `th-${"0".repeat(32)}`,
  question: `req-${"0".repeat(32)}`,
  sub: `conv-${"1".repeat(32)}`,
  task: `task-${"0".repeat(32)}`,
  schedule: `task-${"1".repeat(32)}`,
  template: "nothing",
  instance: `inst-${"0".repeat(32)}`,
  dataset: `data-${"0".repeat(32)}`,
  agent: "nobody",
};

/** Creates one thing of each kind for a user. All of their texts contain `secret`. */
export async function createOwnedData(
  setup: Setup,
  { name, api }: { readonly name: string; readonly api: ApiUser },
  agent: A2AAgent,
): Promise<OwnedIds> {
  const waiting = await api.sendAndWait(`secret ${scriptQuestion(setup, "secret").message}`);
  const { pending } = await api.get<{ pending: { request_id: string }[] }>(
    `/api/v1/conversations/${waiting.conversationId}/context`,
  );
  const planned = await api.sendAndWait(`secret ${scriptPlan(setup, "secret").message}`);
  const { tasks } = await api.get<{ tasks: { task_id: string; conversation_id: string }[] }>(
    `/api/v1/conversations/${planned.conversationId}/tasks`,
  );
  await create(api, "/api/v1/agents", { url: agent.url });
  await create(api, "/api/v1/plan-templates", createTemplateConfig({ plan_id: "secret-plan", name: "A secret plan" }));
  await api.request("PATCH", "/api/v1/plan-templates/secret-plan", { status: "released" });
  const instance = await create(api, "/api/v1/plan-templates/secret-plan/instances", { context: { seats: 3 } });
  return {
    response: `resp_2_${waiting.threadId.slice("th-".length)}_${waiting.conversationId}`,
    output: `msg_0_2_${waiting.threadId.slice("th-".length)}_${waiting.conversationId}`,
    conversation: waiting.conversationId,
    thread: waiting.threadId,
    question: pending[0]?.request_id ?? "",
    sub: tasks[0]?.conversation_id ?? "",
    task: tasks[0]?.task_id ?? "",
    schedule: await createSchedule(setup, api),
    template: "secret-plan",
    instance: instance["plan_instance_id"] ?? "",
    dataset: await createDataset(setup, name),
    agent: agent.name,
  };
}

async function create(api: ApiUser, path: string, body: unknown): Promise<Readonly<Record<string, string>>> {
  const response = await api.request("POST", path, body);
  const text = await response.text();
  expect(response.ok, `${path}: ${text}`).toBe(true);
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

/** Plans an hourly task and confirms it. Resolves with its id. */
async function createSchedule({ model }: Setup, api: ApiUser): Promise<string> {
  const task = { id: "t0", title: "secret", query: "secret", agent_name: "assistant", depends_on: [] };
  const tasks = [{ ...task, pattern: "recurring", schedule_config: { interval_minutes: 60 } }];
  const planner = { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: "It recurs." } }] };
  const mark = model.addScript({ triage: createHandoffReply("needs_planning"), planner });
  const { conversationId } = await api.sendAndWait(`Every hour ${mark}`);
  const headers = { accept: "text/event-stream" };
  const path = `/api/v1/conversations/${conversationId}/resume`;
  await (await api.request("POST", path, { message: "yes" }, headers)).text();
  const created = await api.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  return created.tasks[0]?.task_id ?? "";
}

async function createDataset({ runtime }: Setup, user: string): Promise<string> {
  const response = await fetch(`${runtime.url}/api/v1/datasets?name=secrets`, {
    method: "POST",
    headers: { "content-type": "text/csv", authorization: `Bearer ${await signToken({ sub: user })}` },
    body: "secret,n\na,1\n",
  });
  return ((await response.json()) as { dataset_id: string }).dataset_id;
}
