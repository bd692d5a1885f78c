// A2A under failures: host crashes, disconnected clients, failing receivers, foreign users.

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listen } from "../../support/net.ts";
import {
  collectEvents,
  readEvents,
  assertPresent,
  startA2ASetup,
  post,
  callRpc,
  createSendParams,
  listTexts,
  type Answer,
  type A2ASetup,
} from "./a2a-setup.ts";

const SECRET = "a secret that is long enough for HS256, at least";
const signToken = (user: string) =>
  new SignJWT({ sub: user }).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET));

let setup: A2ASetup;
let url: string;
let ada: { authorization: string };
let eve: { authorization: string };

beforeAll(async () => {
  const token = await signToken("ada");
  ada = { authorization: `Bearer ${token}` };
  eve = { authorization: `Bearer ${await signToken("eve")}` };
  setup = await startA2ASetup({ AUTH_SECRET: SECRET }, token);
  url = `${setup.runtime.url}/a2a`;
});
afterAll(() => setup.close());

const getWalkerUrl = () => `${url}/walker`;

async function startTask(text: string, rest: object = {}): Promise<string> {
  const params = createSendParams(text, {}, { configuration: { returnImmediately: true, ...rest } });
  return (await callRpc(getWalkerUrl(), "SendMessage", params, ada)).result.task.id;
}

async function waitForState(id: string, state = "TASK_STATE_COMPLETED") {
  return vi.waitFor(
    async () => {
      const { result } = await callRpc(getWalkerUrl(), "GetTask", { id }, ada);
      expect(result.status.state).toBe(state);
      return result;
    },
    { timeout: 15_000, interval: 100 },
  );
}

const subscribe = (id: string) =>
  post(getWalkerUrl(), { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }, ada);

describe("A2A after a host crash", () => {
  test("[T4] a client subscribes to a task that started before the crash", async () => {
    const id = await startTask("walk 8");
    await setup.runtime.kill();
    await setup.runtime.restart();
    const all = await collectEvents(await subscribe(id));
    expect(all[0]?.result.task.id).toBe(id);
    expect(all.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(listTexts(await waitForState(id)).join("")).toBe("step1 step2 step3 step4 step5 step6 step7 step8 ");
  });

  test("[H1] a question from before the crash is answered", async () => {
    const { task } = (await callRpc(getWalkerUrl(), "SendMessage", createSendParams("ask me"), ada)).result;
    await setup.runtime.kill();
    await setup.runtime.restart();
    const answered = await callRpc(getWalkerUrl(), "SendMessage", createSendParams("teal", { taskId: task.id }), ada);
    expect(listTexts(answered.result.task)).toEqual(["One moment. ", "You said teal."]);
  });
});

describe("A2A clients that disconnect", () => {
  test("[F13] find the task running and its current state when they subscribe again", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: createSendParams("walk 12") };
    const response = await post(getWalkerUrl(), body, ada);
    let id = "";
    let artifactCount = 0;
    for await (const { result } of readEvents(response)) {
      id ||= result.task.id;
      if (result.artifactUpdate !== undefined && ++artifactCount === 3) break;
    }
    const [first, ...rest] = (await collectEvents(await subscribe(id))).map(({ result }) => result);
    const currentTask = assertPresent(first).task;
    const before = listTexts(currentTask).join("");
    expect(before).toMatch(/^step1 step2 step3 /);
    const after = rest.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text) ?? []);
    expect(before + after.join("")).toBe(listTexts(await waitForState(id)).join(""));
    expect(setup.walker.abandonedStreams).toBe(0);
  });

  test("get the same text over every subscription of a task", async () => {
    const id = await startTask("walk 6");
    const [one, two] = await Promise.all([subscribe(id).then(collectEvents), subscribe(id).then(collectEvents)]);
    const text = (all: readonly Answer[]) =>
      listTexts(assertPresent(all[0]).result.task).join("") +
      all.flatMap(({ result }) => result.artifactUpdate?.artifact.parts.map((part) => part.text) ?? []).join("");
    expect(text(one)).toBe("step1 step2 step3 step4 step5 step6 ");
    expect(text(two)).toBe(text(one));
  });
});

describe("A2A authorization", () => {
  test("[S1] serves only agent cards without a token, and none of agents that users registered", async () => {
    for (const headers of [{}, { authorization: "Bearer nonsense" }]) {
      const response = await post(url, { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard" }, headers);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    const card = (at: string, headers = {}) => fetch(`${at}/.well-known/agent-card.json`, { headers });
    const open = (await (await card(setup.runtime.url)).json()) as Record<string, unknown>;
    expect(open).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: {} } }],
    });
    const skills = (await callRpc(url, "GetExtendedAgentCard", undefined, ada)).result.skills.map(({ id }) => id);
    expect(skills).toEqual(expect.arrayContaining(["converse", "assistant", "walker"]));
    expect(
      (await callRpc(url, "GetExtendedAgentCard", undefined, eve)).result.skills.map(({ id }) => id),
    ).not.toContain("walker");
    expect((await card(`${url}/assistant`)).status).toBe(200);
    expect((await card(getWalkerUrl())).status).toBe(404);
    expect((await card(getWalkerUrl(), eve)).status).toBe(404);
    const ownResponse = await card(getWalkerUrl(), ada);
    expect([ownResponse.status, ownResponse.headers.get("cache-control")]).toEqual([200, "private, max-age=300"]);
    const refused = await post(getWalkerUrl(), { jsonrpc: "2.0", id: 1, method: "ListTasks" }, eve);
    expect([refused.status, ((await refused.json()) as Answer).error.code]).toEqual([404, -32601]);
  });
});

describe("§7.4, §13.1 authentication of requests", () => {
  test.each([
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "ListTasks",
    "CancelTask",
    "SubscribeToTask",
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
    "GetExtendedAgentCard",
    "Nothing",
    "message/send",
    "tasks/get",
  ])("rejects %s without a token", async (method) => {
    for (const at of [url, `${url}/`, getWalkerUrl(), `${url}/nobody`]) {
      const response = await post(at, { jsonrpc: "2.0", id: 1, method, params: {} });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
  });
});

describe("A2A push notifications", () => {
  type Delivery = { readonly headers: IncomingHttpHeaders; readonly body: Record<string, Record<string, unknown>> };
  let receiver: Server;
  let hookUrl: string;
  const deliveries: Delivery[] = [];
  const answers: number[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        deliveries.push({ headers: request.headers, body: JSON.parse(text) as Delivery["body"] });
        response.writeHead(answers.shift() ?? 204).end();
      });
    });
    hookUrl = `http://127.0.0.1:${await listen(receiver)}/hook`;
  });
  afterAll(() => receiver.close());

  const listDeliveries = (id: string) => deliveries.filter(({ body }) => JSON.stringify(body).includes(id));

  test("are sent for a question and for the end, with the registered token and credentials", async () => {
    const authentication = { scheme: "Bearer", credentials: "for-the-receiver" };
    const id = await startTask("ask me", {
      taskPushNotificationConfig: { id: "mine", url: hookUrl, token: "tok", authentication },
    });
    await vi.waitFor(() => expect(listDeliveries(id)).toHaveLength(1), 10_000);
    await callRpc(getWalkerUrl(), "SendMessage", createSendParams("pink", { taskId: id }), ada);
    await vi.waitFor(() => expect(listDeliveries(id)).toHaveLength(2), 10_000);
    expect(listDeliveries(id).map(({ body }) => body["statusUpdate"]?.["status"])).toMatchObject([
      { state: "TASK_STATE_INPUT_REQUIRED", message: { role: "ROLE_AGENT", parts: [{ text: "Which colour?" }] } },
      { state: "TASK_STATE_COMPLETED" },
    ]);
    const [first] = listDeliveries(id);
    expect(first?.headers).toMatchObject({
      "content-type": "application/a2a+json",
      authorization: "Bearer for-the-receiver",
      "x-a2a-notification-token": "tok",
    });
    expect(JSON.stringify(await callRpc(getWalkerUrl(), "GetTask", { id }, ada))).not.toContain("for-the-receiver");
  });

  test("are retried with the same id, also after a host crash", async () => {
    answers.push(500);
    const id = await startTask("walk 3", { taskPushNotificationConfig: { url: hookUrl } });
    await vi.waitFor(() => expect(listDeliveries(id)).toHaveLength(1), 10_000);
    await setup.runtime.kill();
    await setup.runtime.restart();
    await vi.waitFor(() => expect(listDeliveries(id)).toHaveLength(2), 20_000);
    const [first, second] = listDeliveries(id);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toEqual(first?.body);
  });

  test("have configurations that can be created, read, listed and deleted", async () => {
    const id = await startTask("walk 15");
    const create = (config: object) =>
      callRpc(getWalkerUrl(), "CreateTaskPushNotificationConfig", { taskId: id, ...config }, ada);
    const created = (await create({ id: "a", url: hookUrl })).result as unknown;
    expect(created).toEqual({ id: "a", taskId: id, url: hookUrl });
    expect((await create({ url: hookUrl })).result.id).toMatch(/\S/);
    const get = (configId: string) =>
      callRpc(getWalkerUrl(), "GetTaskPushNotificationConfig", { taskId: id, id: configId }, ada);
    expect((await get("a")).result).toEqual(created);
    expect((await get("z")).error.code).toBe(-32001);
    const list = async () =>
      (await callRpc(getWalkerUrl(), "ListTaskPushNotificationConfigs", { taskId: id }, ada)).result.configs;
    expect(await list()).toHaveLength(2);
    for (const _ of [1, 2])
      expect(
        await callRpc(getWalkerUrl(), "DeleteTaskPushNotificationConfig", { taskId: id, id: "a" }, ada),
      ).toHaveProperty("result");
    expect(await list()).toHaveLength(1);
    for (let n = 0; n < 9; n++) await create({ id: `n${n}`, url: hookUrl });
    expect((await create({ id: "one-more", url: hookUrl })).error.code).toBe(-32602);
    await callRpc(getWalkerUrl(), "CancelTask", { id }, ada);
    await vi.waitFor(() => expect(listDeliveries(id)).toHaveLength(10), 10_000);
    expect(listDeliveries(id)[0]?.body["statusUpdate"]?.["status"]).toMatchObject({ state: "TASK_STATE_CANCELED" });
  });

  test.each([
    { url: "ftp://example.dev/" },
    { url: "nonsense" },
    { url: "https://user:pw@example.dev/" },
    { url: "https://hooks.example.dev/", token: "a\r\nx: y" },
    { url: "https://hooks.example.dev/", authentication: { scheme: "Bearer\r\nx", credentials: "y" } },
    { url: "https://hooks.example.dev/", authentication: { scheme: "", credentials: "y" } },
  ])("reject the configuration %j", async (config) => {
    const id = await startTask("walk 1");
    const refusal = await callRpc(getWalkerUrl(), "CreateTaskPushNotificationConfig", { taskId: id, ...config }, ada);
    expect(refusal.error.code).toBe(-32602);
    const params = createSendParams("walk 1", {}, { configuration: { taskPushNotificationConfig: config } });
    expect((await callRpc(getWalkerUrl(), "SendMessage", params, ada)).error.code).toBe(-32602);
  });
});
