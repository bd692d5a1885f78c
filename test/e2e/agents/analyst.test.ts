// The HTTP API of the analyst, with a scripted model: its three endpoints.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AnalysisReply } from "../../../src/protocol/pages/analysis-api.ts";
import type { PageEvent } from "../../../src/protocol/pages/page.ts";
import type { StoredPage } from "../../../src/protocol/pages/stored-page.ts";
import {
  scriptAnalysis,
  listBlocks,
  createBlueprint,
  getCompleteEvent,
  readPageEvents,
  replyWithPatch,
  replyWithRoute,
  replyWithBlueprint,
} from "../../support/analysis-script.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { createApiUser, type ApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { SECRET, signToken } from "../../http/tokens.ts";

let model: ModelServer;
let runtime: Runtime;
let token: string;
let ada: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, AUTH_SECRET: SECRET } });
  token = await signToken({ sub: "ada" });
  ada = createApiUser(runtime.url, token);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const TEACHER = "t-001";

async function post(path: string, body: object, bearer = token): Promise<Response> {
  return fetch(`${runtime.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  });
}

async function analyse(message: string, more: object = {}): Promise<AnalysisReply> {
  const response = await post("/api/conversation", { message, teacherId: TEACHER, ...more });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as AnalysisReply;
}

const generatePage = async (body: object): Promise<PageEvent[]> =>
  readPageEvents(await post("/api/page/generate", body));

describe("[F103] POST /api/conversation", () => {
  test("[F104] answers a chat with text", async () => {
    const mark = scriptAnalysis(model, [replyWithRoute("chat_qa", 0.5)]);
    const reply = await analyse(`Hi ${mark}`);
    expect(reply).toEqual({
      action: "chat_qa",
      chatResponse: "Hello there.",
      conversationId: expect.any(String) as string,
    });
    expect(model.getCalls(mark).map(({ role }) => role)).toEqual(["router", "chat"]);
  });

  test("[F107] asks for missing information with the classes as options and completes the request with the answer", async () => {
    const mark = scriptAnalysis(model, [
      replyWithRoute("build_workflow", 0.5, { clarifying_question: "Which class?", route_hint: "needClassId" }),
      replyWithRoute("build_workflow", 0.9),
    ]);
    const questionReply = await analyse(`How was the last assignment? ${mark}`);
    expect(questionReply).toMatchObject({ action: "clarify", chatResponse: "Which class?" });
    expect(questionReply.clarifyOptions).toMatchObject({
      type: "single_select",
      choices: [{ value: "class-hk-f1a" }, { value: "class-hk-f1b" }],
      allowCustomInput: true,
    });
    const reply = await analyse(`1A ${mark}`, { conversationId: questionReply.conversationId });
    expect(reply.action).toBe("build_workflow");
    const [planner] = model.getCalls(mark, "blueprint");
    const prompt = planner?.request.messages.at(-1)?.content ?? "";
    expect(prompt).toContain(`How was the last assignment? ${mark}\\n1A ${mark}`);
    expect(prompt).toContain('"id":"class-hk-f1a"');
  });
});

describe("[F109] POST /api/page/generate", () => {
  test("[F112] streams the page, stores it, and takes its numbers from the tools", async () => {
    const mark = scriptAnalysis(model, [replyWithRoute("build_workflow")]);
    const { blueprint, conversationId } = await analyse(`How did a-001 go? ${mark}`);
    const events = await generatePage({ blueprint, teacherId: TEACHER, conversationId });
    const types = events.map(({ type }) => type);
    expect(events.flatMap((event) => (event.type === "PHASE" ? [event.phase] : []))).toEqual([
      "data",
      "compute",
      "compose",
    ]);
    expect(types.indexOf("TOOL_CALL")).toBeLessThan(types.indexOf("TOOL_RESULT"));
    expect(types).toContain("MESSAGE");
    const { result } = getCompleteEvent(events);
    expect(JSON.stringify(result.page)).toContain("74.2");
    expect(listBlocks(result.page).map(({ type }) => type)).toEqual(["kpi_grid", "chart", "table", "markdown"]);
    const storedPage = await ada.get<StoredPage>(`/api/v1/pages/${result.pageId ?? ""}`);
    expect(storedPage.page).toEqual(result.page);
    expect(storedPage).toMatchObject({
      conversation_id: conversationId,
      teacher_id: TEACHER,
      title: result.page?.meta.pageTitle,
    });
    expect(storedPage.snapshot.results.map(({ tool }) => tool)).toEqual([
      "get_assignment_submissions",
      "calculate_stats",
    ]);
  });

  test("needs only the id of the conversation, also for later messages about the page", async () => {
    const mark = scriptAnalysis(
      model,
      [replyWithRoute("build_workflow"), replyWithRoute("chat"), replyWithRoute("refine")],
      {
        blueprint: ({ mark: customBlueprint, request }) =>
          request.tools?.some(({ function: { name } }) => name === "patch_blueprint") === true
            ? replyWithPatch({ op: "update_props", slotId: "spread", props: { variant: "line" } })
            : replyWithBlueprint(createBlueprint(customBlueprint)),
      },
    );
    const { conversationId } = await analyse(`How did a-001 go? ${mark}`);
    const first = getCompleteEvent(await generatePage({ conversationId }));
    const chat = await analyse(`And the mean? ${mark}`, { conversationId });
    expect(chat).toEqual({ action: "chat", chatResponse: "The mean is 74.2.", conversationId });
    const prompt = model.getCalls(mark, "page_chat")[0]?.request.messages.at(-1)?.content ?? "";
    expect(prompt).toContain("74.2");
    expect(prompt).toContain("get_assignment_submissions");

    const refined = await analyse(`A line please ${mark}`, { conversationId });
    expect(refined.action).toBe("refine");
    expect(refined.blueprint?.version).toBe(2);
    const composeCalls = model.getCalls(mark, "compose").length;
    const second = getCompleteEvent(await generatePage({ conversationId }));
    // The page is the same, and the model wrote no text again.
    expect(second.result.pageId).toBe(first.result.pageId);
    expect(model.getCalls(mark, "compose")).toHaveLength(composeCalls);
    expect(listBlocks(second.result.page)[1]).toMatchObject({ type: "chart", variant: "line" });
    expect(listBlocks(second.result.page)[3]).toEqual(listBlocks(first.result.page)[3]);
  });

  test("does not use the conversation of another user", async () => {
    const mark = scriptAnalysis(model, [replyWithRoute("build_workflow"), replyWithRoute("build_workflow")]);
    const { conversationId } = await analyse(`a-001 ${mark}`);
    const eve = await signToken({ sub: "eve" });
    const response = await post("/api/page/generate", { conversationId }, eve);
    expect(response.status).toBe(422);
    const reply = await post("/api/conversation", { message: `a-001 ${mark}`, conversationId }, eve);
    expect(await reply.json()).toMatchObject({ action: "build_workflow" });
  });
});

test("a client that disconnects during the generation of a page stops the model call", async () => {
  const mark = scriptAnalysis(model, [replyWithRoute("build_workflow")], {
    compose: { text: "The mean is what it is. ".repeat(100), paceMs: 20 },
  });
  const { conversationId } = await analyse(`a-001 ${mark}`);
  const abort = new AbortController();
  const response = await fetch(`${runtime.url}/api/page/generate`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ conversationId }),
    signal: abort.signal,
  });
  let streamText = "";
  const streaming = (async () => {
    const utf8 = new TextDecoder();
    for await (const chunk of response.body ?? []) streamText += utf8.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined);
  await vi.waitFor(() => expect(streamText).toContain("SLOT_DELTA"));
  abort.abort();
  await streaming;
  await vi.waitFor(() => expect(model.getCalls(mark, "compose")[0]?.end).toBe("left"), 8_000);
  expect(streamText).not.toContain('"type":"COMPLETE"');
});

test("[F108] POST /api/workflow/generate returns the name of the model", async () => {
  const mark = scriptAnalysis(model, []);
  const response = await post("/api/workflow/generate", { userPrompt: `a-001 ${mark}`, teacherId: TEACHER });
  expect(await response.json()).toMatchObject({
    blueprint: { name: "Assignment", sourcePrompt: `a-001 ${mark}` },
    model: expect.any(String) as string,
  });
});

describe("[F116] errors of the analyst", () => {
  test("respond with 422 and the field for a missing parameter", async () => {
    for (const [path, field] of [
      ["/api/conversation", "message"],
      ["/api/workflow/generate", "userPrompt"],
      ["/api/page/generate", "blueprint"],
    ] as const) {
      const response = await post(path, {});
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ field, detail: expect.stringContaining(field) as string });
    }
  });

  test("respond with 502 and a message for a failing model", async () => {
    const mark = model.addScript({ router: { fault: { kind: "status", status: 401 } } });
    const response = await post("/api/conversation", { message: `Hi ${mark}` });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      code: "agent_failed",
      detail: expect.stringContaining("OPENAI_API_KEY") as string,
    });
  });

  test("respond with 502 to an invalid blueprint of the model after two repairs, and with 422 to one of the client", async () => {
    const createInvalidBlueprint = (mark: string) => {
      const blueprint = createBlueprint(mark);
      return { ...blueprint, dataContract: { bindings: [{ id: "work", toolName: "drop_tables" }] } };
    };
    const mark = scriptAnalysis(model, [replyWithRoute("build_workflow")], {
      blueprint: ({ mark: customBlueprint }) => replyWithBlueprint(createInvalidBlueprint(customBlueprint)),
    });
    const response = await post("/api/conversation", { message: `a-001 ${mark}` });
    expect(response.status).toBe(502);
    expect(model.getCalls(mark, "blueprint")).toHaveLength(3);
    const sent = await post("/api/page/generate", { blueprint: { id: "bp-1", ...createInvalidBlueprint(mark) } });
    expect(sent.status).toBe(422);
    expect(await sent.json()).toMatchObject({
      field: "blueprint",
      detail: expect.stringContaining("drop_tables") as string,
    });
  });
});
