// Agents that others have built, with the SDK's own server of today and with that of 0.3.

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
import { requestFor, textOf } from "../agents/fixtures/local.ts";
import { known, run, serving, stopAfterEach } from "./fixtures/foreign.ts";

/** It comes without types. */
type Express = RequestListener & { use(...routes: unknown[]): void };
const express = createRequire(import.meta.url)("express") as () => Express;

stopAfterEach();

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
const said = (text: string, { taskId, contextId }: RequestContext) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_AGENT,
  parts: [textPart(text)],
  taskId,
  contextId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** Books a table: asks where, shows all kinds of parts, and waits to be cancelled when told to wait. */
class Bookings implements AgentExecutor {
  readonly cancelled: string[] = [];
  readonly begun: string[] = [];
  work = Promise.resolve();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const content = userMessage.parts[0]?.content;
    const words = content?.$case === "text" ? content.value : "";
    this.begun.push(words);
    const status = (state: TaskState, text?: string) => ({
      state,
      message: text === undefined ? undefined : said(text, context),
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

type Kind = { readonly binding: "JSONRPC" | "HTTP+JSON"; readonly streaming: boolean };

async function theirs(agent: AgentExecutor, { binding, streaming }: Kind): Promise<string> {
  const app = express();
  const url = await serving(app);
  const card = AgentCard.fromJSON({
    name: "bookings",
    description: "Books tables.",
    version: "1",
    // Relative, and with others that we do not speak.
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

const shown = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === "component" ? [[event.component_type, JSON.parse(event.content) as unknown]] : [],
  );

const PARTS = [
  ["data", { seats: 2 }],
  ["file", { name: "map.png", media_type: "image/png", url: "https://a.dev/map.png" }],
  ["file", { name: "hi.txt", media_type: "text/plain", bytes: "aGk=" }],
];

describe.each<Kind>([
  { binding: "JSONRPC", streaming: true },
  { binding: "JSONRPC", streaming: false },
  { binding: "HTTP+JSON", streaming: true },
  { binding: "HTTP+JSON", streaming: false },
])("the SDK's server over $binding, streaming: $streaming", (kind) => {
  test("asks, takes the answer in the same task, and shows all kinds of parts", async () => {
    const agent = new Bookings();
    const url = await theirs(agent, kind);
    const asked = await run(url);
    const question = asked.at(-1);
    expect(question).toMatchObject({ type: "input_required", prompt: "Which city?" });
    const accepted = asked.find((event) => event.type === "accepted");
    const remote = accepted?.type === "accepted" ? accepted.remote_task_id : undefined;
    const state = question?.type === "input_required" ? question.state : undefined;
    const events = await run(url, {
      message_id: "msg-2",
      reply: {
        answer: { message: "Oslo" },
        ...(remote === undefined ? {} : { remote_task_id: remote }),
        ...(state === undefined ? {} : { state }),
      },
    });
    expect(textOf(events)).toBe("A table in Oslo.");
    expect(shown(events)).toEqual(PARTS);
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.begun).toEqual(["go", "Oslo"]);
  });

  test("that wants a login says so in words", async () => {
    expect((await run(await theirs(new Bookings(), kind), { query: "log in" })).at(-1)).toEqual({
      type: "failed",
      reason: "The agent asks for credentials: Sign in at example.org",
      code: "agent_unauthorized",
    });
  });
});

test.each(["JSONRPC", "HTTP+JSON"] as const)("the SDK's server over %s hears of a cancellation", async (binding) => {
  const agent = new Bookings();
  agent.work = new Promise(() => undefined);
  const stop = new AbortController();
  const start = await known(await theirs(agent, { binding, streaming: true }));
  const events: AgentEvent[] = [];
  for await (const event of start(requestFor("Oslo"), stop.signal)) {
    events.push(event);
    if (event.type === "reasoning") stop.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_cancelled" });
  await expect.poll(() => agent.cancelled).toHaveLength(1);
});

test.each([true, false])("the SDK's server of 0.3, streaming: %s", async (streaming) => {
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
  const url = await serving(app);
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
  const events = await run(url);
  expect(textOf(events)).toBe("An old table.");
  expect(shown(events)).toEqual([PARTS[0], PARTS[2]]);
  expect(events.at(-1)).toEqual({ type: "completed" });
});
