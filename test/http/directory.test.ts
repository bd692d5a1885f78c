// The directory is down: what needs it says so, everything else goes on.

import { beforeAll, expect, test } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { ask, call, DOWN, must, newConversation, readStream, refused, settled, talk } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const down = { env: DOWN };
let id: string;
beforeAll(async () => {
  ({ conversation_id: id } = await talk("首先查询现在时间然后计算678乘以8776的结果"));
});

test.each([
  ["GET", "/api/v1/conversations", undefined],
  ["GET", "/api/v1/tasks/task-00000000000000000000000000000000", undefined],
  ["POST", "/api/v1/tasks/task-00000000000000000000000000000000/cancel", undefined],
  ["GET", "/api/v1/schedules", undefined],
  ["GET", "/api/v1/schedules/task-00000000000000000000000000000000", undefined],
  ["PATCH", "/api/v1/agents/assistant", { enabled: false }],
  ["DELETE", "/api/v1/agents/weather", undefined],
])("%s %s cannot be had, and the reason stays inside", async (method, path, body) => {
  const at = path.replace("assistant", encodeURIComponent(await someAgent()));
  const problem = await refused(method, at, { ...down, ...(body === undefined ? {} : { body }) });
  expect(problem).toMatchObject({ status: 503, code: "unavailable" });
  expect(JSON.stringify(problem)).not.toMatch(/D1|secret-host/);
});

async function someAgent(): Promise<string> {
  const { agents } = await ask<{ agents: Agent[] }>("GET", "/api/v1/agents", down);
  return must(agents[0]).name;
}

test("an agent that is not known may be one of theirs: whether there is one cannot be said", async () => {
  const options = { ...(await as("somebody-new")), env: { ...DOWN, ...BY_SECRET } };
  expect(await refused("GET", "/api/v1/agents/weather", options)).toMatchObject({ code: "unavailable" });
  const body = { action: "Look out of the window" };
  expect(await refused("POST", "/api/v1/agents/weather/execute", { ...options, body })).toMatchObject({ status: 503 });
});

test("health says what is missing", async () => {
  const response = await call("GET", "/health", down);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: "unavailable", missing: "the directory (D1)" });
});

test("a conversation that was not migrated to is missing too", async () => {
  const empty = { prepare: () => ({ first: () => Promise.reject(new Error("no such table: conversation")) }) };
  expect((await call("GET", "/health", { env: { DB: empty } })).status).toBe(503);
});

test("reading goes on", async () => {
  for (const part of ["", "/events", "/items", "/plans", "/tasks", "/context"]) {
    await ask("GET", `/api/v1/conversations/${id}${part}`, down);
  }
  expect((await ask<{ agents: Agent[] }>("GET", "/api/v1/agents", down)).agents.length).toBeGreaterThan(0);
});

test("so does talking", async () => {
  const { conversation_id: other } = await newConversation(down);
  await ask("POST", `/api/v1/conversations/${other}/messages`, { ...down, body: { message: "hello" } });
  await settled(other, 1, down);
  const response = await call("POST", "/api/v1/messages", {
    ...down,
    headers: { accept: "text/event-stream" },
    body: { message: "hello" },
  });
  const { events } = await readStream(response);
  expect(events.at(-1)?.frame.event).toBe("done");
  await ask("PATCH", `/api/v1/conversations/${other}`, { ...down, body: { title: "Still here" } });
});

test("what is not there is not there, rather than unavailable", async () => {
  for (const path of ["", "/events", "/items", "/tasks"]) {
    expect(await refused("GET", `/api/v1/conversations/none${path}`, down)).toMatchObject({ code: "not_found" });
  }
});

test("[F48] what may be the conversation of a task is neither begun nor missing, and any other name begins one", async () => {
  const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, down);
  const sub = must(tasks[0]).conversation_id;
  const named = (name: string) => ({ ...down, body: { message: "hello", conversation_id: name } });
  expect(await refused("POST", "/api/v1/messages", named(sub))).toMatchObject({ status: 503, code: "unavailable" });
  for (const part of ["", "/events", "/items"]) {
    expect(await refused("GET", `/api/v1/conversations/${sub}${part}`, down)).toMatchObject({ code: "unavailable" });
  }
  for (const name of [createId("conv"), "conv-mine"]) await ask("POST", "/api/v1/messages", named(name));
});
