// The musts of A2A 1.0 for a server with the JSON-RPC binding, each by its section, against the running system. What
// has its own test beside this one (a2a, a2a-errors, a2a-breaks) is not repeated.

import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listen } from "../../support/net.ts";
import {
  allOf,
  events,
  must,
  openStage,
  post,
  rpc,
  said,
  textsOf,
  type Answer,
  type Result,
  type Stage,
} from "./a2a-stage.ts";

const PAGE = "https://page.example.dev";
const CARD = ".well-known/agent-card.json";

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage({ ALLOWED_ORIGINS: PAGE });
  url = `${stage.runtime.url}/a2a`;
});
afterAll(() => stage.close());

const walker = () => `${url}/walker`;
const sent = async (text: string, more: object = {}, rest: object = {}, at = walker()) =>
  (await rpc(at, "SendMessage", said(text, more, rest))).result.task;
const IMMEDIATELY = { configuration: { returnImmediately: true } };
const subscribed = (id: string, headers = {}) =>
  post(walker(), { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }, headers);
const statesOf = (all: readonly Answer[]) =>
  all.flatMap(({ result }) => result.task?.status.state ?? result.statusUpdate?.status.state ?? []);

describe("§3.1.2, §3.1.6 streams", () => {
  test("§3.1.6 a task that asks can be subscribed to: its stream goes on with the answer, and closes with the end", async () => {
    const { id } = await sent("ask me");
    const readers = [await subscribed(id), await subscribed(id)].map((response) => allOf(response));
    await sleep(300);
    await rpc(walker(), "SendMessage", said("green", { taskId: id }));
    const [one, two] = await Promise.all(readers);
    expect(statesOf(must(one)).at(0)).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(statesOf(must(one)).at(-1)).toBe("TASK_STATE_COMPLETED");
    // §3.5.2: each stream gets the same events in the same order.
    const told = (all: readonly Answer[] | undefined) =>
      must(all).map(({ result }) => result.artifactUpdate?.artifact.parts ?? result.statusUpdate?.status.state);
    expect(told(one)).toEqual(told(two));
    expect(JSON.stringify(told(one))).toContain("You said green.");
  });

  test("§3.1.6 so does one that is cancelled, or whose host dies", async () => {
    const first = await sent("ask me");
    const heard = allOf(await subscribed(first.id));
    await sleep(300);
    await rpc(walker(), "CancelTask", { id: first.id });
    expect(statesOf(await heard)).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_CANCELED"]);
    const second = await sent("ask me");
    await stage.runtime.kill();
    await stage.runtime.restart();
    const again = allOf(await subscribed(second.id));
    await sleep(300);
    await rpc(walker(), "SendMessage", said("grey", { taskId: second.id }));
    expect(statesOf(await again).at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  test("§3.5.2 closing one stream leaves the others of the task alone, and the task", async () => {
    const { id } = await sent("walk 10", {}, IMMEDIATELY);
    const other = subscribed(id).then(allOf);
    for await (const _ of events(await subscribed(id))) break;
    expect(statesOf(await other).at(-1)).toBe("TASK_STATE_COMPLETED");
  });
});

describe("§3.1.4 ListTasks", () => {
  test("tasks come by their last update, whichever began first", async () => {
    const contextId = `order-${Date.now()}`;
    const older = await sent("walk 8", { contextId }, IMMEDIATELY);
    const newer = await sent("walk 1", { contextId }, IMMEDIATELY);
    // It waits for the older one, and is over before that.
    expect((await rpc(walker(), "CancelTask", { id: newer.id })).result.status.state).toBe("TASK_STATE_CANCELED");
    await allOf(await subscribed(older.id));
    const page = async (pageToken: string) =>
      (await rpc(url, "ListTasks", { contextId, pageSize: 1, pageToken })).result;
    const first = await page("");
    const second = await page(first.nextPageToken);
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual([older.id, newer.id]);
    expect(second.nextPageToken).toBe("");
  });

  test("totalSize is of all pages, and the same on each", async () => {
    const at = `${url}/assistant`;
    for (let n = 0; n < 5; n++) await sent(`What is ${n} + 4?`, {}, {}, at);
    const pages: Result[] = [];
    for (let pageToken = ""; pages.length === 0 || pageToken !== ""; pageToken = must(pages.at(-1)).nextPageToken)
      pages.push((await rpc(at, "ListTasks", { pageSize: 2, pageToken })).result);
    expect(pages.map((page) => [page.tasks.length, (page as unknown as { totalSize: number }).totalSize])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
  });
});

describe("§3.1.7, §4.3.3 push notifications", () => {
  let receiver: Server;
  let hook: string;
  const got: string[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        got.push(text);
        response.writeHead(204).end();
      });
    });
    hook = `http://127.0.0.1:${await listen(receiver)}/hook`;
  });
  afterAll(() => receiver.close());

  test("§4.3.3 each configured address is called at least once, also when the task had ended before", async () => {
    const { id } = await sent("walk 1");
    await rpc(walker(), "CreateTaskPushNotificationConfig", { taskId: id, id: "late", url: hook });
    await vi.waitFor(() => expect(got.filter((body) => body.includes(id))).toHaveLength(1), 10_000);
    expect(got.join()).toContain("TASK_STATE_COMPLETED");
  });
});

describe("§3.3.2, §5.7, §13.4 all parameters are validated", () => {
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
  ])("%s refuses %j", async (method, params) => {
    const { error } = await rpc(url, method, params);
    expect(error.code).toBe(-32602);
    // §9.5: each detail says what it is.
    expect(must(error.data).every((detail) => "@type" in detail)).toBe(true);
  });

  test("§5.5 names are read in both of ProtoJSON's cases, null is absent, and what is unknown is passed over", async () => {
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
    const { task } = (await rpc(walker(), "SendMessage", params)).result;
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task).not.toHaveProperty("history");
    const one = (
      await rpc(walker(), "ListTasks", { context_id: task.contextId, page_size: 1, include_artifacts: true })
    ).result.tasks;
    expect(one.map((listed) => textsOf(listed))).toEqual([["step1 "]]);
  });
});

describe("§3.6, §8 versions and cards", () => {
  const asked = async (method: string, params: object, version?: string): Promise<Answer> => {
    const headers = {
      "content-type": "application/json",
      ...(version === undefined ? {} : { "a2a-version": version }),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await (await fetch(walker(), { method: "POST", headers, body })).json()) as Answer;
  };

  test.each([undefined, ""])("§3.6.2 without a version (%j) a message of 0.3 is answered as 0.3", async (version) => {
    const message = {
      kind: "message",
      messageId: `old-${Date.now()}`,
      role: "user",
      parts: [{ kind: "text", text: "walk 1" }],
    };
    const { result } = await asked("message/send", { message }, version);
    expect(result).toMatchObject({ kind: "task", status: { state: "completed" } });
  });

  test("§4.4.1 who speaks 1.0 gets a card with nothing else in it", async () => {
    const response = await fetch(`${walker()}/${CARD}`, { headers: { "a2a-version": "1.0" } });
    expect(response.headers.get("vary")).toMatch(/a2a-version/i);
    const names = ["name", "description", "version", "supportedInterfaces", "capabilities", "defaultInputModes"];
    const card = (await response.json()) as object;
    expect(Object.keys(card).toSorted()).toEqual([...names, "defaultOutputModes", "skills"].toSorted());
    expect(await (await fetch(`${walker()}/${CARD}`)).json()).toMatchObject({ ...card, url: walker() });
  });

  test("pages that were allowed may ask from a browser, and no others", async () => {
    const from = async (origin: string, method: string, at: string) => {
      const headers = {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "a2a-version",
      };
      return (await fetch(at, { method, headers })).headers.get("access-control-allow-origin");
    };
    for (const at of [url, walker(), `${url}/`]) {
      expect(await from(PAGE, "OPTIONS", at)).toBe(PAGE);
      expect(await from("https://other.example.dev", "OPTIONS", at)).toBeNull();
    }
    for (const at of [`${stage.runtime.url}/${CARD}`, `${walker()}/${CARD}`])
      expect(await from(PAGE, "GET", at)).toBe(PAGE);
  });
});

test("§4.1.6 a file of an agent is a part with its bytes or its address", async () => {
  const { artifacts } = await sent("file");
  expect(must(artifacts).map(({ parts }) => parts[0])).toEqual([
    { raw: "aGk=", filename: "hi.txt", mediaType: "text/plain" },
    { url: "https://files.example.dev/a.png", filename: "a.png", mediaType: "image/png" },
  ]);
});
