// Connections to agents that break, and tasks after a crash.

import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { createRequest, joinTextEvents } from "../agents/fixtures/local-agent.ts";
import {
  writeJson,
  registerAgent,
  startAgent,
  runAgent,
  formatSse,
  stopAfterEach,
  createTask,
  createTextUpdate,
} from "./fixtures/remote-agent.ts";

stopAfterEach();

describe("broken connection", () => {
  const STREAMS = { capabilities: { streaming: true } };

  test("is resumed with SubscribeToTask without duplicates", async () => {
    const agent = await startAgent(({ method, id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "SendStreamingMessage") {
        response.write(formatSse(id, { task: createTask("WORKING") }) + formatSse(id, createTextUpdate("one two")));
        setTimeout(() => response.socket?.destroy(), 50);
        return;
      }
      response.write(formatSse(id, { task: createTask("WORKING", "one two three") }));
      response.end(
        formatSse(id, createTextUpdate(" four")) +
          formatSse(id, { task: createTask("COMPLETED", "one two three four") }),
      );
    }, STREAMS);
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("one two three four");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
  });

  test("is resumed with tasks/resubscribe in A2A 0.3 without duplicates", async () => {
    const task03 = (state: string, text: string) => ({
      kind: "task",
      id: "t-1",
      contextId: "theirs",
      status: { state },
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text }] }],
    });
    const agent = await startAgent(
      ({ method, id }, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (method === "message/stream") {
          response.write(formatSse(id, task03("working", "one")));
          setTimeout(() => response.socket?.destroy(), 50);
        } else response.end(formatSse(id, task03("completed", "one two")));
      },
      { ...STREAMS, url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined },
    );
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("one two");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["message/stream", "tasks/resubscribe"]);
  });

  test("is resumed by polling the task if the agent does not support subscriptions", async () => {
    let polls = 0;
    const agent = await startAgent(({ method, id }, response) => {
      if (method === "GetTask")
        return void writeJson(response, id, createTask((polls += 1) < 2 ? "WORKING" : "COMPLETED", "all"));
      if (method === "SubscribeToTask") {
        const error = { code: -32_601, message: "no such method" };
        return void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      }
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .write(formatSse(id, { task: createTask("WORKING") }));
      setTimeout(() => response.socket?.destroy(), 50);
    }, STREAMS);
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("all");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("is resumed directly after an answered question", async () => {
    const agent = await startAgent(({ method, id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "SendStreamingMessage") {
        response.write(formatSse(id, { task: createTask("INPUT_REQUIRED") }));
        setTimeout(() => response.socket?.destroy(), 50);
      } else
        response.end(
          formatSse(id, { task: createTask("WORKING") }) + formatSse(id, { task: createTask("COMPLETED", "Booked.") }),
        );
    }, STREAMS);
    const events = await runAgent(agent.url, { reply: { answer: { message: "Oslo" }, remote_task_id: "t-1" } });
    expect(joinTextEvents(events)).toBe("Booked.");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
  });

  test("is not resumed before the first response, because the answer may not have arrived", async () => {
    const agent = await startAgent(({ method }, response) => {
      if (method !== "CancelTask") response.socket?.destroy();
    }, STREAMS);
    const events = await runAgent(agent.url, { reply: { answer: { message: "Oslo" }, remote_task_id: "t-1" } });
    expect(events).toMatchObject([{ type: "failed", code: "agent_unreachable" }]);
    expect(agent.methods).not.toContain("SubscribeToTask");
  });

  test("is tolerated for a short time while a task is polled", async () => {
    let polls = 0;
    const agent = await startAgent(({ method, id }, response) => {
      if (method === "SendMessage") return void writeJson(response, id, { task: createTask("WORKING") });
      polls += 1;
      if (polls === 1 || polls === 2) return void response.socket?.destroy();
      writeJson(response, id, createTask("COMPLETED", "late"));
    });
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("late");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });
});

describe("task that its agent no longer knows", () => {
  const unknown = { code: -32_001, message: "Task not found" };
  const refuse = (response: ServerResponse, id: number) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: unknown }));
  const stopped = { type: "failed", code: "agent_protocol", reason: expect.stringMatching(/stopped before/) as string };

  test("has failed if its stream ended early", async () => {
    const agent = await startAgent(
      ({ method, id }, response) => {
        if (method !== "SendStreamingMessage") return void refuse(response, id);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(formatSse(id, { task: createTask("WORKING") }) + formatSse(id, createTextUpdate("half")));
      },
      { capabilities: { streaming: true } },
    );
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("half");
    expect(events.at(-1)).toEqual(stopped);
  });

  test("has failed if it does not stream", async () => {
    const agent = await startAgent(({ method, id }, response) => {
      if (method === "SendMessage") writeJson(response, id, { task: createTask("WORKING") });
      else refuse(response, id);
    });
    expect((await runAgent(agent.url)).at(-1)).toEqual(stopped);
  });

  test("[D4] has failed if its agent returns another task, and is not polled forever", async () => {
    const agent = await startAgent(({ method, id }, response) => {
      if (method === "SendMessage") return void writeJson(response, id, { task: createTask("WORKING") });
      writeJson(response, id, { ...createTask("COMPLETED", "not ours"), id: "t-2" });
    });
    const events = await runAgent(agent.url);
    expect(joinTextEvents(events)).toBe("");
    expect(events.at(-1)).toEqual({
      type: "failed",
      code: "agent_protocol",
      reason: expect.stringMatching(/different task/) as string,
    });
  });
});

test.each([
  ["from the first poll on", ["The quick b", "The quick brown f", "The quick brown fox."]],
  ["after a first poll without text", [undefined, "The quick b", "The quick brown f", "The quick brown fox."]],
])("[F64] a text that grows between polls, %s, is complete after a crash", async (_name, texts) => {
  let polls = 0;
  const agent = await startAgent(({ method, id }, response) => {
    if (method === "SendMessage") return void writeJson(response, id, { task: createTask("SUBMITTED") });
    const text = texts[polls];
    polls += 1;
    writeJson(response, id, createTask(polls < texts.length ? "WORKING" : "COMPLETED", text));
  });
  const events = await runAgent(agent.url);
  expect(events.map(({ type }) => type)).toEqual(["accepted", "checkpoint", "text", "text", "text", "completed"]);
  const checkpoint = events.find((event) => event.type === "checkpoint");
  polls = 1;
  const resumed = await runAgent(agent.url, { checkpoint: checkpoint?.state ?? "" });
  expect([joinTextEvents(events), joinTextEvents(resumed)]).toEqual(["The quick brown fox.", "The quick brown fox."]);
});

test("[T4] polls a running task after a crash without repeating text, components or the task", async () => {
  let text = "first";
  let state = "WORKING";
  const map = { artifactId: "map", parts: [{ url: "https://a.dev/map.png" }] };
  const createShownTask = () => {
    const task = createTask(state, text);
    return { ...task, artifacts: [...task.artifacts, map] };
  };
  const agent = await startAgent(({ method, id }, response) =>
    writeJson(response, id, method === "SendMessage" ? { task: createTask("SUBMITTED") } : createShownTask()),
  );
  const start = await registerAgent(agent.url);
  const before: AgentEvent[] = [];
  for await (const event of start(createRequest("go"), new AbortController().signal)) {
    before.push(event);
    // The host crashes here: the agent receives no further message.
    if (event.type === "checkpoint") break;
  }
  const checkpoint = before.at(-1);
  expect(joinTextEvents(before)).toBe("first");
  expect(before.filter(({ type }) => type === "component")).toHaveLength(1);
  [text, state] = ["first and last", "COMPLETED"];
  const methods = agent.methods.length;
  const events = await runAgent(agent.url, { checkpoint: checkpoint?.type === "checkpoint" ? checkpoint.state : "" });
  expect(joinTextEvents(events)).toBe(" and last");
  expect(events.filter(({ type }) => type === "component")).toEqual([]);
  expect(events.at(-1)).toEqual({ type: "completed" });
  expect(agent.methods.slice(methods).filter((method) => method !== "CancelTask")).toEqual(["GetTask"]);
});
