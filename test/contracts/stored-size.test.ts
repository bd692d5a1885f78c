// [I43] A text that is as large as a row of the platform's storage, one byte smaller or one larger, is stored in parts,
// cut with a visible notice, or refused. Nothing fails because of its size, no model is called again, and no thread is
// interrupted.

import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_ROW_BYTES } from "../../src/lib/row-size.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { foldFrames, EMPTY_VIEW } from "../../src/protocol/wire/view.ts";
import type { FaultyServer } from "../dispatch/fixtures/faulty-server.ts";
import { createApiUser, filterEvents, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { createLargeQuery, createSizedText, startLargeAgent, type LargeAnswer } from "../support/large-agent.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import type { ModelServer, ModelScript } from "../support/model-server.ts";
import { createQuestionReply } from "../support/question-script.ts";
import { isLongRun } from "../support/run-length.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";

type Size = { readonly bytes: number; readonly unit: string };
const SIZES: readonly Size[] = [-1, 0, 1].flatMap((more) =>
  ["a", "字", "😀"].map((unit) => ({ bytes: MAX_ROW_BYTES + more, unit })),
);
/** A short run has the size of a row, and one byte more in multi-byte characters. */
const TESTED_SIZES = SIZES.filter((_, i) => i === 3 || i === 7 || isLongRun);

let model: ModelServer;
let runtime: SharedRuntime;
let agent: FaultyServer;
let user: ApiUser;

beforeAll(async () => {
  [model, agent] = await Promise.all([shareModel(), startLargeAgent()]);
  const vars = { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", AGENT_MAX_BYTES: "3145728" };
  runtime = await shareRuntime({ vars });
  user = createApiUser(runtime.url);
  expect((await user.request("POST", "/api/v1/agents", { url: agent.url })).status).toBe(201);
});
afterAll(() => agent.close());

/** The parts of a model's answer, by what is large in them. */
const MODEL_SCRIPTS: Readonly<Record<string, (text: string) => ModelScript>> = {
  "the text of an answer": (text) => ({ triage: { text } }),
  "the reasoning of an answer": (reasoning) => ({ triage: { reasoning, text: "Hello." } }),
  "the arguments of a tool call": (text) => ({ triage: createHandoffReply("needs_planning", [], text) }),
  "the query of a plan": (query) => ({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply({ query }),
  }),
  "the question of a planner": (text) => ({
    triage: createHandoffReply("needs_planning"),
    planner: createQuestionReply(text, ["yes", "no"]),
  }),
};

describe.each(TESTED_SIZES)("[I43] $bytes bytes of $unit", ({ bytes, unit }) => {
  test.each(Object.keys(MODEL_SCRIPTS))("as %s end visibly with one call", async (part) => {
    const text = createSizedText(bytes, unit);
    const mark = model.addScript(MODEL_SCRIPTS[part]?.(text) ?? {});
    const { frames, conversationId } = await user.sendAndWait(`Say ${mark}`);
    await checkThread(conversationId, frames);
    const roles = model.getCalls(mark).map(({ role }) => role);
    expect(roles).toEqual([...new Set(roles)]);
    if (part !== "the text of an answer") return;
    const shown = joinText(frames);
    if (bytes <= MAX_ROW_BYTES) expect(shown === text).toBe(true);
    else expect(shown.endsWith(" MB.]") || shown.endsWith("的上限。］")).toBe(true);
    expect(shown.isWellFormed()).toBe(true);
  });

  /** What readers see of each kind of answer of an agent. */
  const AGENT_OUTCOMES: Readonly<Record<LargeAnswer, (frames: readonly Frame[], text: string) => void>> = {
    text: (frames, text) => expect(joinText(frames, "large") === text).toBe(true),
    reasoning: (frames, text) =>
      expect(
        filterEvents(frames, "reasoning")
          .map(({ payload }) => payload.content)
          .join("") === text,
      ).toBe(true),
    notification: (frames) => expectCut(filterEvents(frames, "message").at(-1)?.payload.content),
    "tool-arguments": (frames) => expectCut(filterEvents(frames, "tool_call_started").at(-1)?.payload.tool_arguments),
    "tool-result": (frames) => expectCut(filterEvents(frames, "tool_call_completed").at(-1)?.payload.tool_result),
    component: (frames) => expect(filterEvents(frames, "message").at(-1)?.payload.content).toMatch(/1\.5 MB/),
    data: (frames) => expect(filterEvents(frames, "message").at(-1)?.payload.content).toMatch(/1\.5 MB/),
    checkpoint: (frames) => expect(filterEvents(frames, "task_failed")[0]?.payload.code).toBe("agent_protocol"),
    question: (frames) => expect(filterEvents(frames, "task_failed")[0]?.payload.code).toBe("agent_too_large"),
    failure: (frames) => expect(filterEvents(frames, "task_failed")[0]?.payload.content.length).toBe(300),
  };

  test.each(Object.keys(AGENT_OUTCOMES) as LargeAnswer[])(
    "as the %s of an agent are kept, cut or refused",
    async (kind) => {
      const mark = model.addScript({ triage: createHandoffReply("single_agent", ["large"]) });
      const { frames, conversationId } = await user.sendAndWait(`${createLargeQuery(kind, bytes, unit)} ${mark}`);
      await checkThread(conversationId, frames);
      AGENT_OUTCOMES[kind](frames, createSizedText(bytes, unit));
    },
  );

  /** The refusals of requests, by their large part. */
  const REQUESTS: Readonly<Record<string, (text: string) => Promise<Response>>> = {
    "a message": (message) => user.request("POST", "/api/v1/messages", { message }),
    "a context": (text) => user.request("POST", "/api/v1/messages", { message: "Hello.", context: { text } }),
    "the title of a conversation": (title) => user.request("POST", "/api/v1/conversations", { title }),
    "the URL of an agent": (text) => user.request("POST", "/api/v1/agents", { url: `http://localhost/${text}` }),
    "the instructions of an app": (instructions) =>
      user.request("POST", "/api/v1/agents", { app: { name: "App", description: "An app.", instructions } }),
    "a workflow": (description) =>
      user.request("POST", "/api/v1/plan-templates", createTemplateConfig({ description })),
    "a cell of a dataset": (text) => uploadDataset(`a,b\n${text},1\n`),
    "a row of a dataset": (text) => uploadDataset(`${"n,".repeat(149)}n\n${splitIntoCells(text)}\n`),
    "a request about data": (text) => user.request("POST", "/api/conversation", { userPrompt: text, language: "en" }),
  };

  test.each(Object.keys(REQUESTS))("as %s are refused", async (part) => {
    const response = await REQUESTS[part]?.(createSizedText(bytes, unit));
    const body = await response?.text();
    expect(response?.status, body?.slice(0, 200)).toBeGreaterThanOrEqual(400);
    expect(response?.status, body?.slice(0, 200)).toBeLessThan(500);
  });

  test("as rows of a dataset are stored", async () => {
    const cell = createSizedText(20_000, unit);
    const rows = Array.from({ length: Math.ceil(bytes / 20_000) }, () => `${cell},1`);
    const created = await uploadDataset(["a,b", ...rows].join("\n"));
    expect(created.status).toBe(201);
    const { dataset_id } = (await created.json()) as { dataset_id: string };
    const csv = await (await user.request("GET", `/api/v1/datasets/${dataset_id}/csv`)).text();
    expect(csv.includes(cell)).toBe(true);
    await user.request("DELETE", `/api/v1/datasets/${dataset_id}`);
  });
});

function expectCut(text: string | undefined): void {
  expect(text).toContain("[The rest is left out because it is too long.]");
  expect(text?.isWellFormed()).toBe(true);
}

function uploadDataset(text: string): Promise<Response> {
  const headers = { "content-type": "text/csv" };
  return fetch(`${runtime.url}/api/v1/datasets?name=sizes-${crypto.randomUUID()}`, {
    method: "POST",
    body: text,
    headers,
  });
}

function splitIntoCells(text: string): string {
  const cells = text.match(new RegExp(`.{1,${Math.ceil(text.length / 149)}}`, "gs")) ?? [];
  return [...cells, "1"].slice(0, 150).join(",");
}

/** The thread has ended without an interruption, and its history is the same as its live stream. */
async function checkThread(conversationId: string, frames: readonly Frame[]): Promise<void> {
  const history = await user.history(conversationId);
  expect(findViolations(history)).toEqual([]);
  expect(filterEvents(history, "task_retrying")).toEqual([]);
  const [live, stored] = [frames, history].map((events) => [...foldFrames(EMPTY_VIEW, events).items.values()]);
  expect(isDeepStrictEqual(live, stored)).toBe(true);
}
