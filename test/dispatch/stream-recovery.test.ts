// Lines to agents that break, and what is known of their tasks after a crash.

import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { requestFor, textOf } from "../agents/fixtures/local.ts";
import { json, known, odd, run, sse, stopAfterEach, taskIn, words } from "./fixtures/foreign.ts";

stopAfterEach();

describe("a line that breaks", () => {
  const STREAMS = { capabilities: { streaming: true } };

  test("is taken up again by SubscribeToTask, and nothing is told twice", async () => {
    const agent = await odd(({ method, id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "SendStreamingMessage") {
        response.write(sse(id, { task: taskIn("WORKING") }) + sse(id, words("one two")));
        setTimeout(() => response.socket?.destroy(), 50);
        return;
      }
      response.write(sse(id, { task: taskIn("WORKING", "one two three") }));
      response.end(sse(id, words(" four")) + sse(id, { task: taskIn("COMPLETED", "one two three four") }));
    }, STREAMS);
    const events = await run(agent.url);
    expect(textOf(events)).toBe("one two three four");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
  });

  test("of 0.3 is taken up again by tasks/resubscribe, and nothing is told twice", async () => {
    const task03 = (state: string, text: string) => ({
      kind: "task",
      id: "t-1",
      contextId: "theirs",
      status: { state },
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text }] }],
    });
    const agent = await odd(
      ({ method, id }, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (method === "message/stream") {
          response.write(sse(id, task03("working", "one")));
          setTimeout(() => response.socket?.destroy(), 50);
        } else response.end(sse(id, task03("completed", "one two")));
      },
      { ...STREAMS, url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined },
    );
    const events = await run(agent.url);
    expect(textOf(events)).toBe("one two");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["message/stream", "tasks/resubscribe"]);
  });

  test("where none can subscribe, is taken up by asking how the task stands", async () => {
    let asked = 0;
    const agent = await odd(({ method, id }, response) => {
      if (method === "GetTask")
        return void json(response, id, taskIn((asked += 1) < 2 ? "WORKING" : "COMPLETED", "all"));
      if (method === "SubscribeToTask") {
        const error = { code: -32_601, message: "no such method" };
        return void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" }).write(sse(id, { task: taskIn("WORKING") }));
      setTimeout(() => response.socket?.destroy(), 50);
    }, STREAMS);
    const events = await run(agent.url);
    expect(textOf(events)).toBe("all");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("right after the question that was answered, is taken up again", async () => {
    const agent = await odd(({ method, id }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (method === "SendStreamingMessage") {
        response.write(sse(id, { task: taskIn("INPUT_REQUIRED") }));
        setTimeout(() => response.socket?.destroy(), 50);
      } else response.end(sse(id, { task: taskIn("WORKING") }) + sse(id, { task: taskIn("COMPLETED", "Booked.") }));
    }, STREAMS);
    const events = await run(agent.url, { reply: { answer: { message: "Oslo" }, remote_task_id: "t-1" } });
    expect(textOf(events)).toBe("Booked.");
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(agent.methods).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
  });

  test("before anything came back is not taken up: the answer may not have arrived", async () => {
    const agent = await odd(({ method }, response) => {
      if (method !== "CancelTask") response.socket?.destroy();
    }, STREAMS);
    const events = await run(agent.url, { reply: { answer: { message: "Oslo" }, remote_task_id: "t-1" } });
    expect(events).toMatchObject([{ type: "failed", code: "agent_unreachable" }]);
    expect(agent.methods).not.toContain("SubscribeToTask");
  });

  test("of a task that is asked for, for a moment, is forgiven", async () => {
    let asked = 0;
    const agent = await odd(({ method, id }, response) => {
      if (method === "SendMessage") return void json(response, id, { task: taskIn("WORKING") });
      asked += 1;
      if (asked === 1 || asked === 2) return void response.socket?.destroy();
      json(response, id, taskIn("COMPLETED", "late"));
    });
    const events = await run(agent.url);
    expect(textOf(events)).toBe("late");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });
});

describe("a task that its agent does not know any more", () => {
  const unknown = { code: -32_001, message: "Task not found" };
  const refuse = (response: ServerResponse, id: number) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: unknown }));
  const stopped = { type: "failed", code: "agent_protocol", reason: expect.stringMatching(/stopped before/) as string };

  test("has stopped, where its stream ended before it did", async () => {
    const agent = await odd(
      ({ method, id }, response) => {
        if (method !== "SendStreamingMessage") return void refuse(response, id);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(sse(id, { task: taskIn("WORKING") }) + sse(id, words("half")));
      },
      { capabilities: { streaming: true } },
    );
    const events = await run(agent.url);
    expect(textOf(events)).toBe("half");
    expect(events.at(-1)).toEqual(stopped);
  });

  test("has stopped, where it does not stream", async () => {
    const agent = await odd(({ method, id }, response) => {
      if (method === "SendMessage") json(response, id, { task: taskIn("WORKING") });
      else refuse(response, id);
    });
    expect((await run(agent.url)).at(-1)).toEqual(stopped);
  });

  test("D4: an agent that tells of another task instead has stopped too, and is not asked for ever", async () => {
    const agent = await odd(({ method, id }, response) => {
      if (method === "SendMessage") return void json(response, id, { task: taskIn("WORKING") });
      json(response, id, { ...taskIn("COMPLETED", "not ours"), id: "t-2" });
    });
    const events = await run(agent.url);
    expect(textOf(events)).toBe("");
    expect(events.at(-1)).toEqual({
      type: "failed",
      code: "agent_protocol",
      reason: expect.stringMatching(/another task/) as string,
    });
  });
});

test.each([
  ["from the first on", ["The quick b", "The quick brown f", "The quick brown fox."]],
  ["after one that brings nothing", [undefined, "The quick b", "The quick brown f", "The quick brown fox."]],
])("[F64] a text that grows from look to look, %s, is not cut by what is kept for a crash", async (_name, grown) => {
  let looks = 0;
  const agent = await odd(({ method, id }, response) => {
    if (method === "SendMessage") return void json(response, id, { task: taskIn("SUBMITTED") });
    const text = grown[looks];
    looks += 1;
    json(response, id, taskIn(looks < grown.length ? "WORKING" : "COMPLETED", text));
  });
  const events = await run(agent.url);
  expect(events.map(({ type }) => type)).toEqual(["accepted", "checkpoint", "text", "text", "text", "completed"]);
  const kept = events.find((event) => event.type === "checkpoint");
  looks = 1;
  const again = await run(agent.url, { checkpoint: kept?.state ?? "" });
  expect([textOf(events), textOf(again)]).toEqual(["The quick brown fox.", "The quick brown fox."]);
});

test("T4: a task that works on its own is asked further after a crash, and nothing is told or begun twice", async () => {
  let text = "first";
  let state = "WORKING";
  const map = { artifactId: "map", parts: [{ url: "https://a.dev/map.png" }] };
  const shown = () => {
    const task = taskIn(state, text);
    return { ...task, artifacts: [...task.artifacts, map] };
  };
  const agent = await odd(({ method, id }, response) =>
    json(response, id, method === "SendMessage" ? { task: taskIn("SUBMITTED") } : shown()),
  );
  const start = await known(agent.url);
  const before: AgentEvent[] = [];
  for await (const event of start(requestFor("go"), new AbortController().signal)) {
    before.push(event);
    // The host dies here: nothing is said to the agent any more.
    if (event.type === "checkpoint") break;
  }
  const kept = before.at(-1);
  expect(textOf(before)).toBe("first");
  expect(before.filter(({ type }) => type === "component")).toHaveLength(1);
  [text, state] = ["first and last", "COMPLETED"];
  const methods = agent.methods.length;
  const events = await run(agent.url, { checkpoint: kept?.type === "checkpoint" ? kept.state : "" });
  expect(textOf(events)).toBe(" and last");
  expect(events.filter(({ type }) => type === "component")).toEqual([]);
  expect(events.at(-1)).toEqual({ type: "completed" });
  expect(agent.methods.slice(methods).filter((method) => method !== "CancelTask")).toEqual(["GetTask"]);
});
