// Webhooks of schedules in the whole system, with a real endpoint, a real alarm and a crash.

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { connectRecordingClient } from "../support/recording-client.ts";
import { listen } from "../support/net.ts";
import { createApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

type WebhookRequest = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let runtime: Runtime;
let api: ApiClient;
let endpoint: Server;
let url: string;
/** The received requests, and the answers to the next ones: a status, or no response. */
const requests: WebhookRequest[] = [];
const answers: (number | "silence")[] = [];

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      requests.push({ url: request.url ?? "", headers: request.headers, body });
      const answer = answers.shift() ?? 204;
      if (answer !== "silence") response.writeHead(answer, { location: "/elsewhere" }).end();
    });
  });
  url = `http://127.0.0.1:${await listen(endpoint)}/hook`;
  runtime = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  api = createApi({ url: runtime.url });
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(async () => {
  await runtime.stop();
  endpoint.closeAllConnections();
  await new Promise((resolve) => endpoint.close(resolve));
});

/** Creates a schedule with a webhook. Resolves with its ids and its secret. */
async function createSchedule() {
  const ada = createApiUser(runtime.url);
  const { conversationId } = await ada.sendAndWait("Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.");
  const { tasks } = await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  const id = tasks[0]?.task_id ?? "";
  const { webhook_secret: secret = "" } = await api.updateSchedule(id, { webhook: { url } });
  return { conversationId, id, secret };
}

const verifyRequests = (secret: string) =>
  requests.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>));
const listWebhookIds = () => new Set(requests.map(({ headers }) => headers["webhook-id"]));

test("a redirected delivery is not followed and is repeated with the same id without a connected client", async () => {
  const { id, secret } = await createSchedule();
  answers.push(302);
  await api.runSchedule(id);
  await vi.waitFor(() => expect(requests).toHaveLength(2), 20_000);
  expect(requests.map((it) => it.url)).toEqual(["/hook", "/hook"]);
  expect(listWebhookIds().size).toBe(1);
  const [first, second] = verifyRequests(secret);
  expect(first).toMatchObject({ type: "schedule.run", data: { result: expect.stringContaining("42") as string } });
  expect(second).toEqual(first);
  await vi.waitFor(async () =>
    expect((await api.schedule(id)).last_delivery).toMatchObject({ status: "delivered", attempts: 2 }),
  );
  const { results } = await api.runResults(id, { limit: 5 });
  expect(new Set(results.map(({ run_id }) => run_id))).toEqual(listWebhookIds());
  const listScheduleIds = async () =>
    (await api.listSchedules({ limit: 5 })).schedules.map(({ schedule_id }) => schedule_id);
  expect(await listScheduleIds()).toEqual([id]);
  await api.deleteSchedule(id);
  await expect(api.schedule(id)).rejects.toMatchObject({ code: "not_found" });
  await vi.waitFor(async () => expect(await listScheduleIds()).toEqual([]));
});

test("a delivery whose response was lost in a crash is repeated with the same id after a client connects", async () => {
  const { conversationId, id, secret } = await createSchedule();
  answers.push("silence");
  await api.runSchedule(id);
  await vi.waitFor(() => expect(requests).toHaveLength(1), 10_000);
  await runtime.kill();
  await runtime.restart();
  const listener = connectRecordingClient({ url: runtime.url, conversationId });
  await vi.waitFor(
    async () => expect((await api.schedule(id)).last_delivery).toMatchObject({ status: "delivered" }),
    10_000,
  );
  listener.close();
  expect(requests).toHaveLength(2);
  expect(listWebhookIds().size).toBe(1);
  expect(verifyRequests(secret)).toHaveLength(2);
});
