// The analyst from outside, with a scripted model: through its three endpoints and the doors to its pages.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AnalysisReply } from "../../src/protocol/pages/analysis-api.ts";
import type { Blueprint } from "../../src/protocol/pages/blueprint-schema.ts";
import type { PageEvent } from "../../src/protocol/pages/page.ts";
import type { StoredPage, PageList } from "../../src/protocol/pages/stored-page.ts";
import { analysis, blocksOf, blueprintFor, endOf, eventsIn, patched, route, wrote } from "../support/analysis.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { personAt, type Person } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { SECRET, signed } from "../http/tokens.ts";

let model: ModelServer;
let runtime: Runtime;
let token: string;
let ada: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, AUTH_SECRET: SECRET } });
  token = await signed({ sub: "ada" });
  ada = personAt(runtime.url, token);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const TEACHER = "t-001";

async function post(path: string, body: object, by = token): Promise<Response> {
  return fetch(`${runtime.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${by}` },
    body: JSON.stringify(body),
  });
}

async function say(message: string, more: object = {}): Promise<AnalysisReply> {
  const response = await post("/api/conversation", { message, teacherId: TEACHER, ...more });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as AnalysisReply;
}

const generate = async (body: object): Promise<PageEvent[]> => eventsIn(await post("/api/page/generate", body));

describe("[F103] one endpoint for everything that is said", () => {
  test.each([
    ["chat_smalltalk", 0.2],
    ["chat_qa", 0.5],
  ])("[F104] %s is answered in words", async (intent, confidence) => {
    const mark = analysis(model, [route(intent, confidence)]);
    const reply = await say(`Hi ${mark}`);
    expect(reply).toEqual({
      action: intent,
      chatResponse: "Hello there.",
      conversationId: expect.any(String) as string,
    });
    expect(model.callsOf(mark).map(({ role }) => role)).toEqual(["router", "chat"]);
  });

  test.each([
    [0.7, "build_workflow"],
    [0.69, "clarify"],
    [0.4, "clarify"],
    [0.39, "chat_smalltalk"],
  ])("[F106] [X21] a wish to build with the confidence %s is %s", async (confidence, action) => {
    const mark = analysis(model, [route("build_workflow", confidence)]);
    expect(await say(`Compare ${mark}`)).toMatchObject({ action });
  });

  test("[F107] what is missing is asked back about, with the classes to choose from; the answer completes the request", async () => {
    const mark = analysis(model, [
      route("build_workflow", 0.5, { clarifying_question: "Which class?", route_hint: "needClassId" }),
      route("build_workflow", 0.9),
    ]);
    const asked = await say(`How was the last assignment? ${mark}`);
    expect(asked).toMatchObject({ action: "clarify", chatResponse: "Which class?" });
    expect(asked.clarifyOptions).toMatchObject({
      type: "single_select",
      choices: [{ value: "class-hk-f1a" }, { value: "class-hk-f1b" }],
      allowCustomInput: true,
    });
    const reply = await say(`1A ${mark}`, { conversationId: asked.conversationId });
    expect(reply.action).toBe("build_workflow");
    const [planner] = model.callsOf(mark, "blueprint");
    const prompt = planner?.request.messages.at(-1)?.content ?? "";
    expect(prompt).toContain(`How was the last assignment? ${mark}\\n1A ${mark}`);
    expect(prompt).toContain('"id":"class-hk-f1a"');
  });

  test("[F119] the words that are our own are in the language asked for", async () => {
    const mark = analysis(model, [route("build_workflow", 0.5, { route_hint: "needTimeRange" })]);
    const reply = await say(`看看成绩 ${mark}`, { language: "zh-CN" });
    expect(reply.chatResponse).toBe("能提供更多细节吗？");
    expect(reply.clarifyOptions?.choices.map(({ label }) => label)).toEqual(["本周", "本月", "本学期"]);
  });
});

describe("[F109] a page", () => {
  test("[F112] comes about event by event, is kept, and its numbers are those of the tools", async () => {
    const mark = analysis(model, [route("build_workflow")]);
    const { blueprint, conversationId } = await say(`How did a-001 go? ${mark}`);
    const events = await generate({ blueprint, teacherId: TEACHER, conversationId });
    const types = events.map(({ type }) => type);
    expect(events.flatMap((event) => (event.type === "PHASE" ? [event.phase] : []))).toEqual([
      "data",
      "compute",
      "compose",
    ]);
    expect(types.indexOf("TOOL_CALL")).toBeLessThan(types.indexOf("TOOL_RESULT"));
    expect(types).toContain("MESSAGE");
    const { result } = endOf(events);
    expect(JSON.stringify(result.page)).toContain("74.2");
    expect(blocksOf(result.page).map(({ type }) => type)).toEqual(["kpi_grid", "chart", "table", "markdown"]);
    const kept = await ada.get<StoredPage>(`/api/v1/pages/${result.pageId ?? ""}`);
    expect(kept.page).toEqual(result.page);
    expect(kept).toMatchObject({
      conversation_id: conversationId,
      teacher_id: TEACHER,
      title: result.page?.meta.pageTitle,
    });
    expect(kept.snapshot.results.map(({ tool }) => tool)).toEqual(["get_assignment_submissions", "calculate_stats"]);
  });

  test("needs only the conversation's id, and so does everything that is said about it", async () => {
    const mark = analysis(model, [route("build_workflow"), route("chat"), route("refine")], {
      blueprint: ({ mark: own, request }) =>
        request.tools?.some(({ function: { name } }) => name === "patch_blueprint") === true
          ? patched({ op: "update_props", slotId: "spread", props: { variant: "line" } })
          : wrote(blueprintFor(own)),
    });
    const { conversationId } = await say(`How did a-001 go? ${mark}`);
    const first = endOf(await generate({ conversationId }));
    const chat = await say(`And the mean? ${mark}`, { conversationId });
    expect(chat).toEqual({ action: "chat", chatResponse: "The mean is 74.2.", conversationId });
    const told = model.callsOf(mark, "page_chat")[0]?.request.messages.at(-1)?.content ?? "";
    expect(told).toContain("74.2");
    expect(told).toContain("get_assignment_submissions");

    const refined = await say(`A line please ${mark}`, { conversationId });
    expect(refined.action).toBe("refine");
    expect(refined.blueprint?.version).toBe(2);
    const composed = model.callsOf(mark, "compose").length;
    const second = endOf(await generate({ conversationId }));
    // The same page, and no text of it was written again.
    expect(second.result.pageId).toBe(first.result.pageId);
    expect(model.callsOf(mark, "compose")).toHaveLength(composed);
    expect(blocksOf(second.result.page)[1]).toMatchObject({ type: "chart", variant: "line" });
    expect(blocksOf(second.result.page)[3]).toEqual(blocksOf(first.result.page)[3]);
  });

  test("[F115] a rebuild waits until it is asked for; something else said in between lets it go", async () => {
    const mark = analysis(model, [route("build_workflow"), route("rebuild"), route("chat"), route("rebuild")]);
    const { conversationId } = await say(`a-001 ${mark}`);
    const first = endOf(await generate({ conversationId }));
    expect(await say(`Something else ${mark}`, { conversationId })).toMatchObject({ action: "rebuild" });
    await say(`Hm ${mark}`, { conversationId });
    expect(endOf(await generate({ conversationId })).result.pageId).toBe(first.result.pageId);
    await say(`Do it ${mark}`, { conversationId });
    expect(endOf(await generate({ conversationId })).result.pageId).not.toBe(first.result.pageId);
  });

  test("[F105] a blueprint that is sent wins over the one that is kept", async () => {
    const mark = analysis(model, [route("build_workflow"), route("chat")]);
    const { blueprint, conversationId } = await say(`a-001 ${mark}`);
    const own = { ...(blueprint as Blueprint), id: "bp-mine", name: "Mine" };
    const pageContext = { note: "The median is 72." };
    await say(`What is it? ${mark}`, { conversationId, blueprint: own, pageContext });
    const told = model.callsOf(mark, "page_chat")[0]?.request.messages.at(-1)?.content ?? "";
    expect(told).toContain('"name":"Mine"');
    expect(told).toContain("The median is 72.");
  });

  test("is made of nothing that another user has", async () => {
    const mark = analysis(model, [route("build_workflow"), route("build_workflow")]);
    const { conversationId } = await say(`a-001 ${mark}`);
    const eve = await signed({ sub: "eve" });
    const response = await post("/api/page/generate", { conversationId }, eve);
    expect(response.status).toBe(422);
    const reply = await post("/api/conversation", { message: `a-001 ${mark}`, conversationId }, eve);
    expect(await reply.json()).toMatchObject({ action: "build_workflow" });
  });

  test("[F116] of something that does not exist is no page, but says the nearest names", async () => {
    const mark = analysis(model, [route("build_workflow")], {
      blueprint: ({ mark: own }) => wrote(blueprintFor(own, { assignment: "a-01" })),
    });
    const { conversationId } = await say(`a-01 ${mark}`);
    const events = await generate({ conversationId });
    expect(events.find(({ type }) => type === "DATA_ERROR")).toMatchObject({
      suggestions: expect.arrayContaining(["a-001"]) as string[],
    });
    const end = endOf(events);
    expect(end).toMatchObject({ message: "error", result: { page: null } });
    expect(end.result.chatResponse).toContain("a-001");
  });
});

test("a reader who leaves while a page is being made ends the work", async () => {
  const mark = analysis(model, [route("build_workflow")], {
    compose: { text: "The mean is what it is. ".repeat(100), paceMs: 20 },
  });
  const { conversationId } = await say(`a-001 ${mark}`);
  const gone = new AbortController();
  const response = await fetch(`${runtime.url}/api/page/generate`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ conversationId }),
    signal: gone.signal,
  });
  let heard = "";
  const reading = (async () => {
    const utf8 = new TextDecoder();
    for await (const chunk of response.body ?? []) heard += utf8.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined);
  await vi.waitFor(() => expect(heard).toContain("SLOT_DELTA"));
  gone.abort();
  await reading;
  await vi.waitFor(() => expect(model.callsOf(mark, "compose")[0]?.end).toBe("left"), 8_000);
  expect(heard).not.toContain('"type":"COMPLETE"');
});

test("[F108] a plan alone says which model wrote it", async () => {
  const mark = analysis(model, []);
  const response = await post("/api/workflow/generate", { userPrompt: `a-001 ${mark}`, teacherId: TEACHER });
  expect(await response.json()).toMatchObject({
    blueprint: { name: "Assignment", sourcePrompt: `a-001 ${mark}` },
    model: expect.any(String) as string,
  });
});

describe("[F116] what goes wrong", () => {
  test("no message is a 422 that names the field", async () => {
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

  test("a model that is down is a 502 with words", async () => {
    const mark = model.act({ router: { trouble: { kind: "status", status: 401 } } });
    const response = await post("/api/conversation", { message: `Hi ${mark}` });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      code: "agent_failed",
      detail: expect.stringContaining("OPENAI_API_KEY") as string,
    });
  });

  test("a blueprint that cannot be carried out is a 502 after two repairs, and a 422 from a client", async () => {
    const bad = (mark: string) => {
      const blueprint = blueprintFor(mark);
      return { ...blueprint, dataContract: { bindings: [{ id: "work", toolName: "drop_tables" }] } };
    };
    const mark = analysis(model, [route("build_workflow")], { blueprint: ({ mark: own }) => wrote(bad(own)) });
    const response = await post("/api/conversation", { message: `a-001 ${mark}` });
    expect(response.status).toBe(502);
    expect(model.callsOf(mark, "blueprint")).toHaveLength(3);
    const sent = await post("/api/page/generate", { blueprint: { id: "bp-1", ...bad(mark) } });
    expect(sent.status).toBe(422);
    expect(await sent.json()).toMatchObject({
      field: "blueprint",
      detail: expect.stringContaining("drop_tables") as string,
    });
  });

  test("no token is a 401", async () => {
    expect((await post("/api/conversation", { message: "hi" }, "nobody")).status).toBe(401);
  });
});

describe("pages that are kept", () => {
  test("are listed, exported, run again, shared for a while and deleted", async () => {
    const mark = analysis(model, [route("build_workflow")]);
    const { conversationId } = await say(`a-001 ${mark}`);
    const { pageId = "" } = endOf(await generate({ conversationId })).result;
    const path = `/api/v1/pages/${pageId}`;
    expect((await ada.get<PageList>("/api/v1/pages?limit=1")).pages[0]?.page_id).toBe(pageId);

    const html = await (await ada.request("GET", `${path}.html`)).text();
    expect(html).toContain("74.2");
    expect(html).toContain("<svg");
    expect(html).not.toContain("<script");
    const csv = await (await ada.request("GET", `${path}.csv`)).text();
    expect(csv).toContain("Students");

    const again = await eventsIn(await post(`${path}/run`, {}));
    expect(endOf(again).result.pageId).toBe(pageId);

    const link = await ada.request("POST", `${path}/links`, { expires_in: 60 });
    const { url } = (await link.json()) as { url: string };
    const shared = await fetch(url);
    expect(shared.status).toBe(200);
    expect(shared.headers.get("content-security-policy")).toContain("sandbox");
    expect(await shared.text()).toContain("74.2");
    const eve = personAt(runtime.url, await signed({ sub: "eve" }));
    expect((await eve.request("GET", path)).status).toBe(404);
    expect((await ada.request("DELETE", path)).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
    expect((await ada.request("GET", path)).status).toBe(404);
  });
});
