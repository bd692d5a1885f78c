// Code that takes its host down: the whole runtime is killed while it runs, and started on what it had stored.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { isDone, listenTo, type Listener } from "../support/listener.ts";
import type { Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

/** Keeps the only thread that there is for most of the second that a call may compute. */
const SLOW = "function run() { let n = 0; for (let i = 0; i < 1e9; i++) n += i % 7; return n; }";
const GOOD = "function run() { return 42; }";
const QUARANTINED = /This code has twice not come back when it ran, so it is not run any more/;

let models: ModelServer;
let runtime: Runtime;
let person: Person;
let listener: Listener | undefined;

beforeAll(async () => {
  models = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: models.url } });
  person = personAt(runtime.url);
});
afterAll(async () => {
  listener?.close();
  await runtime.stop();
  await models.close();
});

/** Has the model write one of these programs for each part, the same at every attempt. */
function act(...programs: readonly string[]): string {
  const tasks = programs.map((_, i) => ({ id: i + 1, description: `part ${i + 1}`, category: "math" }));
  return models.act({
    "agent:toolsmith": ({ request }): Reply => {
      const name = request.tools?.[0]?.function.name ?? "";
      const asked = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
      const part = Number(/"description":"part (\d+)"/.exec(asked)?.[1] ?? 1);
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

/** The rows of code that was begun and has not come back, as they lie on the disk. */
function trials(): { run: string; lost: number }[] {
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

const executions = (frames: readonly Frame[]) =>
  eventsOf(frames, "tool_call_completed")
    .filter(({ payload }) => payload.tool_name === "execute")
    .map(({ payload }) => {
      const [{ content }] = JSON.parse(payload.tool_result) as [{ content: string }];
      return JSON.parse(content) as { result?: string; error?: string };
    });

test("[F97] [T3] code that twice took its host down is not run again, here or elsewhere, and fails alone", async () => {
  const { conversation_id: id } = (await person
    .request("POST", "/api/v1/conversations", {})
    .then((response) => response.json())) as { conversation_id: string };
  listener = listenTo({ url: runtime.url, conversationId: id });
  const { thread_id: threadId } = await listener.line.send(`Do it ${act(SLOW, GOOD)}`, { agent: "toolsmith" });
  for (const lost of [0, 1]) {
    await vi.waitFor(() => expect(trials()).toMatchObject([{ lost }]), { timeout: 10_000, interval: 5 });
    await runtime.kill();
    expect(trials()).toMatchObject([{ lost }]);
    await runtime.restart();
  }
  await listener.until(isDone(threadId));
  const log = await person.history(id);
  expect(breachesIn(log)).toEqual([]);
  const refused = { error: expect.stringMatching(QUARANTINED) as string };
  // One try was cut by each kill; what comes after them are the three attempts of the model, and the other part.
  expect(executions(log)).toEqual([refused, refused, refused, expect.objectContaining({ result: "42" })]);
  expect(textOf(log)).toMatch(/Task 1 \(part 1\): failed - .*twice not come back.*\nTask 2 \(part 2\): 42/);
  expect(eventsOf(log, "task_failed")).toEqual([]);

  const began = Date.now();
  const { frames } = await person.say(`The same ${act(SLOW, GOOD)}`, { agent: "toolsmith" });
  expect(executions(frames)).toEqual([refused, refused, refused, expect.objectContaining({ result: "42" })]);
  expect(Date.now() - began).toBeLessThan(5_000);
});
