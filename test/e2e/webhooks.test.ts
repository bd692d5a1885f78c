// The webhook of a schedule, through the whole system: a real endpoint, a real alarm, and a host that dies.

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { listenTo } from "../support/listener.ts";
import { listen } from "../support/net.ts";
import { personAt } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

type Sent = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let runtime: Runtime;
let api: ApiClient;
let endpoint: Server;
let url: string;
/** What has come, and what the next ones are answered: a status, or nothing at all. */
const sent: Sent[] = [];
const answers: (number | "silence")[] = [];

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      sent.push({ url: request.url ?? "", headers: request.headers, body });
      const answer = answers.shift() ?? 204;
      if (answer !== "silence") response.writeHead(answer, { location: "/elsewhere" }).end();
    });
  });
  url = `http://127.0.0.1:${await listen(endpoint)}/hook`;
  runtime = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  api = createApi({ url: runtime.url });
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(async () => {
  await runtime.stop();
  endpoint.closeAllConnections();
  await new Promise((resolve) => endpoint.close(resolve));
});

/** A schedule with a webhook, and the secret of it. */
async function scheduled() {
  const ada = personAt(runtime.url);
  const { conversationId } = await ada.say("Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.");
  const { tasks } = await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  const id = tasks[0]?.task_id ?? "";
  const { webhook_secret: secret = "" } = await api.updateSchedule(id, { webhook: { url } });
  return { conversationId, id, secret };
}

const verified = (secret: string) =>
  sent.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>));
const ids = () => new Set(sent.map(({ headers }) => headers["webhook-id"]));

test("a redirect is not followed; the same result comes again by itself, with nobody connected", async () => {
  const { id, secret } = await scheduled();
  answers.push(302);
  await api.runSchedule(id);
  await vi.waitFor(() => expect(sent).toHaveLength(2), 20_000);
  expect(sent.map((it) => it.url)).toEqual(["/hook", "/hook"]);
  expect(ids().size).toBe(1);
  const [first, second] = verified(secret);
  expect(first).toMatchObject({ type: "schedule.run", data: { result: expect.stringContaining("42") as string } });
  expect(second).toEqual(first);
  await vi.waitFor(async () =>
    expect((await api.schedule(id)).last_delivery).toMatchObject({ status: "delivered", attempts: 2 }),
  );
  const { results } = await api.runResults(id, { limit: 5 });
  expect(new Set(results.map(({ run_id }) => run_id))).toEqual(ids());
  const listed = async () => (await api.listSchedules({ limit: 5 })).schedules.map(({ schedule_id }) => schedule_id);
  expect(await listed()).toEqual([id]);
  await api.deleteSchedule(id);
  await expect(api.schedule(id)).rejects.toMatchObject({ code: "not_found" });
  await vi.waitFor(async () => expect(await listed()).toEqual([]));
});

test("a host that dies before it hears the answer sends again under the same id, once somebody is back", async () => {
  const { conversationId, id, secret } = await scheduled();
  answers.push("silence");
  await api.runSchedule(id);
  await vi.waitFor(() => expect(sent).toHaveLength(1), 10_000);
  await runtime.kill();
  await runtime.restart();
  const listener = listenTo({ url: runtime.url, conversationId });
  await vi.waitFor(
    async () => expect((await api.schedule(id)).last_delivery).toMatchObject({ status: "delivered" }),
    10_000,
  );
  listener.close();
  expect(sent).toHaveLength(2);
  expect(ids().size).toBe(1);
  expect(verified(secret)).toHaveLength(2);
});
