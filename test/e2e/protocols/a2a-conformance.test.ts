// The MUST requirements of A2A 1.0 for a server with the JSON-RPC binding, by section, against the running system.
// Requirements that a2a, a2a-errors and a2a-resilience test are not repeated.

import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
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
  type Result,
  type A2ASetup,
} from "./a2a-setup.ts";

const PAGE = "https://page.example.dev";
const CARD = ".well-known/agent-card.json";

let setup: A2ASetup;
let url: string;

beforeAll(async () => {
  setup = await startA2ASetup({ ALLOWED_ORIGINS: PAGE });
  url = `${setup.runtime.url}/a2a`;
});
afterAll(() => setup.close());

const getWalkerUrl = () => `${url}/walker`;
const sendMessage = async (text: string, more: object = {}, rest: object = {}, at = getWalkerUrl()) =>
  (await callRpc(at, "SendMessage", createSendParams(text, more, rest))).result.task;
const IMMEDIATELY = { configuration: { returnImmediately: true } };
const subscribe = (id: string, headers = {}) =>
  post(getWalkerUrl(), { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }, headers);
const listStates = (all: readonly Answer[]) =>
  all.flatMap(({ result }) => result.task?.status.state ?? result.statusUpdate?.status.state ?? []);

describe("§3.1.2, §3.1.6 SubscribeToTask", () => {
  test("§3.1.6 streams a task with an open question, continues with the answer and closes at the end", async () => {
    const { id } = await sendMessage("ask me");
    const readers = [await subscribe(id), await subscribe(id)].map((response) => collectEvents(response));
    await sleep(300);
    await callRpc(getWalkerUrl(), "SendMessage", createSendParams("green", { taskId: id }));
    const [tasks, two] = await Promise.all(readers);
    expect(listStates(assertPresent(tasks)).at(0)).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(listStates(assertPresent(tasks)).at(-1)).toBe("TASK_STATE_COMPLETED");
    // §3.5.2: each stream must get the same events in the same order.
    const listUpdates = (all: readonly Answer[] | undefined) =>
      assertPresent(all).map(
        ({ result }) => result.artifactUpdate?.artifact.parts ?? result.statusUpdate?.status.state,
      );
    expect(listUpdates(tasks)).toEqual(listUpdates(two));
    expect(JSON.stringify(listUpdates(tasks))).toContain("You said green.");
  });

  test("§3.1.6 streams a task that is cancelled, and one whose host crashed", async () => {
    const first = await sendMessage("ask me");
    const collected = collectEvents(await subscribe(first.id));
    await sleep(300);
    await callRpc(getWalkerUrl(), "CancelTask", { id: first.id });
    expect(listStates(await collected)).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_CANCELED"]);
    const second = await sendMessage("ask me");
    await setup.runtime.kill();
    await setup.runtime.restart();
    const again = collectEvents(await subscribe(second.id));
    await sleep(300);
    await callRpc(getWalkerUrl(), "SendMessage", createSendParams("grey", { taskId: second.id }));
    expect(listStates(await again).at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("§3.5.2 keeps the task and its other streams running when one stream closes", async () => {
    const { id } = await sendMessage("walk 10", {}, IMMEDIATELY);
    const other = subscribe(id).then(collectEvents);
    for await (const _ of readEvents(await subscribe(id))) break;
    expect(listStates(await other).at(-1)).toBe("TASK_STATE_COMPLETED");
  });
});

describe("§3.1.4 ListTasks", () => {
  test("sorts tasks by their last update", async () => {
    const contextId = `order-${Date.now()}`;
    const older = await sendMessage("walk 8", { contextId }, IMMEDIATELY);
    const newer = await sendMessage("walk 1", { contextId }, IMMEDIATELY);
    // The newer task waits for the older one and is cancelled first.
    expect((await callRpc(getWalkerUrl(), "CancelTask", { id: newer.id })).result.status.state).toBe(
      "TASK_STATE_CANCELED",
    );
    await collectEvents(await subscribe(older.id));
    const listPage = async (pageToken: string) =>
      (await callRpc(url, "ListTasks", { contextId, pageSize: 1, pageToken })).result;
    const first = await listPage("");
    const second = await listPage(first.nextPageToken);
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual([older.id, newer.id]);
    expect(second.nextPageToken).toBe("");
  });

  test("returns the total size of all pages on each page", async () => {
    const at = `${url}/assistant`;
    for (let n = 0; n < 5; n++) await sendMessage(`What is ${n} + 4?`, {}, {}, at);
    const pages: Result[] = [];
    for (
      let pageToken = "";
      pages.length === 0 || pageToken !== "";
      pageToken = assertPresent(pages.at(-1)).nextPageToken
    )
      pages.push((await callRpc(at, "ListTasks", { pageSize: 2, pageToken })).result);
    expect(
      pages.map((listPage) => [listPage.tasks.length, (listPage as unknown as { totalSize: number }).totalSize]),
    ).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
  });
});

describe("§3.1.7, §4.3.3 push notifications", () => {
  let receiver: Server;
  let hookUrl: string;
  const deliveries: string[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        deliveries.push(text);
        response.writeHead(204).end();
      });
    });
    hookUrl = `http://127.0.0.1:${await listen(receiver)}/hook`;
  });
  afterAll(() => receiver.close());

  test("§4.3.3 are sent at least once to each configured URL, even if the task had already ended", async () => {
    const { id } = await sendMessage("walk 1");
    await callRpc(getWalkerUrl(), "CreateTaskPushNotificationConfig", { taskId: id, id: "late", url: hookUrl });
    await vi.waitFor(() => expect(deliveries.filter((body) => body.includes(id))).toHaveLength(1), 10_000);
    expect(deliveries.join()).toContain("TASK_STATE_COMPLETED");
  });
});

describe("§3.3.2, §5.7, §13.4 validation of parameters", () => {
  const message = { messageId: "v", role: "ROLE_USER", parts: [{ text: "x" }] };
  test.each<[string, object]>([
    ["SendMessage", { message: { ...message, parts: [{ text: 5 }] } }],
    ["SendMessage", { message: { ...message, parts: [{ text: "x", url: "https://x.dev/" }] } }],
    ["SendMessage", { message: { ...message, messageId: 7 } }],
    ["SendMessage", { message: { ...message, metadata: "x" } }],
    ["SendMessage", { message, configuration: { returnImmediately: "yes" } }],
    ["SendMessage", { message, configuration: { historyLength: "many" } }],
    ["SendMessage", { message, configuration: { acceptedOutputModes: "text/plain" } }],
    ["SendMessage", { message, configuration: { taskPushNotificationConfig: { url: 5 } } }],
    ["SendStreamingMessage", { message: [message] }],
    ["GetTask", { id: 5 }],
    ["GetTask", { id: { a: 1 } }],
    ["CancelTask", { id: ["x"] }],
    ["SubscribeToTask", { id: true }],
    ["ListTasks", { includeArtifacts: "yes" }],
    ["ListTasks", { contextId: 5 }],
    ["ListTasks", { statusTimestampAfter: 1_700_000_000 }],
    ["ListTaskPushNotificationConfigs", { taskId: 5 }],
  ])("%s rejects %j", async (method, params) => {
    const { error } = await callRpc(url, method, params);
    expect(error.code).toBe(-32602);
    // §9.5: each detail has a type.
    expect(assertPresent(error.data).every((detail) => "@type" in detail)).toBe(true);
  });

  test("§5.5 accepts both name forms of ProtoJSON, treats null as absent and ignores unknown members", async () => {
    const params = {
      tenant: null,
      from_the_future: 1,
      message: {
        message_id: `snake-${Date.now()}`,
        role: 1,
        parts: [{ text: "walk 1", media_type: "text/plain", metadata: null, novel: [] }],
        context_id: null,
      },
      configuration: { history_length: 0, return_immediately: false },
    };
    const { task } = (await callRpc(getWalkerUrl(), "SendMessage", params)).result;
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task).not.toHaveProperty("history");
    const tasks = (
      await callRpc(getWalkerUrl(), "ListTasks", { context_id: task.contextId, page_size: 1, include_artifacts: true })
    ).result.tasks;
    expect(tasks.map((listed) => listTexts(listed))).toEqual([["step1 "]]);
  });
});

describe("§3.6, §8 versions and cards", () => {
  const callWithVersion = async (method: string, params: object, version?: string): Promise<Answer> => {
    const headers = {
      "content-type": "application/json",
      ...(version === undefined ? {} : { "a2a-version": version }),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await (await fetch(getWalkerUrl(), { method: "POST", headers, body })).json()) as Answer;
  };

  test.each([undefined, ""])("§3.6.2 a request without a version (%j) is handled as version 0.3", async (version) => {
    const message = {
      kind: "message",
      messageId: `old-${Date.now()}`,
      role: "user",
      parts: [{ kind: "text", text: "walk 1" }],
    };
    const { result } = await callWithVersion("message/send", { message }, version);
    expect(result).toMatchObject({ kind: "task", status: { state: "completed" } });
  });

  test("§4.4.1 a client of version 1.0 gets a card with only the members of 1.0", async () => {
    const response = await fetch(`${getWalkerUrl()}/${CARD}`, { headers: { "a2a-version": "1.0" } });
    expect(response.headers.get("vary")).toMatch(/a2a-version/i);
    const names = ["name", "description", "version", "supportedInterfaces", "capabilities", "defaultInputModes"];
    const card = (await response.json()) as object;
    expect(Object.keys(card).toSorted()).toEqual([...names, "defaultOutputModes", "skills"].toSorted());
    expect(await (await fetch(`${getWalkerUrl()}/${CARD}`)).json()).toMatchObject({ ...card, url: getWalkerUrl() });
  });

  test("only allowed origins get CORS headers", async () => {
    const getAllowedOrigin = async (origin: string, method: string, at: string) => {
      const headers = {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "a2a-version",
      };
      return (await fetch(at, { method, headers })).headers.get("access-control-allow-origin");
    };
    for (const at of [url, getWalkerUrl(), `${url}/`]) {
      expect(await getAllowedOrigin(PAGE, "OPTIONS", at)).toBe(PAGE);
      expect(await getAllowedOrigin("https://other.example.dev", "OPTIONS", at)).toBeNull();
    }
    for (const at of [`${setup.runtime.url}/${CARD}`, `${getWalkerUrl()}/${CARD}`])
      expect(await getAllowedOrigin(PAGE, "GET", at)).toBe(PAGE);
  });
});

test("§4.1.6 a file of an agent is a part with its bytes or its URL", async () => {
  const { artifacts } = await sendMessage("file");
  expect(assertPresent(artifacts).map(({ parts }) => parts[0])).toEqual([
    { raw: "aGk=", filename: "hi.txt", mediaType: "text/plain" },
    { url: "https://files.example.dev/a.png", filename: "a.png", mediaType: "image/png" },
  ]);
});
