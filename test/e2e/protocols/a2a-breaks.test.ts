// A2A where things break: hosts that die, clients that leave, receivers that fail, people who are not who they say.

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listen } from "../../support/net.ts";
import { allOf, events, must, openStage, post, rpc, said, textsOf, type Answer, type Stage } from "./a2a-stage.ts";

const SECRET = "a secret that is long enough for HS256, at least";
const tokenOf = (user: string) =>
  new SignJWT({ sub: user }).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET));

let stage: Stage;
let url: string;
let ada: { authorization: string };
let eve: { authorization: string };

beforeAll(async () => {
  const token = await tokenOf("ada");
  ada = { authorization: `Bearer ${token}` };
  eve = { authorization: `Bearer ${await tokenOf("eve")}` };
  stage = await openStage({ AUTH_SECRET: SECRET }, token);
  url = `${stage.runtime.url}/a2a`;
});
afterAll(() => stage.close());

const walker = () => `${url}/walker`;

async function begun(text: string, rest: object = {}): Promise<string> {
  const params = said(text, {}, { configuration: { returnImmediately: true, ...rest } });
  return (await rpc(walker(), "SendMessage", params, ada)).result.task.id;
}

async function ended(id: string, state = "TASK_STATE_COMPLETED") {
  return vi.waitFor(
    async () => {
      const { result } = await rpc(walker(), "GetTask", { id }, ada);
      expect(result.status.state).toBe(state);
      return result;
    },
    { timeout: 15_000, interval: 100 },
  );
}

const subscribe = (id: string) =>
  post(walker(), { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }, ada);

describe("hosts that die", () => {
  test("[T4] a task that was begun before is subscribed to after", async () => {
    const id = await begun("walk 8");
    await stage.runtime.kill();
    await stage.runtime.restart();
    const all = await allOf(await subscribe(id));
    expect(all[0]?.result.task.id).toBe(id);
    expect(all.at(-1)?.result.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(textsOf(await ended(id)).join("")).toBe("step1 step2 step3 step4 step5 step6 step7 step8 ");
  });

  test("[H1] a question is answered after its host has died", async () => {
    const { task } = (await rpc(walker(), "SendMessage", said("ask me"), ada)).result;
    await stage.runtime.kill();
    await stage.runtime.restart();
    const answered = await rpc(walker(), "SendMessage", said("teal", { taskId: task.id }), ada);
    expect(textsOf(answered.result.task)).toEqual(["One moment. ", "You said teal."]);
  });

  test("[T2] a message that is sent again after it is the same task", async () => {
    const params = said("walk 2");
    const first = (await rpc(walker(), "SendMessage", params, ada)).result.task;
    await stage.runtime.kill();
    await stage.runtime.restart();
    expect((await rpc(walker(), "SendMessage", params, ada)).result.task).toEqual(first);
  });
});

describe("clients that leave", () => {
  test("[F13] the work goes on, and whoever comes back finds it where it is", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: said("walk 12") };
    const response = await post(walker(), body, ada);
    let id = "";
    let heard = 0;
    for await (const { result } of events(response)) {
      id ||= result.task.id;
      if (result.artifactUpdate !== undefined && ++heard === 3) break;
    }
    const [first, ...rest] = (await allOf(await subscribe(id))).map(({ result }) => result);
    const known = must(first).task;
    const before = textsOf(known).join("");
    expect(before).toMatch(/^step1 step2 step3 /);
    const after = rest.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text) ?? []);
    expect(before + after.join("")).toBe(textsOf(await ended(id)).join(""));
    expect(stage.walker.left).toBe(0);
  });

  test("every reader of a task gets the same", async () => {
    const id = await begun("walk 6");
    const [one, two] = await Promise.all([subscribe(id).then(allOf), subscribe(id).then(allOf)]);
    const text = (all: readonly Answer[]) =>
      textsOf(must(all[0]).result.task).join("") +
      all.flatMap(({ result }) => result.artifactUpdate?.artifact.parts.map((part) => part.text) ?? []).join("");
    expect(text(one)).toBe("step1 step2 step3 step4 step5 step6 ");
    expect(text(two)).toBe(text(one));
  });
});

describe("people", () => {
  test("[U1] of somebody else's nothing can be told", async () => {
    const contextId = `secret-${Date.now()}`;
    const params = said("ask me", { contextId });
    const { id } = (await rpc(walker(), "SendMessage", params, ada)).result.task;
    const answers = await Promise.all([
      rpc(url, "GetTask", { id }, eve),
      rpc(url, "CancelTask", { id }, eve),
      rpc(url, "SubscribeToTask", { id }, eve),
      rpc(url, "SendMessage", said("x", { taskId: id }), eve),
      rpc(url, "ListTaskPushNotificationConfigs", { taskId: id }, eve),
      rpc(url, "CreateTaskPushNotificationConfig", { taskId: id, url: "http://127.0.0.1:9/" }, eve),
    ]);
    expect(answers.map(({ error }) => error.code)).toEqual(Array(6).fill(-32001));
    const never = await rpc(url, "GetTask", { id: `${contextId}.th-${"0".repeat(32)}` }, eve);
    expect(answers[0]?.error.message).toBe(never.error.message);
    expect((await rpc(url, "ListTasks", {}, eve)).result.tasks).toEqual([]);
    expect((await rpc(url, "ListTasks", { contextId }, eve)).result.tasks).toEqual([]);
    // The same name is another conversation, of their own.
    const own = await rpc(url, "SendMessage", said("What is 1 + 1?", { contextId }), eve);
    expect(own.result.task.history).toHaveLength(1);
    expect((await rpc(url, "GetTask", { id }, ada)).result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  test("[S1] without a token there is nothing but the cards, and not those of people's own agents", async () => {
    for (const headers of [{}, { authorization: "Bearer nonsense" }]) {
      const response = await post(url, { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard" }, headers);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    const card = (at: string, headers = {}) => fetch(`${at}/.well-known/agent-card.json`, { headers });
    const open = (await (await card(stage.runtime.url)).json()) as Record<string, unknown>;
    expect(open).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: {} } }],
    });
    const skills = (await rpc(url, "GetExtendedAgentCard", undefined, ada)).result.skills.map(({ id }) => id);
    expect(skills).toEqual(expect.arrayContaining(["converse", "assistant", "walker"]));
    expect((await rpc(url, "GetExtendedAgentCard", undefined, eve)).result.skills.map(({ id }) => id)).not.toContain(
      "walker",
    );
    expect((await card(`${url}/assistant`)).status).toBe(200);
    expect((await card(walker())).status).toBe(404);
    expect((await card(walker(), eve)).status).toBe(404);
    const own = await card(walker(), ada);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, max-age=300"]);
    const refused = await post(walker(), { jsonrpc: "2.0", id: 1, method: "ListTasks" }, eve);
    expect([refused.status, ((await refused.json()) as Answer).error.code]).toEqual([404, -32601]);
  });
});

describe("§7.4, §13.1 every request is authenticated", () => {
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
  ])("%s", async (method) => {
    for (const at of [url, `${url}/`, walker(), `${url}/nobody`]) {
      const response = await post(at, { jsonrpc: "2.0", id: 1, method, params: {} });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
  });
});

describe("push notifications", () => {
  type Got = { readonly headers: IncomingHttpHeaders; readonly body: Record<string, Record<string, unknown>> };
  let receiver: Server;
  let hook: string;
  const got: Got[] = [];
  const answers: number[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        got.push({ headers: request.headers, body: JSON.parse(text) as Got["body"] });
        response.writeHead(answers.shift() ?? 204).end();
      });
    });
    hook = `http://127.0.0.1:${await listen(receiver)}/hook`;
  });
  afterAll(() => receiver.close());

  const of = (id: string) => got.filter(({ body }) => JSON.stringify(body).includes(id));

  test("come with what was registered: of a question, and of the end", async () => {
    const authentication = { scheme: "Bearer", credentials: "for-the-receiver" };
    const id = await begun("ask me", {
      taskPushNotificationConfig: { id: "mine", url: hook, token: "tok", authentication },
    });
    await vi.waitFor(() => expect(of(id)).toHaveLength(1), 10_000);
    await rpc(walker(), "SendMessage", said("pink", { taskId: id }), ada);
    await vi.waitFor(() => expect(of(id)).toHaveLength(2), 10_000);
    expect(of(id).map(({ body }) => body["statusUpdate"]?.["status"])).toMatchObject([
      { state: "TASK_STATE_INPUT_REQUIRED", message: { role: "ROLE_AGENT", parts: [{ text: "Which colour?" }] } },
      { state: "TASK_STATE_COMPLETED" },
    ]);
    const [first] = of(id);
    expect(first?.headers).toMatchObject({
      "content-type": "application/a2a+json",
      authorization: "Bearer for-the-receiver",
      "x-a2a-notification-token": "tok",
    });
    expect(JSON.stringify(await rpc(walker(), "GetTask", { id }, ada))).not.toContain("for-the-receiver");
  });

  test("are tried again until they arrive, also after the host has died", async () => {
    answers.push(500);
    const id = await begun("walk 3", { taskPushNotificationConfig: { url: hook } });
    await vi.waitFor(() => expect(of(id)).toHaveLength(1), 10_000);
    await stage.runtime.kill();
    await stage.runtime.restart();
    await vi.waitFor(() => expect(of(id)).toHaveLength(2), 20_000);
    const [first, second] = of(id);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toEqual(first?.body);
  });

  test("configurations are created, read, listed and deleted", async () => {
    const id = await begun("walk 15");
    const create = (config: object) =>
      rpc(walker(), "CreateTaskPushNotificationConfig", { taskId: id, ...config }, ada);
    const made = (await create({ id: "a", url: hook })).result as unknown;
    expect(made).toEqual({ id: "a", taskId: id, url: hook });
    expect((await create({ url: hook })).result.id).toMatch(/\S/);
    const get = (configId: string) => rpc(walker(), "GetTaskPushNotificationConfig", { taskId: id, id: configId }, ada);
    expect((await get("a")).result).toEqual(made);
    expect((await get("z")).error.code).toBe(-32001);
    const list = async () =>
      (await rpc(walker(), "ListTaskPushNotificationConfigs", { taskId: id }, ada)).result.configs;
    expect(await list()).toHaveLength(2);
    for (const _ of [1, 2])
      expect(await rpc(walker(), "DeleteTaskPushNotificationConfig", { taskId: id, id: "a" }, ada)).toHaveProperty(
        "result",
      );
    expect(await list()).toHaveLength(1);
    for (let n = 0; n < 9; n++) await create({ id: `n${n}`, url: hook });
    expect((await create({ id: "one-more", url: hook })).error.code).toBe(-32602);
    await rpc(walker(), "CancelTask", { id }, ada);
    await vi.waitFor(() => expect(of(id)).toHaveLength(10), 10_000);
    expect(of(id)[0]?.body["statusUpdate"]?.["status"]).toMatchObject({ state: "TASK_STATE_CANCELED" });
  });

  test.each([
    { url: "ftp://example.dev/" },
    { url: "nonsense" },
    { url: "https://user:pw@example.dev/" },
    { url: "https://hooks.example.dev/", token: "a\r\nx: y" },
    { url: "https://hooks.example.dev/", authentication: { scheme: "Bearer\r\nx", credentials: "y" } },
    { url: "https://hooks.example.dev/", authentication: { scheme: "", credentials: "y" } },
  ])("refuses %j", async (config) => {
    const id = await begun("walk 1");
    const refusal = await rpc(walker(), "CreateTaskPushNotificationConfig", { taskId: id, ...config }, ada);
    expect(refusal.error.code).toBe(-32602);
    const params = said("walk 1", {}, { configuration: { taskPushNotificationConfig: config } });
    expect((await rpc(walker(), "SendMessage", params, ada)).error.code).toBe(-32602);
  });
});
