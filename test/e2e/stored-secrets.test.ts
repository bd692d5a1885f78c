// Secrets that users entrust to the runtime: they arrive where they belong, also after a crash, and neither a response
// nor a byte of the storage contains them. `protocols/remote-agents.test.ts` shows the same for credentials of agents.

import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { createApiUser, type ApiUser } from "../support/api-user.ts";
import { startMcpServer, type McpServer } from "../support/mcp-server.ts";
import { listen, readBody } from "../support/net.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { callRpc, createSendParams } from "./protocols/a2a-setup.ts";

const WEBHOOK_SECRET = "whsec_Y2FuYXJ5LXdlYmhvb2stc2VjcmV0LTAxMjM0NTY3";
const SECRETS = {
  webhook: WEBHOOK_SECRET.slice("whsec_".length),
  token: "canary-token-51c2e9",
  credentials: "canary-credentials-b34f06",
  header: "canary-header-7d41c8",
};

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let runtime: Runtime;
let ada: ApiUser;
let receiver: Server;
let receiverUrl: string;
let mcp: McpServer;
const received: Received[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void readBody(request).then((body) => {
      received.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  receiverUrl = `http://127.0.0.1:${await listen(receiver)}`;
  mcp = await startMcpServer();
  runtime = await startRuntime({ vars: { SEALING_KEY: "a key of the test", ALLOW_PRIVATE_AGENTS: "1" } });
  ada = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  receiver.close();
  receiver.closeAllConnections();
  await mcp.close();
});

/** Registers one secret of each kind. Returns the ids, and all responses. */
async function registerSecrets() {
  const responses: string[] = [];
  const { conversationId } = await ada.sendAndWait("Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.");
  const { tasks } = await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  const schedule = tasks[0]?.task_id ?? "";
  const webhook = { url: `${receiverUrl}/webhook`, secret: WEBHOOK_SECRET };
  // Only this response contains the secret, as documented.
  expect((await ada.request("PATCH", `/api/v1/schedules/${schedule}`, { webhook })).status).toBe(200);

  const app = {
    name: "people",
    description: "Keeps the profiles of people",
    mcp: { url: mcp.url, headers: { authorization: `Bearer ${SECRETS.header}` } },
  };
  const registered = await ada.request("POST", "/api/v1/agents", app);
  expect(registered.status).toBe(201);
  responses.push(await registered.text());

  const a2a = `${runtime.url}/a2a`;
  const taskPushNotificationConfig = {
    id: "mine",
    url: `${receiverUrl}/push`,
    token: SECRETS.token,
    authentication: { scheme: "Bearer", credentials: SECRETS.credentials },
  };
  const configuration = { taskPushNotificationConfig };
  const sent = await callRpc(a2a, "SendMessage", { ...createSendParams("what is 6 * 7?"), configuration });
  const taskId = sent.result.task.id;
  const created = await callRpc(a2a, "CreateTaskPushNotificationConfig", {
    ...taskPushNotificationConfig,
    taskId,
    id: "other",
  });
  expect(created.result).toEqual({
    id: "other",
    taskId,
    url: `${receiverUrl}/push`,
    authentication: { scheme: "Bearer" },
  });
  responses.push(
    JSON.stringify([sent, created]),
    JSON.stringify(await callRpc(a2a, "GetTaskPushNotificationConfig", { taskId, id: "mine" })),
    JSON.stringify(await callRpc(a2a, "ListTaskPushNotificationConfigs", { taskId })),
    JSON.stringify(await callRpc(a2a, "GetTask", { id: taskId })),
  );
  for (const path of ["agents", "agents/people", "schedules", `schedules/${schedule}`])
    responses.push(JSON.stringify(await ada.get(`/api/v1/${path}`)));
  responses.push(JSON.stringify(await ada.history(conversationId)));
  return { schedule, responses };
}

/** Lists the stored files that contain a text. */
function findFilesWith(text: string): string[] {
  const files = readdirSync(runtime.state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(text));
}

test("secrets of webhooks, push notifications and MCP servers are used, but neither returned nor stored in plain text", async () => {
  const { schedule, responses } = await registerSecrets();
  for (const secret of Object.values(SECRETS)) expect(responses.join("\n")).not.toContain(secret);

  await runtime.kill();
  // The URLs next to the secrets are found, so the search covers their rows.
  for (const url of [`${receiverUrl}/webhook`, `${receiverUrl}/push`, mcp.url])
    expect(findFilesWith(url), url).not.toEqual([]);
  for (const [kind, secret] of Object.entries(SECRETS)) expect(findFilesWith(secret), kind).toEqual([]);
  await runtime.restart();

  await vi.waitFor(() => expect(received.filter(({ path }) => path === "/push")).toHaveLength(2), 20_000);
  for (const { headers } of received.filter(({ path }) => path === "/push")) {
    expect(headers).toMatchObject({
      "x-a2a-notification-token": SECRETS.token,
      authorization: `Bearer ${SECRETS.credentials}`,
    });
  }
  expect((await ada.request("POST", `/api/v1/schedules/${schedule}/run`)).status).toBeLessThan(300);
  const delivery = await vi.waitFor(() => {
    const found = received.find(({ path }) => path === "/webhook");
    if (found === undefined) throw new Error("No delivery yet");
    return found;
  }, 20_000);
  new Webhook(WEBHOOK_SECRET).verify(delivery.body, delivery.headers as Record<string, string>);

  mcp.requests.length = 0;
  await ada.request("POST", "/api/v1/agents/people/execute", { action: "Look up Ann", parameters: { name: "Ann" } });
  expect(new Set(mcp.requests.map(({ headers }) => headers.get("authorization")))).toEqual(
    new Set([`Bearer ${SECRETS.header}`]),
  );
});
