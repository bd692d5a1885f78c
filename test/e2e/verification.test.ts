// Verification in the whole system: an agent cannot repeat its work, and a missing result fails the thread.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Item } from "../../src/protocol/wire/items.ts";
import { checklistEntrySchema, type ChecklistEntry } from "../../src/protocol/plans/verification.ts";
import { withGuestbook } from "../support/guestbook.ts";
import type { ModelReply } from "../support/model-reply.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { shareRuntime } from "../support/shared-runtime.ts";

function listToolNames({ request }: ModelCall): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name);
}

describe("verification with a scripted model", () => {
  let model: ModelServer;
  let runtime: Runtime;
  let user: ApiUser;

  beforeAll(async () => {
    model = await startModelServer();
    const vars = { OPENAI_BASE_URL: model.url };
    runtime = await startRuntime({ vars, ...withGuestbook(vars) });
    user = createApiUser(runtime.url);
  });
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  /** Signs the guestbook with an approval. `verificationReplies` are the model replies during the verification. */
  async function signAndVerify(text: string, verificationReplies: readonly ModelReply[]) {
    const work: readonly ModelReply[] = [
      { calls: [{ name: "sign_guestbook", arguments: { text } }] },
      { text: "It is signed." },
    ];
    const mark = model.addScript({
      "agent:guestbook": (call) =>
        (listToolNames(call).includes("sign_guestbook") ? work : verificationReplies)[call.round] ?? {
          text: "Nothing more.",
        },
    });
    const { conversation_id: id } = await user.send(`Sign ${mark}`, { agent: "guestbook", verify: true });
    await vi.waitFor(async () => expect(filterEvents(await user.history(id), "task_waiting")).toHaveLength(1), 10_000);
    const answered = await user.request("POST", `/api/v1/conversations/${id}/resume`, { message: "approve" });
    expect(answered.status).toBe(202);
    await vi.waitFor(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"), 15_000);
    const log = await user.history(id);
    expect(findViolations(log)).toEqual([]);
    const [verified] = filterEvents(log, "verification_completed");
    const checklist = (verified?.payload.results ?? []).map((entry): ChecklistEntry =>
      checklistEntrySchema.parse(entry),
    );
    const requests = model
      .getCalls(mark, "agent:guestbook")
      .filter((call) => !listToolNames(call).includes("sign_guestbook"));
    return { id, log, checklist, requests };
  }

  test("[F131] rejects a repeated action of the agent and verifies the task by a read-only tool call", async () => {
    const { id, log, checklist, requests } = await signAndVerify("Once only", [
      { calls: [{ name: "sign_guestbook", arguments: { text: "Twice" } }] },
      { calls: [{ name: "read_guestbook", arguments: {} }] },
      { text: "It is there.\nVERIFIED" },
    ]);
    expect(requests.map(listToolNames)).toEqual([["read_guestbook"], ["read_guestbook"], ["read_guestbook"]]);
    expect(JSON.stringify(requests[1]?.request.messages.at(-1))).toContain("there is no tool sign_guestbook");
    expect(checklist).toMatchObject([
      { agent_id: "guestbook", status: "executed_and_verified", verified: true, tools_used: ["read_guestbook"] },
    ]);
    const calls = filterEvents(log, "tool_call_completed").filter(
      ({ payload }) => payload.tool_name === "read_guestbook",
    );
    expect(calls.map(({ payload }) => payload.tool_result)).toEqual(['[{"content":"Once only"}]']);
    expect(filterEvents(log, "task_waiting")).toHaveLength(1);
    expect(log.map(({ event }) => event)).not.toContain("system_failed");
    expect(joinText(log)).toBe("It is signed.");
    const { items } = await user.get<{ items: Item[] }>(`/api/v1/conversations/${id}/items`);
    expect(items.filter(({ event }) => event === "verification_completed")).toMatchObject([
      { payload: { summary: "1 of 1 task verified." } },
    ]);
  });

  test("[F136] fails the thread when the agent finds its work missing and keeps its answer", async () => {
    const { log, checklist } = await signAndVerify("Gone", [
      { calls: [{ name: "read_guestbook", arguments: {} }] },
      { text: "That is not what it should say.\nNOT VERIFIED" },
    ]);
    expect(checklist).toMatchObject([{ status: "verification_failed", verified: false }]);
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
