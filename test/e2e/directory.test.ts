// The directory fails while conversations go on (I38): they do not need it, and it hears of them later.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { eventsOf, personAt, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  runtime = await startRuntime();
  person = personAt(runtime.url);
});
afterAll(() => runtime.stop());

/** Takes the directory's database for itself, so that the runtime cannot write it. What is returned gives it back. */
function seize(): () => void {
  const files = readdirSync(runtime.state, { recursive: true, encoding: "utf8" });
  const file = files.find((path) => /d1[^/]*\/.*\.sqlite$/i.test(path) && !path.includes("metadata"));
  if (file === undefined) throw new Error(`There is no database among ${files.join(", ")}`);
  const database = new DatabaseSync(join(runtime.state, file));
  database.exec("BEGIN EXCLUSIVE");
  let isHeld = true;
  const free = () => {
    if (isHeld) database.exec("ROLLBACK");
    isHeld = false;
  };
  onTestFinished(() => {
    free();
    database.close();
  });
  return free;
}

async function list(): Promise<ConversationInfo[]> {
  return (await person.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=100")).conversations;
}

test("[I38] while the directory is down conversations begin, go on and can be read", async () => {
  const { conversationId: old } = await person.say("hello");
  const free = seize();
  const refused = await person.request("PATCH", "/api/v1/agents/assistant", { enabled: false });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "unavailable" });

  const fresh = await person.say("首先查询现在时间然后计算678乘以8776的结果");
  expect(eventsOf(fresh.frames, "task_completed")).toHaveLength(2);
  expect(breachesIn(await person.history(fresh.conversationId))).toEqual([]);
  expect((await person.say("hello", { in: old })).frames.at(-1)?.event).toBe("done");
  expect(await person.get(`/api/v1/conversations/${fresh.conversationId}`)).toMatchObject({ status: "completed" });
  expect((await list()).map(({ conversation_id: id }) => id)).not.toContain(fresh.conversationId);

  free();
  await person.say("hello", { in: fresh.conversationId });
  await vi.waitFor(async () => {
    expect(await list()).toContainEqual(
      expect.objectContaining({ conversation_id: fresh.conversationId, status: "completed" }),
    );
  }, 5_000);
});

test("[F76] [F79] the list shows the newest first, and what was deleted no more", async () => {
  const { conversationId: first } = await person.say("hello");
  const { conversationId: second } = await person.say("计算 6 乘以 7");
  const mine = async () =>
    (await list()).map(({ conversation_id: id }) => id).filter((id) => id === first || id === second);
  await vi.waitFor(async () => expect(await mine()).toEqual([second, first]), 5_000);
  await person.say("thanks", { in: first });
  await vi.waitFor(async () => expect(await mine()).toEqual([first, second]), 5_000);
  expect((await person.request("DELETE", `/api/v1/conversations/${first}`)).status).toBe(200);
  expect(await mine()).toEqual([second]);
  expect((await person.request("GET", `/api/v1/conversations/${first}/events`)).status).toBe(404);
});
