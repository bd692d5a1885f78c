// A shared runtime with a scripted model, an agent that asks questions and one with approvals, for AG-UI clients.

import { expect } from "vitest";
import { getItemText, type Item } from "../../../src/protocol/wire/items.ts";
import type { Plan } from "../../../src/protocol/plans/task-plan.ts";
import { startA2AAgent } from "../../support/a2a-agent.ts";
import { askForCity } from "../../support/question-script.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import type { AgUiClient } from "./agui-client.ts";

export type AgUiSetup = {
  readonly model: ModelServer;
  readonly runtime: SharedRuntime;
  readonly user: ApiUser;
  readItems(agent: AgUiClient): Promise<Item[]>;
  /** Checks that the texts, tool calls and plans of the client equal those of the conversation. */
  expectInSync(agent: AgUiClient): Promise<void>;
  stop(): Promise<void>;
};

export async function startAgUiSetup(): Promise<AgUiSetup> {
  const model = await shareModel();
  const curious = await startA2AAgent("curious", "1.0", askForCity);
  const runtime = await shareRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" },
    ...withGuestbook(),
  });
  const user = createApiUser(runtime.url);
  expect((await user.request("POST", "/api/v1/agents", { url: curious.url })).status).toBe(201);
  const read = <T>({ threadId }: AgUiClient, resource: string) =>
    user.get<T>(`/api/v1/conversations/${threadId}/${resource}`);
  const readItems = async (agent: AgUiClient) => (await read<{ items: Item[] }>(agent, "items")).items;
  return {
    model,
    runtime,
    user,
    readItems,
    async expectInSync(agent) {
      expectSameTexts(agent, await readItems(agent));
      expectSamePlans(agent, (await read<{ plans: Plan[] }>(agent, "plans")).plans);
    },
    stop: () => curious.close(),
  };
}

function expectSameTexts({ messages }: AgUiClient, items: readonly Item[]): void {
  const texts = (kinds: RegExp) =>
    items
      .filter(({ event, payload }) => kinds.test(event) && payload["content"] !== "")
      .map((item) => getItemText(item));
  const listContents = (wantedRole: string) =>
    messages
      .filter(({ role, toolCalls }) => role === wantedRole && toolCalls === undefined)
      .map(({ content }) => content);
  expect(listContents("assistant")).toEqual(texts(/^(message_chunk|task_waiting|plan_require_user_input)$/));
  expect(listContents("reasoning")).toEqual(texts(/^reasoning$/));
  const calls = items.filter(({ event }) => event.startsWith("tool_call")).map(({ item_id }) => item_id);
  expect(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).toEqual(calls);
  expect(messages.flatMap(({ toolCallId = [] }) => toolCallId).toSorted()).toEqual(calls.toSorted());
}

function expectSamePlans({ state }: AgUiClient, plans: readonly Plan[]): void {
  const clientState = state["orrery"] as { thread_id: string; plans: { tasks: object[] }[] };
  const tasks = plans.filter(({ thread_id }) => thread_id === clientState.thread_id).flatMap((plan) => plan.tasks);
  expect(clientState.plans.flatMap((plan) => plan.tasks)).toEqual(
    tasks.map(({ task_id, title, agent_name, depends_on, status, error }) => {
      return { task_id, title, agent_name, depends_on, status, ...(error === undefined ? {} : { error }) };
    }),
  );
}
