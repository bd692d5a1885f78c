// How the talk stands from message to message: what is taken back, taken up, and forgotten.

import { describe, expect, test } from "vitest";
import { completeQuestion } from "../../../src/agents/analyst/clarifying-question.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import {
  handleConversationMessage,
  generatePage,
  type EndpointContext,
} from "../../../src/agents/analyst/analysis-endpoints.ts";
import { analysisRequestSchema, pageRequestSchema } from "../../../src/protocol/pages/analysis-api.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { pageEventSchema, type PageEvent } from "../../../src/protocol/pages/page.ts";
import { parseSettings } from "../../../src/settings.ts";
import { blueprintFor, blocksOf } from "../../support/analysis.ts";
import { openLibrary } from "../../support/library.ts";
import { shelf } from "../fixtures/desk.ts";
import { answering, type Reply } from "./stage.ts";

const calls = (name: string, args: object): Reply => ({ calls: [[name, args]] });
const route = (intent: string) => calls("route", { intent, confidence: 0.9, should_build: true });
const wrote = (options?: Parameters<typeof blueprintFor>[1]) => calls("create_blueprint", blueprintFor("", options));
const drawn = (variant: string) =>
  calls("patch_blueprint", { operations: [{ op: "update_props", slotId: "spread", props: { variant } }] });

/** A conversation whose model says, message by message, what stands in the script. */
function talk(language = "en") {
  const script: Reply[] = [];
  const model = answering(({ role }) =>
    role === "compose" ? { text: "The mean is 74.2." } : ensurePresent(script.shift(), role),
  );
  const own = openLibrary();
  const office: EndpointContext = {
    model,
    settings: parseSettings({}),
    tools: createDataTools(own.data),
    library: shelf(),
  };
  const conversationId = "conv-1";
  return {
    model,
    own,
    says: (message: string, ...replies: Reply[]) => {
      script.push(...replies);
      return handleConversationMessage(office, analysisRequestSchema.parse({ message, conversationId, language }));
    },
    makes: async () => {
      const stream = await generatePage(office, pageRequestSchema.parse({ conversationId }));
      const lines = (await new Response(stream).text()).trim().split("\n");
      const events: PageEvent[] = lines.map((line) => pageEventSchema.parse(JSON.parse(line)));
      const end = ensurePresent(events.at(-1), "an end");
      if (end.type !== "COMPLETE") throw new Error(end.type);
      return { ...end.result, chart: blocksOf(end.result.page).find(({ type }) => type === "chart") };
    },
  };
}

async function withPage() {
  const conversation = talk();
  await conversation.says("a-001", route("build_workflow"), wrote());
  const { pageId } = await conversation.makes();
  return { ...conversation, pageId };
}

describe("[F115] changes are taken back", () => {
  test("one after the other, also after pages were made of them", async () => {
    const { says, makes } = await withPage();
    for (const variant of ["line", "pie"]) {
      await says(`a ${variant}`, route("refine"), drawn(variant));
      expect((await makes()).chart).toMatchObject({ variant });
    }
    const back = calls("restore_blueprint", {});
    const { action } = await says("back", route("refine"), back);
    expect(action).toBe("refine");
    expect((await makes()).chart).toMatchObject({ variant: "line" });
    await says("back", route("refine"), back);
    expect((await makes()).chart).toMatchObject({ variant: "bar" });
  });

  test("several at once, and never more than there were", async () => {
    const { says, makes } = await withPage();
    for (const variant of ["line", "pie"]) await says("x", route("refine"), drawn(variant));
    await says("as at first", route("refine"), calls("restore_blueprint", { steps: 9 }));
    expect((await makes()).chart).toMatchObject({ variant: "bar" });
  });

  test("only where there are any", async () => {
    const { says, model } = await withPage();
    await says("a line", route("refine"), drawn("line"));
    await says("a pie", route("refine"), drawn("pie"));
    const offered = model.asked.filter(({ role }) => role === "blueprint").map(({ tools }) => tools?.length);
    expect(offered).toEqual([1, 2, 3]);
  });
});

describe("[F116] what does not exist is no part of the talk", () => {
  test("after a change that names it, the page is what it was", async () => {
    const { says, makes, pageId } = await withPage();
    await says("a line", route("refine"), drawn("line"));
    await makes();
    await says("a-9", route("refine"), wrote({ assignment: "a-9" }));
    expect(await makes()).toMatchObject({ page: null, chatResponse: expect.stringContaining("a-9") as string });
    await says("a pie", route("refine"), drawn("pie"));
    expect(await makes()).toMatchObject({ pageId, chart: { variant: "pie" } });
    await says("back", route("refine"), calls("restore_blueprint", {}));
    expect((await makes()).chart).toMatchObject({ variant: "line" });
  });

  test("where there is no page yet, the next message says what was meant", async () => {
    const { says, makes, model } = talk();
    await says("How was a-9?", route("build_workflow"), wrote({ assignment: "a-9" }));
    expect((await makes()).page).toBeNull();
    const { action } = await says("a-001", route("build_workflow"), wrote());
    expect(action).toBe("build_workflow");
    const [asked] = model.asked.filter(({ role }) => role === "router").slice(-1);
    expect(asked?.messages.at(-1)?.content).toContain("How was a-9?");
    expect((await makes()).page).not.toBeNull();
  });
});

describe("[F107] a question for a dataset", () => {
  const asks = (clarifying_question: string) =>
    calls("route", { intent: "clarify", confidence: 0.9, clarifying_question });

  test.each([
    [
      "en",
      "Which data? Choose a dataset.",
      /^There is no dataset yet\. .*upload.*load the sample data.*Or choose a class\.$/,
    ],
    ["zh-CN", "请选择一个数据集。", /^还没有数据集。.*上传.*加载示例数据.*也可以选择一个班级。$/],
  ])("says in %s what to do where there is none", async (language, question, words) => {
    const { says } = talk(language);
    const { action, chatResponse, clarifyOptions } = await says("Show me trends", asks(question));
    expect([action, clarifyOptions?.choices.map(({ label }) => label)]).toEqual(["clarify", ["Form 1A", "Form 1B"]]);
    expect(chatResponse).toMatch(words);
  });

  test("is put as it is where there is one, and so is any other question", async () => {
    const { says, own } = talk();
    expect((await says("Show me trends", asks("By week or by month?"))).chatResponse).toBe("By week or by month?");
    own.add("Sales", "region,revenue\nNorth,1\n");
    const { chatResponse, clarifyOptions } = await says("Show me trends", asks("Which dataset?"));
    expect([chatResponse, clarifyOptions?.choices.map(({ label }) => label)]).toEqual(["Which dataset?", ["Sales"]]);
  });

  test("offers no class where there is none either", () => {
    const nothing = { teacher_id: "", classes: [], datasets: [] };
    const put = completeQuestion({ question: "Which dataset?", hint: null }, nothing, "en");
    expect([put.hint, put.question]).toEqual([null, expect.stringMatching(/^There is no dataset yet\..*ask again\.$/)]);
  });
});

describe("[F115] a proposal", () => {
  test.each(["yes", "好的"])("is taken up with %s", async (yes) => {
    const { says, makes, pageId, model } = await withPage();
    await says("another", route("rebuild"), wrote({ name: "Other" }));
    const before = model.asked.length;
    const { action, blueprint } = await says(yes);
    expect([action, blueprint?.name, model.asked.length]).toEqual(["refine", "Other", before]);
    const made = await makes();
    expect(made.page?.meta.pageTitle).toBe("Other");
    expect(made.pageId).not.toBe(pageId);
  });

  test("is gone with a no, and with any other word", async () => {
    const { says, makes, pageId } = await withPage();
    await says("another", route("rebuild"), wrote({ name: "Other" }));
    expect(await says("no")).toMatchObject({ action: "chat", chatResponse: "The page stays as it is." });
    expect(await makes()).toMatchObject({ pageId, page: { meta: { pageTitle: "Assignment" } } });
    await says("another", route("rebuild"), wrote({ name: "Other" }));
    await says("what is the mean?", route("chat"), { text: "74.2" });
    expect(await makes()).toMatchObject({ pageId });
  });
});

test("a route that is written down instead of called is a route", async () => {
  const written = { text: '```json\n{"intent": "build_workflow", "confidence": 0.9, "should_build": true}\n```' };
  expect(await talk().says("a-001", written, wrote())).toMatchObject({ action: "build_workflow" });
});

test("the last block stays on the page", async () => {
  const { says } = await withPage();
  const none = ["figures", "spread", "rows", "says"].map((slotId) => ({ op: "remove_block", slotId }));
  const remove = calls("patch_blueprint", { operations: none });
  await expect(says("empty it", route("refine"), remove, remove, remove)).rejects.toMatchObject({
    code: "agent_failed",
    message: expect.stringContaining("one block") as string,
  });
});
