// Verification in the whole system: an agent cannot repeat its work, and a missing result fails the thread.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Item } from "../../src/protocol/wire/items.ts";
import { checklistEntrySchema, type ChecklistEntry } from "../../src/protocol/plans/verification.ts";
import { withGuestbook } from "../support/guestbook.ts";
import type { ModelReply } from "../support/model-reply.ts";
import { startModelServer, toLetters, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { shareRuntime } from "../support/shared-runtime.ts";

describe("verification with a scripted model", () => {
  let model: ModelServer;
  let runtime: Runtime;
  let user: ApiUser;

  beforeAll(async () => {
    model = await startModelServer(toLetters);
    const vars = { OPENAI_BASE_URL: model.url };
    runtime = await startRuntime({ vars, ...withGuestbook(vars) });
    user = createApiUser(runtime.url);
  });
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  const APPROVED = { message: "approve" };
  const signed: ModelReply = { text: "It is signed." };

  /** Asks for a signature and returns the log and the checklist. The model calls the tools of `work` in every attempt. */
  async function signAndVerify(text: string, work: readonly ModelReply[], approvals: number) {
    const criterion = { tool: "read_guestbook", arguments: {}, holds: `result contains "${text}"` };
    const state: ModelReply = { calls: [{ name: "state_criterion", arguments: criterion }] };
    const isRepair = (call: ModelCall) => JSON.stringify(call.request.messages).includes("failed_check");
    const mark = model.addScript({
      "agent:guestbook": (call) => (isRepair(call) ? work : [state, ...work])[call.round] ?? signed,
    });
    const { conversation_id: id } = await user.send(`Sign “${text}” ${mark}`, { agent: "guestbook", verify: true });
    for (let asked = 1; asked <= approvals; asked += 1) {
      await vi.waitFor(
        async () => expect(filterEvents(await user.history(id), "task_waiting")).toHaveLength(asked),
        10_000,
      );
      const answered = await user.request("POST", `/api/v1/conversations/${id}/resume`, APPROVED);
      expect(answered.status).toBe(202);
    }
    await vi.waitFor(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"), 15_000);
    const log = await user.history(id);
    expect(findViolations(log)).toEqual([]);
    const [verified] = filterEvents(log, "verification_completed");
    const checklist = (verified?.payload.results ?? []).map((entry): ChecklistEntry =>
      checklistEntrySchema.parse(entry),
    );
    return { id, log, checklist };
  }

  test("[F131] checks approved work by its criterion, once, with a read-only tool", async () => {
    const { id, log, checklist } = await signAndVerify(
      "Once only",
      [{ calls: [{ name: "sign_guestbook", arguments: { text: "Once only" } }] }],
      1,
    );
    expect(checklist).toMatchObject([
      { agent_id: "guestbook", status: "executed_and_verified", verified: true, evidence: { attempts: 1 } },
    ]);
    const lookups = filterEvents(log, "tool_call_completed").filter(
      ({ payload }) => payload.tool_name === "read_guestbook",
    );
    expect(lookups.map(({ payload }) => payload.tool_result.includes("Once only"))).toEqual([false, true]);
    expect(filterEvents(log, "task_waiting")).toHaveLength(1);
    expect(log.map(({ event }) => event)).not.toContain("system_failed");
    expect(joinText(log)).toBe("It is signed.");
    const { items } = await user.get<{ items: Item[] }>(`/api/v1/conversations/${id}/items`);
    expect(items.filter(({ event }) => event === "verification_completed")).toMatchObject([
      { payload: { summary: "1 of 1 task verified." } },
    ]);
  });

  test("[F136] fails the thread when the work is missing and keeps the answer of the agent", async () => {
    const { log, checklist } = await signAndVerify("Gone", [], 0);
    expect(checklist).toMatchObject([
      { status: "verification_failed", verified: false, evidence: { attempts: 3, before: false, after: false } },
    ]);
    expect(filterEvents(log, "system_failed")).toMatchObject([{ payload: { code: "verification_failed" } }]);
    expect(filterEvents(log, "task_completed")).toHaveLength(1);
    expect(joinText(log)).toContain("It is signed.");
  });
});

describe("verification with the embedded model", () => {
  let user: ApiUser;

  beforeAll(async () => {
    user = createApiUser((await shareRuntime()).url);
  });

  test.each([
    ["What is 678 * 8776? Then verify the result.", "5950128"],
    ["首先查询现在时间，然后计算678乘以8776，并验证结果", "5950128"],
  ])("runs when the message requests it: %s", async (message, result) => {
    const { frames, conversationId } = await user.sendAndWait(message);
    expect(findViolations(await user.history(conversationId))).toEqual([]);
    expect(joinText(frames)).toContain(result);
    const [plan] = filterEvents(frames, "plan_created");
    expect(plan?.payload.plan.verify).toBe(true);
    const [verified] = filterEvents(frames, "verification_completed");
    expect(verified?.payload.results).toHaveLength(plan?.payload.plan.tasks.length ?? 0);
    expect(verified?.payload.results.at(-1)).toMatchObject({ verified: true, tools_used: ["calculate"] });
    expect(verified?.metadata).toMatchObject({ summary: { failed_count: 0, exception_count: 0 } });
    expect(frames.at(-1)?.event).toBe("done");
  });
});
