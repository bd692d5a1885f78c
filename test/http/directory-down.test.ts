// The directory is down: operations that need it fail, all others continue.

import { beforeAll, expect, test } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import {
  callRoute,
  call,
  BROKEN_DB,
  assertPresent,
  createConversation,
  readStream,
  callForProblem,
  waitForThreads,
  sendAndWait,
} from "./support.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

const DIRECTORY_DOWN = { env: BROKEN_DB };
let id: string;
beforeAll(async () => {
  ({ conversation_id: id } = await sendAndWait("首先查询现在时间然后计算678乘以8776的结果"));
});

test.each([
  ["GET", "/api/v1/conversations", undefined],
  ["GET", "/api/v1/tasks/task-00000000000000000000000000000000", undefined],
  ["POST", "/api/v1/tasks/task-00000000000000000000000000000000/cancel", undefined],
  ["GET", "/api/v1/schedules", undefined],
  ["GET", "/api/v1/schedules/task-00000000000000000000000000000000", undefined],
  ["PATCH", "/api/v1/agents/assistant", { enabled: false }],
  ["DELETE", "/api/v1/agents/weather", undefined],
  ["GET", "/api/v1/plan-templates", undefined],
  ["GET", "/api/v1/tools?q=multiply", undefined],
  ["DELETE", "/api/v1/tools/multiply_numbers", undefined],
])("%s %s returns 503 without the internal reason", async (method, path, body) => {
  const problem = await callForProblem(method, path, { ...DIRECTORY_DOWN, ...(body === undefined ? {} : { body }) });
  expect(problem).toMatchObject({ status: 503, code: "unavailable" });
  expect(JSON.stringify(problem)).not.toMatch(/D1|secret-host/);
});

test("an agent that is not built in is unavailable, since it may be registered", async () => {
  const options = { ...(await authenticateAs("somebody-new")), env: { ...BROKEN_DB, ...WITH_SECRET } };
  expect(await callForProblem("GET", "/api/v1/agents/weather", options)).toMatchObject({ code: "unavailable" });
  const body = { action: "Look out of the window" };
  expect(await callForProblem("POST", "/api/v1/agents/weather/execute", { ...options, body })).toMatchObject({
    status: 503,
  });
});

test("health reports what is missing", async () => {
  const response = await call("GET", "/health", DIRECTORY_DOWN);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: "unavailable", missing: "the directory (D1)" });
});

test("health reports a database without migrations as missing", async () => {
  const empty = { prepare: () => ({ first: () => Promise.reject(new Error("no such table: conversation")) }) };
  expect((await call("GET", "/health", { env: { DB: empty } })).status).toBe(503);
});

test("conversations can still be read", async () => {
  for (const part of ["", "/events", "/items", "/plans", "/tasks", "/context"]) {
    await callRoute("GET", `/api/v1/conversations/${id}${part}`, DIRECTORY_DOWN);
  }
  expect((await callRoute<{ agents: Agent[] }>("GET", "/api/v1/agents", DIRECTORY_DOWN)).agents.length).toBeGreaterThan(
    0,
  );
});

test("conversations can still be created and continued", async () => {
  const { conversation_id: other } = await createConversation(DIRECTORY_DOWN);
  await callRoute("POST", `/api/v1/conversations/${other}/messages`, { ...DIRECTORY_DOWN, body: { message: "hello" } });
  await waitForThreads(other, 1, DIRECTORY_DOWN);
  const response = await call("POST", "/api/v1/messages", {
    ...DIRECTORY_DOWN,
    headers: { accept: "text/event-stream" },
    body: { message: "hello" },
  });
  const { events } = await readStream(response);
  expect(events.at(-1)?.frame.event).toBe("done");
  await callRoute("PATCH", `/api/v1/conversations/${other}`, { ...DIRECTORY_DOWN, body: { title: "Still here" } });
});

test("an unknown conversation is not found, not unavailable", async () => {
  for (const path of ["", "/events", "/items", "/tasks"]) {
    expect(await callForProblem("GET", `/api/v1/conversations/none${path}`, DIRECTORY_DOWN)).toMatchObject({
      code: "not_found",
    });
  }
});

test("[F48] a possible conversation of a task is unavailable, and any other id starts a conversation", async () => {
  const { tasks } = await callRoute<{ tasks: Task[] }>("GET", `/api/v1/conversations/${id}/tasks`, DIRECTORY_DOWN);
  const sub = assertPresent(tasks[0]).conversation_id;
  const createBody = (name: string) => ({ ...DIRECTORY_DOWN, body: { message: "hello", conversation_id: name } });
  expect(await callForProblem("POST", "/api/v1/messages", createBody(sub))).toMatchObject({
    status: 503,
    code: "unavailable",
  });
  for (const part of ["", "/events", "/items"]) {
    expect(await callForProblem("GET", `/api/v1/conversations/${sub}${part}`, DIRECTORY_DOWN)).toMatchObject({
      code: "unavailable",
    });
  }
  for (const name of [createId("conv"), "conv-mine"]) await callRoute("POST", "/api/v1/messages", createBody(name));
});
