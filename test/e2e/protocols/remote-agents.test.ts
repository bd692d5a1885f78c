// Remote agents: one whose task continues during a host crash, and one with credentials that must stay secret.

import { SignJWT } from "jose";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listen } from "../../support/net.ts";
import { createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

const SECRET = "a-secret-of-at-least-32-characters!";
const TOKEN = "canary-7d41c8a2e9b34f06";

let runtime: Runtime;
let ada: ApiUser;
const cleanups: (() => void)[] = [];

beforeAll(async () => {
  runtime = await startRuntime({ vars: { AUTH_SECRET: SECRET, ALLOW_PRIVATE_AGENTS: "1" } });
  const signed = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject("ada").setExpirationTime("5m");
  ada = createApiUser(runtime.url, await signed.sign(new TextEncoder().encode(SECRET)));
});
afterAll(async () => {
  for (const close of cleanups) close();
  await runtime.stop();
});

type Call = { readonly method: string; readonly id: number };
type RemoteAgent = { readonly url: string; readonly methods: string[] };

/** Starts a handwritten A2A agent without streaming. */
async function startRemoteAgent(
  name: string,
  answer: (method: string) => unknown,
  isAuthorized: (request: IncomingMessage) => boolean = () => true,
): Promise<RemoteAgent> {
  const methods: string[] = [];
  const respond = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const say = (json: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
    if (!isAuthorized(request)) return response.writeHead(401).end();
    const supportedInterfaces = [{ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    if (request.method === "GET") return say({ name, description: "Digs.", supportedInterfaces });
    const { method, id } = JSON.parse(body) as Call;
    methods.push(method);
    return say({ jsonrpc: "2.0", id, result: answer(method) });
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => respond(request, response, body));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, methods };
}

const createTask = (state: string, text?: string) => ({
  id: "t-1",
  contextId: "theirs",
  status: { state: `TASK_STATE_${state}` },
  artifacts: text === undefined ? [] : [{ artifactId: "a", parts: [{ text }] }],
});

test("[T4] a polled remote task continues during a host crash and is started once", async () => {
  let currentTask = createTask("WORKING", "Half a hole.");
  const agent = await startRemoteAgent("digger", (method) =>
    method === "SendMessage" ? { task: createTask("SUBMITTED") } : currentTask,
  );
  expect((await ada.request("POST", "/api/v1/agents", { url: agent.url })).status).toBe(201);
  const { conversation_id: id } = await ada.send("Dig.", { agent: "digger" });
  await vi.waitFor(() => expect(agent.methods.filter((name) => name === "GetTask").length).toBeGreaterThan(1), 10_000);
  await runtime.kill();
  currentTask = createTask("COMPLETED", "Half a hole. A whole hole.");
  await runtime.restart();
  const frames = await vi.waitFor(async () => {
    const history = await ada.history(id);
    expect(history.at(-1)?.event).toBe("done");
    return history;
  }, 30_000);
  expect(frames.filter(({ event }) => event === "task_completed")).toHaveLength(1);
  expect(joinText(frames, "digger").replaceAll("\n", "")).toBe("Half a hole. A whole hole.");
  expect(agent.methods.filter((name) => name === "SendMessage")).toHaveLength(1);
  expect(agent.methods).not.toContain("CancelTask");
});

test("credentials are sent to the agent and appear in no response, log or stored file", async () => {
  const agent = await startRemoteAgent(
    "keeper",
    () => ({ task: createTask("COMPLETED", "Open.") }),
    ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
  );
  const refused = await ada.request("POST", "/api/v1/agents", { url: agent.url });
  expect(refused.status).toBe(502);
  expect(await refused.text()).toContain("requires credentials");
  const registration = { url: agent.url, credentials: { type: "bearer", token: TOKEN } };
  const answers = [
    await ada.request("POST", "/api/v1/agents/preview", registration),
    await ada.request("POST", "/api/v1/agents", registration),
    await ada.request("GET", "/api/v1/agents"),
    await ada.request("GET", "/api/v1/agents/keeper"),
    await ada.request("POST", "/api/v1/agents", {
      ...registration,
      credentials: { type: "bearer", token: `${TOKEN} x` },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 400]);
  for (const answer of answers) expect(await answer.text()).not.toContain(TOKEN);
  const { frames, conversationId } = await ada.sendAndWait("Open.", { agent: "keeper" });
  expect(joinText(frames, "keeper")).toBe("Open.");
  expect(JSON.stringify(await ada.history(conversationId))).not.toContain(TOKEN);

  await runtime.kill();
  const stored = readdirSync(runtime.state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(stored.length).toBeGreaterThan(2);
  const filesWithToken = stored.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(TOKEN));
  expect(filesWithToken.map(({ name }) => name)).toEqual([]);
  await runtime.restart();
  expect(joinText((await ada.sendAndWait("Again.", { agent: "keeper" })).frames, "keeper")).toBe("Open.");

  expect((await ada.request("DELETE", "/api/v1/agents/keeper")).status).toBe(200);
  expect((await ada.request("POST", "/api/v1/agents", { url: agent.url })).status).toBe(502);
});
