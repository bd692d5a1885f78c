// Verification over the wire: an agent that would do its work again cannot, and what is not there fails the thread.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Item } from "../../src/protocol/wire/items.ts";
import { checklistEntrySchema, type ChecklistEntry } from "../../src/protocol/plans/verification.ts";
import { withGuestbook } from "../support/guestbook.ts";
import type { Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

function toolsOf({ request }: ModelCall): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name);
}

describe("with a model that would do anything", () => {
  let model: ModelServer;
  let runtime: Runtime;
  let person: Person;

  beforeAll(async () => {
    model = await startModelServer();
    const vars = { OPENAI_BASE_URL: model.url };
    runtime = await startRuntime({ vars, ...withGuestbook(vars) });
    person = personAt(runtime.url);
  });
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  /** Signs the book with the person's leave; `verifying` is what the agent does when it is to verify that. */
  async function sign(text: string, verifying: readonly Reply[]) {
    const work: readonly Reply[] = [
      { calls: [{ name: "sign_guestbook", arguments: { text } }] },
      { text: "It is signed." },
    ];
    const mark = model.act({
      "agent:guestbook": (call) =>
        (toolsOf(call).includes("sign_guestbook") ? work : verifying)[call.round] ?? { text: "Nothing more." },
    });
    const { conversation_id: id } = await person.tell(`Sign ${mark}`, { agent: "guestbook", verify: true });
    await vi.waitFor(async () => expect(eventsOf(await person.history(id), "task_waiting")).toHaveLength(1), 10_000);
    const answered = await person.request("POST", `/api/v1/conversations/${id}/resume`, { message: "approve" });
    expect(answered.status).toBe(202);
    await vi.waitFor(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"), 15_000);
    const log = await person.history(id);
    expect(breachesIn(log)).toEqual([]);
    const [verified] = eventsOf(log, "verification_completed");
    const checklist = (verified?.payload.results ?? []).map((entry): ChecklistEntry =>
      checklistEntrySchema.parse(entry),
    );
    const asked = model.callsOf(mark, "agent:guestbook").filter((call) => !toolsOf(call).includes("sign_guestbook"));
    return { id, log, checklist, asked };
  }

  test("[F131] an agent that tries its action again is refused it, looks, and is verified by what it saw", async () => {
    const { id, log, checklist, asked } = await sign("Once only", [
      { calls: [{ name: "sign_guestbook", arguments: { text: "Twice" } }] },
      { calls: [{ name: "read_guestbook", arguments: {} }] },
      { text: "It is there.\nVERIFIED" },
    ]);
    expect(asked.map(toolsOf)).toEqual([["read_guestbook"], ["read_guestbook"], ["read_guestbook"]]);
    expect(JSON.stringify(asked[1]?.request.messages.at(-1))).toContain("there is no tool sign_guestbook");
    expect(checklist).toMatchObject([
      { agent_id: "guestbook", status: "executed_and_verified", verified: true, tools_used: ["read_guestbook"] },
    ]);
    const ran = eventsOf(log, "tool_call_completed").filter(({ payload }) => payload.tool_name === "read_guestbook");
    expect(ran.map(({ payload }) => payload.tool_result)).toEqual(['[{"content":"Once only"}]']);
    expect(eventsOf(log, "task_waiting")).toHaveLength(1);
    expect(log.map(({ event }) => event)).not.toContain("system_failed");
    expect(textOf(log)).toBe("It is signed.");
    const { items } = await person.get<{ items: Item[] }>(`/api/v1/conversations/${id}/items`);
    expect(items.filter(({ event }) => event === "verification_completed")).toMatchObject([
      { payload: { summary: "1 of 1 task verified." } },
    ]);
  });

  test("[F136] an agent that finds its work undone fails the thread; what it had said stays", async () => {
    const { log, checklist } = await sign("Gone", [
      { calls: [{ name: "read_guestbook", arguments: {} }] },
      { text: "That is not what it should say.\nNOT VERIFIED" },
    ]);
    expect(checklist).toMatchObject([{ status: "verification_failed", verified: false }]);
    expect(eventsOf(log, "system_failed")).toMatchObject([{ payload: { code: "verification_failed" } }]);
    expect(eventsOf(log, "task_completed")).toHaveLength(1);
    expect(textOf(log)).toContain("It is signed.");
  });
});

describe("with the built-in model", () => {
  let runtime: Runtime;
  let person: Person;

  beforeAll(async () => {
    runtime = await startRuntime();
    person = personAt(runtime.url);
  });
  afterAll(() => runtime.stop());

  test.each([
    ["What is 678 * 8776? Then verify the result.", "5950128"],
    ["首先查询现在时间，然后计算678乘以8776，并验证结果", "5950128"],
  ])("the wish to verify is read from the words: %s", async (message, result) => {
    const { frames, conversationId } = await person.say(message);
    expect(breachesIn(await person.history(conversationId))).toEqual([]);
    expect(textOf(frames)).toContain(result);
    const [plan] = eventsOf(frames, "plan_created");
    expect(plan?.payload.plan.verify).toBe(true);
    const [verified] = eventsOf(frames, "verification_completed");
    expect(verified?.payload.results).toHaveLength(plan?.payload.plan.tasks.length ?? 0);
    expect(verified?.payload.results.at(-1)).toMatchObject({ verified: true, tools_used: ["calculate"] });
    expect(verified?.metadata).toMatchObject({ summary: { failed_count: 0, exception_count: 0 } });
    expect(frames.at(-1)?.event).toBe("done");
  });
});
