// A runtime with a scripted model, an agent that asks back and one whose tools need leave, for people who speak AG-UI.

import { expect } from "vitest";
import { getItemText, type Item } from "../../../src/protocol/wire/items.ts";
import type { Plan } from "../../../src/protocol/plans/task-plan.ts";
import { startA2AAgent } from "../../support/a2a-agent.ts";
import { curiously } from "../../support/asking.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { personAt, type Person } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import type { AgUiClient } from "./agui-client.ts";

export type Stage = {
  readonly model: ModelServer;
  readonly runtime: Runtime;
  readonly person: Person;
  itemsOf(agent: AgUiClient): Promise<Item[]>;
  /** What the client has of the conversation is what the conversation has: texts, calls and the state of its plans. */
  agrees(agent: AgUiClient): Promise<void>;
  stop(): Promise<void>;
};

export async function startStage(): Promise<Stage> {
  const model = await startModelServer();
  const curious = await startA2AAgent("curious", "1.0", curiously);
  const runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" },
    ...withGuestbook(),
  });
  const person = personAt(runtime.url);
  expect((await person.request("POST", "/api/v1/agents", { url: curious.url })).status).toBe(201);
  const read = <T>({ threadId }: AgUiClient, what: string) =>
    person.get<T>(`/api/v1/conversations/${threadId}/${what}`);
  const itemsOf = async (agent: AgUiClient) => (await read<{ items: Item[] }>(agent, "items")).items;
  return {
    model,
    runtime,
    person,
    itemsOf,
    async agrees(agent) {
      sameWords(agent, await itemsOf(agent));
      samePlans(agent, (await read<{ plans: Plan[] }>(agent, "plans")).plans);
    },
    async stop() {
      await runtime.stop();
      await Promise.all([curious.close(), model.close()]);
    },
  };
}

function sameWords({ messages }: AgUiClient, items: readonly Item[]): void {
  const texts = (kinds: RegExp) =>
    items
      .filter(({ event, payload }) => kinds.test(event) && payload["content"] !== "")
      .map((item) => getItemText(item));
  const said = (wanted: string) =>
    messages.filter(({ role, toolCalls }) => role === wanted && toolCalls === undefined).map(({ content }) => content);
  expect(said("assistant")).toEqual(texts(/^(message_chunk|task_waiting|plan_require_user_input)$/));
  expect(said("reasoning")).toEqual(texts(/^reasoning$/));
  const calls = items.filter(({ event }) => event.startsWith("tool_call")).map(({ item_id }) => item_id);
  expect(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).toEqual(calls);
  expect(messages.flatMap(({ toolCallId = [] }) => toolCallId).toSorted()).toEqual(calls.toSorted());
}

function samePlans({ state }: AgUiClient, plans: readonly Plan[]): void {
  const shown = state["orrery"] as { thread_id: string; plans: { tasks: object[] }[] };
  const tasks = plans.filter(({ thread_id }) => thread_id === shown.thread_id).flatMap((plan) => plan.tasks);
  expect(shown.plans.flatMap((plan) => plan.tasks)).toEqual(
    tasks.map(({ task_id, title, agent_name, depends_on, status, error }) => {
      return { task_id, title, agent_name, depends_on, status, ...(error === undefined ? {} : { error }) };
    }),
  );
}
