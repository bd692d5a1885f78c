// Workflow instances in the running system: followed over a socket, held and resumed, killed, and private to their owner.
// Their agents are two remote agents.

import { SignJWT } from "jose";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../../src/client/api.ts";
import type { WorkflowInstanceDetails, StartedInstance } from "../../../src/protocol/workflows/workflow-instance.ts";
import type { QuestionContext } from "../../../src/protocol/wire/question.ts";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { isDone, connectRecordingClient, type RecordingClient } from "../../support/recording-client.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { ARRIVAL_TEMPLATE } from "../../support/workflow-configs.ts";
import { findViolations, foldVisibleState, toVisibleState } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { pickByLength } from "../../support/run-length.ts";

const SECRET = "a-secret-of-at-least-32-characters!";
const LEASE_MS = 15_000;
/** Kills per segment. A single segment would not survive the kills of two. */
const KILLS = pickByLength(4, 6);

let model: ModelServer;
let clerk: A2AAgent;
let herald: A2AAgent;
let runtime: Runtime;
let token: string;
let ada: ApiUser;
let api: ApiClient;
let listeners: RecordingClient[] = [];
/** Queries that contain this text are not answered while it is set. */
let blockedText: string | null = null;

type StreamPart = string | { readonly ask: string };

async function* streamAnswer(query: string, stop: AbortSignal, answer: string | null): AsyncGenerator<StreamPart> {
  if (query.includes("Quentin") && query.startsWith("Write") && answer === null) {
    yield { ask: "Which room?" };
    return;
  }
  while (blockedText !== null && query.includes(blockedText) && !stop.aborted) await sleep(50);
  if (answer !== null) yield `${answer} it is. `;
  for (const word of `Done with ${query}, word by word, as slowly as such things go.`.split(/(?<= )/)) {
    await sleep(25);
    yield word;
  }
}

beforeAll(async () => {
  model = await startModelServer();
  [clerk, herald] = await Promise.all([
    startA2AAgent("clerk", "1.0", streamAnswer),
    startA2AAgent("herald", "0.3", streamAnswer),
  ]);
  runtime = await startRuntime({
    vars: {
      AUTH_SECRET: SECRET,
      ALLOW_PRIVATE_AGENTS: "1",
      AGENT_IDLE_SECONDS: "3",
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "k",
    },
  });
  token = await signToken("ada");
  ada = createApiUser(runtime.url, token);
  api = createApi({ url: runtime.url, token });
  for (const { url } of [clerk, herald])
    expect((await ada.request("POST", "/api/v1/agents", { url })).status).toBe(201);
  await api.createPlanTemplate({ ...ARRIVAL_TEMPLATE, status: "released" });
});
afterEach(async () => {
  blockedText = null;
  for (const listener of listeners) listener.close();
  listeners = [];
  await runtime.restart();
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([clerk.close(), herald.close(), model.close()]);
});

function signToken(user: string): Promise<string> {
  const jwt = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(user).setExpirationTime("1h");
  return jwt.sign(new TextEncoder().encode(SECRET));
}

function followInstance({ conversation_id: conversationId }: StartedInstance): RecordingClient {
  const listener = connectRecordingClient({ url: runtime.url, token, conversationId });
  listeners.push(listener);
  return listener;
}

function waitForInstance(
  id: string,
  matches: (instance: WorkflowInstanceDetails) => boolean,
): Promise<WorkflowInstanceDetails> {
  return vi.waitFor(
    async () => {
      const instance = await api.planInstance(id);
      expect(matches(instance), JSON.stringify(instance)).toBe(true);
      return instance;
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Counts the requests and the distinct message ids about a guest, for each of the two agents. */
function countRequests(guest: string) {
  return [clerk, herald].map((agent) => {
    const requests = agent.messages.filter(
      ({ query }) => query.startsWith(`Write ${guest}`) || query === `Announce ${guest}`,
    );
    return { times: requests.length, ids: new Set(requests.map(({ messageId }) => messageId)).size };
  });
}

test("[F121] [F122] [F125] a client follows an instance over a socket from start to end", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Will" }, verify: false });
  const listener = followInstance(started);
  await listener.waitFor(isDone(started.thread_id));
  const log = await ada.history(started.conversation_id);
  await listener.waitForSeq(log.at(-1)?.seq ?? 0);
  expect(findViolations(log)).toEqual([]);
  expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
  const [plan] = listener.connection.view.plans;
  expect(plan?.tasks.map(({ agent_name, status }) => [agent_name, status])).toEqual([
    ["clerk", "completed"],
    ["herald", "completed"],
  ]);
  const instance = await api.planInstance(started.plan_instance_id);
  expect(instance).toMatchObject({ status: "done", plan_id: "arrival", plan_version: 1 });
  expect(instance.tasks[0]?.context).toMatchObject({ guest: "Will", welcome: "Welcome, Will" });
  expect(countRequests("Will")).toEqual([
    { times: 1, ids: 1 },
    { times: 1, ids: 1 },
  ]);
});

test("a failing listener holds its instance until it is resumed, and no finished action is repeated", async () => {
  blockedText = "Announce Wanda";
  const started = await api.startPlanInstance("arrival", { context: { guest: "Wanda" }, verify: false });
  const id = started.plan_instance_id;
  const listener = followInstance(started);
  const heldInstance = await waitForInstance(id, ({ waiting_for_resume }) => waiting_for_resume);
  expect(heldInstance).toMatchObject({ status: "error", hold: { failed_listener_id: "L002" } });
  expect(heldInstance.tasks.map(({ status }) => status)).toEqual(["Error", "Done", "Error"]);
  await runtime.kill();
  await runtime.restart();
  expect(await api.planInstance(id)).toMatchObject({ waiting_for_resume: true });
  blockedText = null;
  await api.resumePlanInstance(id);
  await listener.waitFor(isDone(started.thread_id));
  expect(await api.planInstance(id)).toMatchObject({ status: "done", waiting_for_resume: false });
  expect(countRequests("Wanda").map(({ times }) => times)).toEqual([1, 2]);
  expect(findViolations(await ada.history(started.conversation_id))).toEqual([]);
});

test("[T4] an instance continues after repeated kills during each of its actions", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Wim" }, verify: false });
  const listener = followInstance(started);
  const kills = [0, 1].flatMap((agent) => Array.from({ length: KILLS }, (_, i) => ({ agent, times: i + 1 })));
  for (const { agent, times } of kills) {
    await vi.waitFor(() => expect(countRequests("Wim")[agent]?.times).toBe(times), LEASE_MS);
    await sleep(150);
    await runtime.kill();
    await runtime.restart();
  }
  await listener.waitFor(isDone(started.thread_id));
  const log = await ada.history(started.conversation_id);
  await listener.waitForSeq(log.at(-1)?.seq ?? 0);
  expect(findViolations(log)).toEqual([]);
  expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
  expect(filterEvents(log, "task_completed")).toHaveLength(2);
  expect(await api.planInstance(started.plan_instance_id)).toMatchObject({ status: "done" });
  expect(countRequests("Wim")).toEqual([
    { times: KILLS + 1, ids: 1 },
    { times: KILLS + 1, ids: 1 },
  ]);
}, 120_000);

test("a question of an agent in an instance expires after a month, and its answer continues the instance", async () => {
  const started = await api.startPlanInstance("arrival", { context: { guest: "Quentin" }, verify: false });
  const path = `/api/v1/conversations/${started.conversation_id}`;
  const [question] = await vi.waitFor(async () => {
    const { pending: openQuestions } = await ada.get<QuestionContext>(`${path}/context`);
    expect(openQuestions).toMatchObject([{ prompt: "Which room?", agent_name: "clerk" }]);
    return openQuestions;
  }, LEASE_MS);
  expect((question?.expires_at ?? 0) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(await api.planInstance(started.plan_instance_id)).toMatchObject({ waiting_for_resume: false });
  await expect(api.resumePlanInstance(started.plan_instance_id)).rejects.toMatchObject({ code: "conflict" });
  await ada.send("The blue one", { conversation: started.conversation_id });
  const done = await waitForInstance(started.plan_instance_id, ({ status }) => status === "done");
  expect(done.listeners[0]?.response).toContain("The blue one it is.");
});

const createStartCall = (context: object) => ({ calls: [{ name: "start_plan", arguments: { context } }] });

test("a released template is an agent that takes its context from the request and reports the result", async () => {
  const mark = model.addScript({ "agent:arrival": createStartCall({ guest: "Petra" }) });
  const { frames } = await ada.sendAndWait(`Petra arrives ${mark}`, { agent: "arrival" });
  expect(joinText(frames)).toBe(
    [
      "“Arrival” is done.",
      "- Guest book: done",
      "- Announcement: done",
      "",
      "Verification:",
      "- Guest book (clerk): can’t be verified",
      "- Announcement (herald): can’t be verified",
    ].join("\n"),
  );
  expect(countRequests("Petra").map(({ times }) => times)).toEqual([1, 1]);
  const links = filterEvents(frames, "component_generator").filter(
    ({ payload }) => payload.component_type === "plan_instance_link",
  );
  expect(new Set(links.map(({ item_id }) => item_id)).size).toBe(1);
  const link = JSON.parse(links.at(-1)?.payload.content ?? "") as { conversation_id: string; status: string };
  expect(link.status).toBe("done");
  expect(findViolations(await ada.history(link.conversation_id))).toEqual([]);
});

test("a workflow agent asks for missing values and asks how to continue a held instance", async () => {
  blockedText = "Announce Paula";
  const mark = model.addScript({ "agent:arrival": createStartCall({}) });
  const { conversationId } = await ada.sendAndWait(`Somebody arrives ${mark}`, { agent: "arrival" });
  const openQuestions = async () => {
    const context = await ada.get<{ pending: { prompt: string; options?: string[] }[] }>(
      `/api/v1/conversations/${conversationId}/context`,
    );
    return context.pending;
  };
  expect(await openQuestions()).toMatchObject([{ prompt: "To run “Arrival”, provide these values: guest." }]);
  await ada.sendAndWait("Paula", { conversation: conversationId }).catch(() => undefined);
  await vi.waitFor(
    async () => expect(await openQuestions()).toMatchObject([{ options: ["Try again", "Stop"] }]),
    LEASE_MS,
  );
  blockedText = null;
  await ada.send("Try again", { conversation: conversationId });
  await vi.waitFor(async () => {
    expect(joinText(await ada.history(conversationId))).toContain("“Arrival” is done.");
  }, LEASE_MS);
  expect(countRequests("Paula").map(({ times }) => times)).toEqual([1, 2]);
});

test("[T4] a workflow agent finds its instance again after a kill", async () => {
  const mark = model.addScript({ "agent:arrival": createStartCall({ guest: "Pia" }) });
  const { conversation_id: id, thread_id } = await ada.send(`Pia arrives ${mark}`, { agent: "arrival" });
  await vi.waitFor(() => expect(herald.messages.some(({ query }) => query.includes("Pia"))).toBe(true), LEASE_MS);
  await sleep(150);
  await runtime.kill();
  await runtime.restart();
  await vi.waitFor(async () => {
    const log = await ada.history(id);
    expect(log.at(-1)).toMatchObject({ event: "done", data: { thread_id } });
  }, LEASE_MS);
  expect(joinText(await ada.history(id))).toContain("“Arrival” is done.");
  expect(countRequests("Pia").map(({ ids }) => ids)).toEqual([1, 1]);
  const { instances } = await api.listPlanInstances({ plan_id: "arrival" });
  expect(instances.filter(({ title }) => title?.includes("Pia"))).toHaveLength(1);
});

async function expectCancelled(guest: string): Promise<void> {
  await vi.waitFor(async () => {
    const { instances } = await api.listPlanInstances();
    const instance = instances.find(({ title }) => title?.includes(guest));
    expect(await api.planInstance(instance?.plan_instance_id ?? "")).toMatchObject({ status: "cancelled" });
  }, LEASE_MS);
}

test("[T5] cancelling the task of a workflow agent cancels the instance", async () => {
  blockedText = "Write Pablo";
  const mark = model.addScript({ "agent:arrival": createStartCall({ guest: "Pablo" }) });
  const { conversation_id: id } = await ada.send(`Pablo arrives ${mark}`, { agent: "arrival" });
  await vi.waitFor(() => expect(clerk.messages.some(({ query }) => query.includes("Pablo"))).toBe(true), LEASE_MS);
  await ada.request("POST", `/api/v1/conversations/${id}/cancel`, {});
  await expectCancelled("Pablo");
});

test("[T5] cancelling the task of a workflow agent during a question cancels the instance", async () => {
  const mark = model.addScript({ "agent:arrival": createStartCall({ guest: "Quentin the Second" }) });
  const { conversationId: id } = await ada.sendAndWait(`Quentin the Second arrives ${mark}`, { agent: "arrival" });
  const { pending: openQuestions } = await ada.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
  expect(openQuestions).toMatchObject([{ prompt: "Which room?" }]);
  await ada.request("POST", `/api/v1/conversations/${id}/cancel`, {});
  await expectCancelled("the Second");
});
