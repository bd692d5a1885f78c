// One thing of each kind that a user can own, and ids of things that nobody owns.

import { expect } from "vitest";
import { signToken } from "../http/tokens.ts";
import type { A2AAgent } from "../support/a2a-agent.ts";
import {
  createBlueprint,
  getCompleteEvent,
  readPageEvents,
  replyWithRoute,
  scriptAnalysis,
} from "../support/analysis-script.ts";
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
      | "tool"
      | "page"
      | "link"
      | "analysis"
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
  template: "unused-plan",
  instance: `inst-${"0".repeat(32)}`,
  dataset: `data-${"0".repeat(32)}`,
  agent: "unused-parrot",
  tool: "unused_tool",
  page: `page-${"0".repeat(32)}`,
  link: `link-${"0".repeat(32)}`,
  analysis: `conv-${"2".repeat(32)}`,
};

/** Creates one thing of each kind for a user. All of their texts contain `word`, and so do the ids that users choose. */
export async function createOwnedData(
  setup: Setup,
  { name, api }: { readonly name: string; readonly api: ApiUser },
  agent: A2AAgent,
  word: string,
): Promise<OwnedIds> {
  const template = `${word}-plan`;
  const waiting = await api.sendAndWait(`${word} ${scriptQuestion(setup, word).message}`);
  const { pending } = await api.get<{ pending: { request_id: string }[] }>(
    `/api/v1/conversations/${waiting.conversationId}/context`,
  );
  const planned = await api.sendAndWait(`${word} ${scriptPlan(setup, word).message}`);
  const { tasks } = await api.get<{ tasks: { task_id: string; conversation_id: string }[] }>(
    `/api/v1/conversations/${planned.conversationId}/tasks`,
  );
  await create(api, "/api/v1/agents", { url: agent.url });
  await create(api, "/api/v1/plan-templates", createTemplateConfig({ plan_id: template, name: `A ${word} plan` }));
  await api.request("PATCH", `/api/v1/plan-templates/${template}`, { status: "released" });
  const instance = await create(api, `/api/v1/plan-templates/${template}/instances`, { context: { seats: 3 } });
  return {
    response: `resp_2_${waiting.threadId.slice("th-".length)}_${waiting.conversationId}`,
    output: `msg_0_2_${waiting.threadId.slice("th-".length)}_${waiting.conversationId}`,
    conversation: waiting.conversationId,
    thread: waiting.threadId,
    question: pending[0]?.request_id ?? "",
    sub: tasks[0]?.conversation_id ?? "",
    task: tasks[0]?.task_id ?? "",
    schedule: await createSchedule(setup, api, word),
    template,
    instance: instance["plan_instance_id"] ?? "",
    dataset: await createDataset(setup, name, word),
    agent: agent.name,
    tool: await createTool(setup, api, word),
    ...(await createPage(api, word)),
    analysis: await createAnalysis(setup, api, word),
  };
}

/** Plans a page in a conversation. Resolves with the id of the conversation. */
async function createAnalysis({ model }: Setup, api: ApiUser, word: string): Promise<string> {
  const mark = scriptAnalysis(model, [replyWithRoute("build_workflow")]);
  const body = { message: `How did a-001 go? ${word} ${mark}`, teacherId: "t-001" };
  return (await create(api, "/api/conversation", body))["conversationId"] ?? "";
}

/** Has the toolsmith write a tool. Resolves with its name. */
async function createTool({ model }: Setup, api: ApiUser, word: string): Promise<string> {
  const calls: Readonly<Record<string, object>> = {
    plan_subtasks: { tasks: [{ id: 1, description: word, category: "math" }] },
    choose_tool: { use_existing: false, reason: "None fits." },
    write_tool: {
      name: `${word}_tool`,
      description: `A ${word} tool.`,
      category: "math",
      parameters: {},
      arguments: {},
      code: "function run() { return 42; }",
    },
  };
  const mark = model.addScript({
    "agent:toolsmith": ({ request: { tools } }) => {
      const name = tools?.[0]?.function.name ?? "";
      const args = calls[name];
      return args === undefined ? { text: word } : { calls: [{ name, arguments: args }] };
    },
  });
  await api.sendAndWait(`${word} ${mark}`, { agent: "toolsmith" });
  const { tools } = await api.get<{ tools: { name: string }[] }>("/api/v1/tools");
  return tools[0]?.name ?? "";
}

/** Builds a page from sample data, with a public link. Resolves with their ids. */
async function createPage(api: ApiUser, word: string): Promise<Pick<OwnedIds, "page" | "link">> {
  const blueprint = createBlueprint("");
  const { computeGraph, uiComposition } = blueprint;
  const tabs = uiComposition.tabs.map((tab) => ({ ...tab, slots: tab.slots.filter(({ id }) => id !== "says") }));
  const body = {
    teacherId: "t-001",
    blueprint: {
      ...blueprint,
      id: word,
      name: `A ${word} page`,
      computeGraph: { nodes: computeGraph.nodes.filter(({ id }) => id !== "words") },
      uiComposition: { ...uiComposition, tabs },
    },
  };
  const { pageId = "" } = getCompleteEvent(
    await readPageEvents(await api.request("POST", "/api/page/generate", body)),
  ).result;
  const link = await create(api, `/api/v1/pages/${pageId}/links`, {});
  return { page: pageId, link: link["link_id"] ?? "" };
}

async function create(api: ApiUser, path: string, body: unknown): Promise<Readonly<Record<string, string>>> {
  const response = await api.request("POST", path, body);
  const text = await response.text();
  expect(response.ok, `${path}: ${text}`).toBe(true);
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

/** Plans an hourly task and confirms it. Resolves with its id. */
async function createSchedule({ model }: Setup, api: ApiUser, word: string): Promise<string> {
  const task = { id: "t0", title: word, query: word, agent_name: "assistant", depends_on: [] };
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

async function createDataset({ runtime }: Setup, user: string, word: string): Promise<string> {
  const response = await fetch(`${runtime.url}/api/v1/datasets?name=${word}`, {
    method: "POST",
    headers: { "content-type": "text/csv", authorization: `Bearer ${await signToken({ sub: user })}` },
    body: `${word},n\na,1\n`,
  });
  return ((await response.json()) as { dataset_id: string }).dataset_id;
}
