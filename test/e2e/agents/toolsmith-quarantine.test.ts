// Code that crashes its host: the whole runtime is killed while the code runs, and restarted on its storage.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { isDone, connectRecordingClient, type RecordingClient } from "../../support/recording-client.ts";
import type { ModelReply } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

/** Blocks the JavaScript thread for most of the allowed second. */
const SLOW = "function run() { let n = 0; for (let i = 0; i < 1e9; i++) n += i % 7; return n; }";
const GOOD = "function run() { return 42; }";
const QUARANTINED = /This code has twice not come back when it ran, so it is not run any more/;

let modelServer: ModelServer;
let runtime: Runtime;
let user: ApiUser;
let listener: RecordingClient | undefined;

beforeAll(async () => {
  modelServer = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: modelServer.url } });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  listener?.close();
  await runtime.stop();
  await modelServer.close();
});

/** Scripts a model that writes one of these programs for each sub-task, the same in every attempt. */
function scriptPrograms(...programs: readonly string[]): string {
  const tasks = programs.map((_, i) => ({ id: i + 1, description: `part ${i + 1}`, category: "math" }));
  return modelServer.addScript({
    "agent:toolsmith": ({ request }): ModelReply => {
      const name = request.tools?.[0]?.function.name ?? "";
      const userMessage = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
      const part = Number(/"description":"part (\d+)"/.exec(userMessage)?.[1] ?? 1);
      const written = { name: `part_${part}`, description: "A tool.", parameters: {}, code: programs[part - 1] };
      const answers: Record<string, object> = {
        plan_subtasks: { tasks },
        choose_tool: { use_existing: false, reason: "none fits" },
        write_tool: written,
      };
      const answer = answers[name];
      return answer === undefined ? { text: "Done." } : { calls: [{ name, arguments: answer }] };
    },
  });
}

/** Reads the rows of started executions without a result, from the database file. */
function readTrials(): { run: string; lost: number }[] {
  const folder = join(runtime.state, "d1");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
    (name) => name.endsWith(".sqlite") && !name.endsWith("metadata.sqlite"),
  );
  const database = new DatabaseSync(join(folder, file ?? ""), { readOnly: true });
  try {
    return database.prepare("SELECT run, lost FROM tool_trial").all() as { run: string; lost: number }[];
  } finally {
    database.close();
  }
}

const listExecutions = (frames: readonly Frame[]) =>
  filterEvents(frames, "tool_call_completed")
    .filter(({ payload }) => payload.tool_name === "execute")
    .map(({ payload }) => {
      const [{ content }] = JSON.parse(payload.tool_result) as [{ content: string }];
      return JSON.parse(content) as { result?: string; error?: string };
    });

test("[F97] [T3] code that crashed its host twice is not run again in any thread, and only its sub-task fails", async () => {
  const { conversation_id: id } = (await user
    .request("POST", "/api/v1/conversations", {})
    .then((response) => response.json())) as { conversation_id: string };
  listener = connectRecordingClient({ url: runtime.url, conversationId: id });
  const { thread_id: threadId } = await listener.connection.send(`Do it ${scriptPrograms(SLOW, GOOD)}`, {
    agent: "toolsmith",
  });
  for (const lost of [0, 1]) {
    await vi.waitFor(() => expect(readTrials()).toMatchObject([{ lost }]), { timeout: 10_000, interval: 5 });
    await runtime.kill();
    expect(readTrials()).toMatchObject([{ lost }]);
    await runtime.restart();
  }
  await listener.waitFor(isDone(threadId));
  const log = await user.history(id);
  expect(findViolations(log)).toEqual([]);
  const refused = { error: expect.stringMatching(QUARANTINED) as string };
  // Each kill interrupted one execution. Then follow the three attempts of the model and the other sub-task.
  expect(listExecutions(log)).toEqual([refused, refused, refused, expect.objectContaining({ result: "42" })]);
  expect(joinText(log)).toMatch(/Task 1 \(part 1\) failed: .*twice not come back.*\nTask 2 \(part 2\): 42/);
  expect(filterEvents(log, "task_failed")).toEqual([]);

  const began = Date.now();
  const { frames } = await user.sendAndWait(`The same ${scriptPrograms(SLOW, GOOD)}`, { agent: "toolsmith" });
  expect(listExecutions(frames)).toEqual([refused, refused, refused, expect.objectContaining({ result: "42" })]);
  expect(Date.now() - began).toBeLessThan(5_000);
});
