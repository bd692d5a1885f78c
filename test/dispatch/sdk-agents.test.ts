// Agents built with the server of the A2A SDK, in the current version and in 0.3.

import { AgentCard, Role, TaskState, Part, type Task } from "@a2a-js/sdk";
import {
  AgentEvent as Published,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import {
  DefaultRequestHandler as OldHandler,
  InMemoryTaskStore as OldStore,
  type AgentExecutor as OldExecutor,
} from "@a2a-js/sdk-03/server";
import { A2AExpressApp } from "@a2a-js/sdk-03/server/express";
import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { createRequest, joinTextEvents } from "../agents/fixtures/local-agent.ts";
import { registerAgent, runAgent, startServer, stopAfterEach } from "./fixtures/remote-agent.ts";

/** Express has no type declarations here. */
type Express = RequestListener & { use(...routes: unknown[]): void };
const express = createRequire(import.meta.url)("express") as () => Express;

stopAfterEach();

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
const createMessage = (text: string, { taskId, contextId }: RequestContext) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_AGENT,
  parts: [textPart(text)],
  taskId,
  contextId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** Books a table: asks for the city, returns all kinds of parts, and waits for a cancellation when told to wait. */
class BookingAgent implements AgentExecutor {
  readonly cancelled: string[] = [];
  readonly received: string[] = [];
  work = Promise.resolve();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const content = userMessage.parts[0]?.content;
    const words = content?.$case === "text" ? content.value : "";
    this.received.push(words);
    const status = (state: TaskState, text?: string) => ({
      state,
      message: text === undefined ? undefined : createMessage(text, context),
      timestamp: undefined,
    });
    const now: Task = {
      id: taskId,
      contextId,
      status: status(TaskState.TASK_STATE_WORKING),
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    const update = (state: TaskState, text?: string) =>
      bus.publish(Published.statusUpdate({ taskId, contextId, status: status(state, text), metadata: undefined }));
    bus.publish(Published.task(task ?? now));
    if (words === "wait") return;
    if (words === "go") {
      update(TaskState.TASK_STATE_INPUT_REQUIRED, "Which city?");
      return;
    }
    if (words === "log in") {
      update(TaskState.TASK_STATE_AUTH_REQUIRED, "Sign in at example.org");
      return;
    }
    update(TaskState.TASK_STATE_WORKING, "looking");
    await this.work;
    const parts: Part[] = [
      textPart(`A table in ${words}.`),
      { ...textPart(""), content: { $case: "data", value: { seats: 2 } }, mediaType: "application/json" },
      {
        ...textPart(""),
        content: { $case: "url", value: "https://a.dev/map.png" },
        filename: "map.png",
        mediaType: "image/png",
      },
      Part.fromJSON({ raw: "aGk=", filename: "hi.txt", mediaType: "text/plain" }),
    ];
    const artifact = { artifactId: "a", name: "", description: "", parts, metadata: undefined, extensions: [] };
    bus.publish(
      Published.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
    );
    update(TaskState.TASK_STATE_COMPLETED);
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    this.cancelled.push(taskId);
    bus.publish(
      Published.statusUpdate({
        taskId,
        contextId: "",
        status: { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined },
        metadata: undefined,
      }),
    );
  }
}

type ServerKind = { readonly binding: "JSONRPC" | "HTTP+JSON"; readonly streaming: boolean };

async function startSdkAgent(agent: AgentExecutor, { binding, streaming }: ServerKind): Promise<string> {
  const app = express();
  const url = await startServer(app);
  const card = AgentCard.fromJSON({
    name: "bookings",
    description: "Books tables.",
    version: "1",
    // A relative URL, after an interface with an unsupported protocol.
    supportedInterfaces: [
      { url: "http://127.0.0.1:1/", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: "/a2a", protocolBinding: binding, protocolVersion: "1.0" },
    ],
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", binding === "JSONRPC" ? jsonRpcHandler(options) : restHandler(options));
  return url;
}

const listComponents = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === "component" ? [[event.component_type, JSON.parse(event.content) as unknown]] : [],
  );

const PARTS = [
  ["data", { seats: 2 }],
  ["file", { name: "map.png", media_type: "image/png", url: "https://a.dev/map.png" }],
  ["file", { name: "hi.txt", media_type: "text/plain", bytes: "aGk=" }],
];

describe.each<ServerKind>([
  { binding: "JSONRPC", streaming: true },
  { binding: "JSONRPC", streaming: false },
  { binding: "HTTP+JSON", streaming: true },
  { binding: "HTTP+JSON", streaming: false },
])("SDK server over $binding, streaming: $streaming", (kind) => {
  test("asks, takes the answer in the same task and returns all kinds of parts", async () => {
    const agent = new BookingAgent();
    const url = await startSdkAgent(agent, kind);
    const firstEvents = await runAgent(url);
    const question = firstEvents.at(-1);
    expect(question).toMatchObject({ type: "input_required", prompt: "Which city?" });
    const accepted = firstEvents.find((event) => event.type === "accepted");
    const remote = accepted?.type === "accepted" ? accepted.remote_task_id : undefined;
    const state = question?.type === "input_required" ? question.state : undefined;
    const events = await runAgent(url, {
      message_id: "msg-2",
      reply: {
        answer: { message: "Oslo" },
        ...(remote === undefined ? {} : { remote_task_id: remote }),
        ...(state === undefined ? {} : { state }),
      },
    });
    expect(joinTextEvents(events)).toBe("A table in Oslo.");
    expect(listComponents(events)).toEqual(PARTS);
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.received).toEqual(["go", "Oslo"]);
  });

  test("reports required credentials as a failure with a message", async () => {
    expect((await runAgent(await startSdkAgent(new BookingAgent(), kind), { query: "log in" })).at(-1)).toEqual({
      type: "failed",
      reason: "The agent requires credentials: Sign in at example.org",
      code: "agent_unauthorized",
    });
  });
});

test.each(["JSONRPC", "HTTP+JSON"] as const)("SDK server over %s receives a cancellation", async (binding) => {
  const agent = new BookingAgent();
  agent.work = new Promise(() => undefined);
  const stop = new AbortController();
  const start = await registerAgent(await startSdkAgent(agent, { binding, streaming: true }));
  const events: AgentEvent[] = [];
  for await (const event of start(createRequest("Oslo"), stop.signal)) {
    events.push(event);
    if (event.type === "reasoning") stop.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_cancelled" });
  await expect.poll(() => agent.cancelled).toHaveLength(1);
});

test.each([true, false])(
  "SDK server of A2A 0.3, streaming: %s, returns text and supported parts",
  async (streaming) => {
    const agent: OldExecutor = {
      async execute({ taskId, contextId, userMessage }, bus) {
        const status = { state: "working" as const };
        bus.publish({ kind: "task", id: taskId, contextId, status, history: [userMessage] });
        const file = { name: "hi.txt", mimeType: "text/plain", bytes: "aGk=" };
        const parts = [
          { kind: "text" as const, text: "An old table." },
          { kind: "data" as const, data: { seats: 2 } },
          { kind: "file" as const, file },
        ];
        bus.publish({ kind: "artifact-update", taskId, contextId, artifact: { artifactId: "a", parts } });
        bus.publish({ kind: "status-update", taskId, contextId, status: { state: "completed" }, final: true });
        bus.finished();
      },
      cancelTask: async () => undefined,
    };
    const app = express();
    const url = await startServer(app);
    const card = {
      name: "old-bookings",
      description: "",
      version: "1",
      protocolVersion: "0.3.0",
      url: `${url}/`,
      capabilities: { streaming },
      defaultInputModes: ["text"],
      defaultOutputModes: ["text"],
      skills: [],
    };
    const routes = new A2AExpressApp(new OldHandler(card, new OldStore(), agent));
    routes.setupRoutes(app as never, "", undefined, ".well-known/agent.json");
    const events = await runAgent(url);
    expect(joinTextEvents(events)).toBe("An old table.");
    expect(listComponents(events)).toEqual([PARTS[0], PARTS[2]]);
    expect(events.at(-1)).toEqual({ type: "completed" });
  },
);
