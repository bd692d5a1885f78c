// An answer that the length limit of the model truncated must be marked for every reader, and an interrupted answer must
// be replaced by the complete one.

import { beforeAll, expect, test } from "vitest";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import type { ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";

let model: ModelServer;
let runtime: SharedRuntime;
let user: ApiUser;

beforeAll(async () => {
  model = await shareModel();
  runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  user = createApiUser(runtime.url);
});

const TRUNCATION_NOTICE = "[The answer ends here because the model reached its length limit.]";

test("a truncated answer of an agent is marked for the user, the next agent and the synthesis", async () => {
  const first = model.addScript({ "agent:assistant": { text: "The first half", finish: "length" } });
  const second = model.addScript({ "agent:assistant": { text: "Done." } });
  const mark = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply({ query: `Write ${first}` }, { query: `Shorten it ${second}`, after: ["t0"] }),
    synthesis: { text: "两部分的结果是", finish: "length" },
  });
  const { frames } = await user.sendAndWait(`Write it and shorten it ${mark}`);
  expect(joinText(frames, "assistant")).toContain(`The first half ${TRUNCATION_NOTICE}`);
  expect(joinText(frames)).toContain("两部分的结果是 ［回答到此中断：已达到模型的长度上限。］");
  const calls = [...model.getCalls(second, "agent:assistant"), ...model.getCalls(mark, "synthesis")];
  expect(calls.map(({ request }) => JSON.stringify(request.messages).includes(TRUNCATION_NOTICE))).toEqual([
    true,
    true,
  ]);
});

test("[F70] [L2] [L3] an interrupted answer of an agent is replaced, and earlier text and the tool call are kept", async () => {
  const mark = model.addScript({
    triage: createHandoffReply("single_agent", ["assistant"], ""),
    "agent:assistant": ({ round, attempt }) => {
      if (round === 0)
        return { text: "I reckon. ", calls: [{ name: "calculate", arguments: { expression: "678*8776" } }] };
      return attempt === 0 ? { text: "It is 59", fault: { kind: "cut" } } : { text: "It is 5950128." };
    },
  });
  const { conversationId, frames } = await user.sendAndWait(`Reckon ${mark}`);
  expect(filterEvents(frames, "task_retrying")).toHaveLength(1);
  expect(filterEvents(frames, "task_completed")).toHaveLength(1);
  expect(findViolations(await user.history(conversationId))).toEqual([]);
  const { items } = await user.get<{ items: { event: string; payload: { content?: string; tool_name?: string } }[] }>(
    `/api/v1/conversations/${conversationId}/items`,
  );
  const texts = items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : []));
  expect(texts).toEqual(["I reckon. ", "It is 5950128."]);
  const tools = items.flatMap(({ payload }) => payload.tool_name ?? []);
  expect(tools).toEqual(["generate_execution_plan", "connect_agent", "calculate"]);
  const { tasks } = await user.get<{ tasks: { result: string; status: string }[] }>(
    `/api/v1/conversations/${conversationId}/tasks`,
  );
  expect(tasks).toMatchObject([{ result: "I reckon. It is 5950128.", status: "completed" }]);
});
