// Listener plans in the running system: followed over the socket, held and resumed, killed in the middle, and nobody
// else's business. Their agents are two of somebody else's.

import { SignJWT } from "jose";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import type { WorkflowInstanceDetails, StartedInstance } from "../../src/protocol/workflows/workflow-instance.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { isDone, listenTo, type Listener } from "../support/listener.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { ARRIVAL } from "../support/plans.ts";
import { breachesIn, pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";
const LEASE_MS = 15_000;
/** In one leg: those of two legs are more than one would survive. */
const KILLS = 6;

let model: ModelServer;
let clerk: A2AAgent;
let herald: A2AAgent;
let runtime: Runtime;
let token: string;
let ada: Person;
let eve: Person;
let api: ApiClient;
let listeners: Listener[] = [];
/** Queries with this word in them are not answered while it stands. */
let ailing: string | null = null;

type Word = string | { readonly ask: string };

async function* speak(query: string, stop: AbortSignal, answer: string | null): AsyncGenerator<Word> {
  if (query.includes("Quentin") && query.startsWith("Write") && answer === null) {
    yield { ask: "Which room?" };
    return;
  }
  while (ailing !== null && query.includes(ailing) && !stop.aborted) await sleep(50);
  if (answer !== null) yield `${answer} it is. `;
  for (const word of `Done with ${query}, word by word, as slowly as such things go.`.split(/(?<= )/)) {
    await sleep(25);
    yield word;
  }
}

beforeAll(async () => {
  model = await startModelServer();
  [clerk, herald] = await Promise.all([startA2AAgent("clerk", "1.0", speak), startA2AAgent("herald", "0.3", speak)]);
  runtime = await startRuntime({
    vars: {
      AUTH_SECRET: SECRET,
      ALLOW_PRIVATE_AGENTS: "1",
      AGENT_IDLE_SECONDS: "3",
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "k",
    },
  });
  token = await tokenFor("ada");
  ada = personAt(runtime.url, token);
  eve = personAt(runtime.url, await tokenFor("eve"));
  api = createApi({ url: runtime.url, token });
  for (const { url } of [clerk, herald])
    expect((await ada.request("POST", "/api/v1/agents", { url })).status).toBe(201);
  await api.createPlanTemplate({ ...ARRIVAL, status: "released" });
});
afterEach(async () => {
  ailing = null;
  for (const listener of listeners) listener.close();
  listeners = [];
  await runtime.restart();
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([clerk.close(), herald.close(), model.close()]);
});

function tokenFor(user: string): Promise<string> {
  const jwt = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(user).setExpirationTime("1h");
  return jwt.sign(new TextEncoder().encode(SECRET));
}

function follow({ conversation_id: conversationId }: StartedInstance): Listener {
  const listener = listenTo({ url: runtime.url, token, conversationId });
  listeners.push(listener);
  return listener;
}

function until(id: string, isThere: (instance: WorkflowInstanceDetails) => boolean): Promise<WorkflowInstanceDetails> {
  return vi.waitFor(
    async () => {
      const instance = await api.planInstance(id);
      expect(isThere(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** How often each of the two agents was asked about a guest, and under how many message ids. */
function asked(guest: string) {
  return [clerk, herald].map((agent) => {
    const about = agent.asked.filter(
      ({ query }) => query.startsWith(`Write ${guest}`) || query === `Announce ${guest}`,
    );
    return { times: about.length, ids: new Set(about.map(({ messageId }) => messageId)).size };
  });
}

test("[F121] [F122] [F125] an instance is followed over the socket from its start to its end", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Will" }, verify: false });
  const listener = follow(started);
  await listener.until(isDone(started.thread_id));
  const log = await ada.history(started.conversation_id);
  await listener.hasSeen(log.at(-1)?.seq ?? 0);
  expect(breachesIn(log)).toEqual([]);
  expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
  const [plan] = listener.line.view.plans;
  expect(plan?.tasks.map(({ agent_name, status }) => [agent_name, status])).toEqual([
    ["clerk", "completed"],
    ["herald", "completed"],
  ]);
  const instance = await api.planInstance(started.plan_instance_id);
  expect(instance).toMatchObject({ status: "done", plan_id: "arrival", plan_version: 1 });
  expect(instance.tasks[0]?.context).toMatchObject({ guest: "Will", welcome: "Welcome, Will" });
  expect(asked("Will")).toEqual([
    { times: 1, ids: 1 },
    { times: 1, ids: 1 },
  ]);
});

test("a listener that fails holds its instance until it is resumed, and nothing is done twice", async () => {
  ailing = "Announce Wanda";
  const started = await api.startPlanInstance("arrival", { context: { guest: "Wanda" }, verify: false });
  const id = started.plan_instance_id;
  const listener = follow(started);
  const held = await until(id, ({ waiting_for_resume }) => waiting_for_resume);
  expect(held).toMatchObject({ status: "error", hold: { failed_listener_id: "L002" } });
  expect(held.tasks.map(({ status }) => status)).toEqual(["Error", "Done", "Error"]);
  await runtime.kill();
  await runtime.restart();
  expect(await api.planInstance(id)).toMatchObject({ waiting_for_resume: true });
  ailing = null;
  await api.resumePlanInstance(id);
  await listener.until(isDone(started.thread_id));
  expect(await api.planInstance(id)).toMatchObject({ status: "done", waiting_for_resume: false });
  expect(asked("Wanda").map(({ times }) => times)).toEqual([1, 2]);
  expect(breachesIn(await ada.history(started.conversation_id))).toEqual([]);
});

test("[T4] an instance that is killed again and again in each of its legs goes on where it was", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Wim" }, verify: false });
  const listener = follow(started);
  const kills = [0, 1].flatMap((agent) => Array.from({ length: KILLS }, (_, i) => ({ agent, times: i + 1 })));
  for (const { agent, times } of kills) {
    await vi.waitFor(() => expect(asked("Wim")[agent]?.times).toBe(times), LEASE_MS);
    await sleep(150);
    await runtime.kill();
    await runtime.restart();
  }
  await listener.until(isDone(started.thread_id));
  const log = await ada.history(started.conversation_id);
  await listener.hasSeen(log.at(-1)?.seq ?? 0);
  expect(breachesIn(log)).toEqual([]);
  expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
  expect(eventsOf(log, "task_completed")).toHaveLength(2);
  expect(await api.planInstance(started.plan_instance_id)).toMatchObject({ status: "done" });
  expect(asked("Wim")).toEqual([
    { times: KILLS + 1, ids: 1 },
    { times: KILLS + 1, ids: 1 },
  ]);
}, 120_000);

test("a question of an agent waits a month in its instance, and the answer goes on", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Quentin" }, verify: false });
  const path = `/api/v1/conversations/${started.conversation_id}`;
  const [asked] = await vi.waitFor(async () => {
    const { pending } = await ada.get<QuestionContext>(`${path}/context`);
    expect(pending).toMatchObject([{ prompt: "Which room?", agent_name: "clerk" }]);
    return pending;
  }, LEASE_MS);
  expect((asked?.expires_at ?? 0) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(await api.planInstance(started.plan_instance_id)).toMatchObject({ waiting_for_resume: false });
  await expect(api.resumePlanInstance(started.plan_instance_id)).rejects.toMatchObject({ code: "conflict" });
  await ada.tell("The blue one", { in: started.conversation_id });
  const done = await until(started.plan_instance_id, ({ status }) => status === "done");
  expect(done.listeners[0]?.response).toContain("The blue one it is.");
});

test("[U1] somebody else finds neither the plan nor the instance", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Una" }, verify: false });
  const id = started.plan_instance_id;
  const doors: [string, string, object?][] = [
    ["GET", "/api/v1/plan-templates/arrival"],
    ["POST", "/api/v1/plan-templates/arrival/instances", {}],
    ["GET", `/api/v1/plan-instances/${id}`],
    ["POST", `/api/v1/plan-instances/${id}/resume`, {}],
    ["POST", `/api/v1/plan-instances/${id}/cancel`],
    ["GET", `/api/v1/conversations/${started.conversation_id}`],
    ["GET", "/api/v1/agents/arrival"],
  ];
  for (const [method, path, body] of doors) expect((await eve.request(method, path, body)).status, path).toBe(404);
  expect(await eve.get("/api/v1/plan-instances")).toMatchObject({ instances: [] });
  await until(id, ({ status }) => status === "done");
});

const startPlan = (context: object) => ({ calls: [{ name: "start_plan", arguments: { context } }] });

test("a released plan is an agent: it takes its values from the request, and tells how it went", async () => {
  const mark = model.act({ "agent:arrival": startPlan({ guest: "Petra" }) });
  const { frames } = await ada.say(`Petra arrives ${mark}`, { agent: "arrival" });
  expect(textOf(frames)).toBe(
    [
      "“Arrival” is done.",
      "- Guest book: done",
      "- Announcement: done",
      "",
      "Verification:",
      "- Guest book (clerk): cannot be verified",
      "- Announcement (herald): cannot be verified",
    ].join("\n"),
  );
  expect(asked("Petra").map(({ times }) => times)).toEqual([1, 1]);
  const links = eventsOf(frames, "component_generator").filter(
    ({ payload }) => payload.component_type === "plan_instance_link",
  );
  expect(new Set(links.map(({ item_id }) => item_id)).size).toBe(1);
  const link = JSON.parse(links.at(-1)?.payload.content ?? "") as { conversation_id: string; status: string };
  expect(link.status).toBe("done");
  expect(breachesIn(await ada.history(link.conversation_id))).toEqual([]);
});

test("a plan as an agent asks for what is missing, and passes a hold on", async () => {
  ailing = "Announce Paula";
  const mark = model.act({ "agent:arrival": startPlan({}) });
  const { conversationId } = await ada.say(`Somebody arrives ${mark}`, { agent: "arrival" });
  const pending = async () => {
    const context = await ada.get<{ pending: { prompt: string; options?: string[] }[] }>(
      `/api/v1/conversations/${conversationId}/context`,
    );
    return context.pending;
  };
  expect(await pending()).toMatchObject([{ prompt: "To start “Arrival”, please give: guest." }]);
  await ada.say("Paula", { in: conversationId }).catch(() => undefined);
  await vi.waitFor(async () => expect(await pending()).toMatchObject([{ options: ["Try again", "Stop"] }]), LEASE_MS);
  ailing = null;
  await ada.tell("Try again", { in: conversationId });
  await vi.waitFor(async () => {
    expect(textOf(await ada.history(conversationId))).toContain("“Arrival” is done.");
  }, LEASE_MS);
  expect(asked("Paula").map(({ times }) => times)).toEqual([1, 2]);
});

test("[T4] a plan as an agent finds its instance again after a kill", async () => {
  const mark = model.act({ "agent:arrival": startPlan({ guest: "Pia" }) });
  const { conversation_id: id, thread_id } = await ada.tell(`Pia arrives ${mark}`, { agent: "arrival" });
  await vi.waitFor(() => expect(herald.asked.some(({ query }) => query.includes("Pia"))).toBe(true), LEASE_MS);
  await sleep(150);
  await runtime.kill();
  await runtime.restart();
  await vi.waitFor(async () => {
    const log = await ada.history(id);
    expect(log.at(-1)).toMatchObject({ event: "done", data: { thread_id } });
  }, LEASE_MS);
  expect(textOf(await ada.history(id))).toContain("“Arrival” is done.");
  expect(asked("Pia").map(({ ids }) => ids)).toEqual([1, 1]);
  const { instances } = await api.listPlanInstances({ plan_id: "arrival" });
  expect(instances.filter(({ title }) => title?.includes("Pia"))).toHaveLength(1);
});

async function hasCancelled(guest: string): Promise<void> {
  await vi.waitFor(async () => {
    const { instances } = await api.listPlanInstances();
    const mine = instances.find(({ title }) => title?.includes(guest));
    expect(await api.planInstance(mine?.plan_instance_id ?? "")).toMatchObject({ status: "cancelled" });
  }, LEASE_MS);
}

test("[T5] cancelling a plan's task cancels its instance", async () => {
  ailing = "Write Pablo";
  const mark = model.act({ "agent:arrival": startPlan({ guest: "Pablo" }) });
  const { conversation_id: id } = await ada.tell(`Pablo arrives ${mark}`, { agent: "arrival" });
  await vi.waitFor(() => expect(clerk.asked.some(({ query }) => query.includes("Pablo"))).toBe(true), LEASE_MS);
  await ada.request("POST", `/api/v1/conversations/${id}/cancel`, {});
  await hasCancelled("Pablo");
});

test("[T5] cancelling a plan's task while it asks cancels its instance", async () => {
  const mark = model.act({ "agent:arrival": startPlan({ guest: "Quentin the Second" }) });
  const { conversationId: id } = await ada.say(`Quentin the Second arrives ${mark}`, { agent: "arrival" });
  const { pending } = await ada.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
  expect(pending).toMatchObject([{ prompt: "Which room?" }]);
  await ada.request("POST", `/api/v1/conversations/${id}/cancel`, {});
  await hasCancelled("the Second");
});
