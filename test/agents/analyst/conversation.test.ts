// The state of a dialogue from message to message: undo, proposals, and discarded messages.

import { describe, expect, test } from "vitest";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import {
  handleConversationMessage,
  generatePage,
  type EndpointContext,
} from "../../../src/agents/analyst/analysis-endpoints.ts";
import { analysisRequestSchema, pageRequestSchema } from "../../../src/protocol/pages/analysis-api.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { pageEventSchema, type PageEvent } from "../../../src/protocol/pages/page.ts";
import { createBlueprint, listBlocks } from "../../support/analysis-script.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { createPageLibrary } from "../fixtures/run-analyst.ts";
import { createModel, type ModelReply } from "./run-execution.ts";

const toolCallReply = (name: string, args: object): ModelReply => ({ calls: [[name, args]] });
const routeReply = (intent: string) => toolCallReply("route", { intent, confidence: 0.9, should_build: true });
const blueprintReply = (options?: Parameters<typeof createBlueprint>[1]) =>
  toolCallReply("create_blueprint", createBlueprint("", options));
const chartPatchReply = (variant: string) =>
  toolCallReply("patch_blueprint", { operations: [{ op: "update_props", slotId: "spread", props: { variant } }] });

/** Creates a conversation whose model returns the scripted replies, message by message. */
function createConversation() {
  const script: ModelReply[] = [];
  const model = createModel(({ role }) =>
    role === "compose" ? { text: "The mean is 74.2." } : ensurePresent(script.shift(), role),
  );
  const library = openLibrary();
  const context: EndpointContext = {
    model,
    blueprintModel: "orrery-embedded",
    tools: createDataTools(library.data),
    library: createPageLibrary(),
  };
  const conversationId = "conv-1";
  return {
    model,
    send: (message: string | object, ...replies: ModelReply[]) => {
      script.push(...replies);
      const request = typeof message === "string" ? { message } : message;
      return handleConversationMessage(context, analysisRequestSchema.parse({ ...request, conversationId }));
    },
    buildPage: async () => {
      const stream = await generatePage(context, pageRequestSchema.parse({ conversationId }));
      const lines = (await new Response(stream).text()).trim().split("\n");
      const events: PageEvent[] = lines.map((line) => pageEventSchema.parse(JSON.parse(line)));
      const end = ensurePresent(events.at(-1), "an end");
      if (end.type !== "COMPLETE") throw new Error(end.type);
      return { ...end.result, chart: listBlocks(end.result.page).find(({ type }) => type === "chart") };
    },
  };
}

async function createWithPage() {
  const conversation = createConversation();
  await conversation.send("a-001", routeReply("build_workflow"), blueprintReply());
  const { pageId } = await conversation.buildPage();
  return { ...conversation, pageId };
}

describe("[F115] undo", () => {
  test("restores one change after the other, also after pages were built from them", async () => {
    const { send, buildPage } = await createWithPage();
    for (const variant of ["line", "pie"]) {
      await send(`a ${variant}`, routeReply("refine"), chartPatchReply(variant));
      expect((await buildPage()).chart).toMatchObject({ variant });
    }
    const back = toolCallReply("restore_blueprint", {});
    const { action } = await send("back", routeReply("refine"), back);
    expect(action).toBe("refine");
    expect((await buildPage()).chart).toMatchObject({ variant: "line" });
    await send("back", routeReply("refine"), back);
    expect((await buildPage()).chart).toMatchObject({ variant: "bar" });
  });

  test("restores several changes at once, and stops at the first version", async () => {
    const { send, buildPage } = await createWithPage();
    for (const variant of ["line", "pie"]) await send("x", routeReply("refine"), chartPatchReply(variant));
    await send("as at first", routeReply("refine"), toolCallReply("restore_blueprint", { steps: 9 }));
    expect((await buildPage()).chart).toMatchObject({ variant: "bar" });
  });

  test("is offered only where there are changes", async () => {
    const { send, model } = await createWithPage();
    await send("a line", routeReply("refine"), chartPatchReply("line"));
    await send("a pie", routeReply("refine"), chartPatchReply("pie"));
    const offered = model.requests.filter(({ role }) => role === "blueprint").map(({ tools }) => tools?.length);
    expect(offered).toEqual([1, 2, 3]);
  });
});

describe("[F116] a message about unknown data", () => {
  test("leaves the page and its history unchanged", async () => {
    const { send, buildPage, pageId } = await createWithPage();
    await send("a line", routeReply("refine"), chartPatchReply("line"));
    await buildPage();
    await send("a-9", routeReply("refine"), blueprintReply({ assignment: "a-9" }));
    expect(await buildPage()).toMatchObject({ page: null, chatResponse: expect.stringContaining("a-9") as string });
    await send("a pie", routeReply("refine"), chartPatchReply("pie"));
    expect(await buildPage()).toMatchObject({ pageId, chart: { variant: "pie" } });
    await send("back", routeReply("refine"), toolCallReply("restore_blueprint", {}));
    expect((await buildPage()).chart).toMatchObject({ variant: "line" });
  });

  test("is added to the next message where there is no page yet", async () => {
    const { send, buildPage, model } = createConversation();
    await send("How was a-9?", routeReply("build_workflow"), blueprintReply({ assignment: "a-9" }));
    expect((await buildPage()).page).toBeNull();
    const { action } = await send("a-001", routeReply("build_workflow"), blueprintReply());
    expect(action).toBe("build_workflow");
    const [request] = model.requests.filter(({ role }) => role === "router").slice(-1);
    expect(request?.messages.at(-1)?.content).toContain("How was a-9?");
    expect((await buildPage()).page).not.toBeNull();
  });
});

describe("[F115] a proposal", () => {
  test.each(["yes", "好的"])("is accepted with %s", async (yes) => {
    const { send, buildPage, pageId, model } = await createWithPage();
    await send("another", routeReply("rebuild"), blueprintReply({ name: "Other" }));
    const before = model.requests.length;
    const { action, blueprint } = await send(yes);
    expect([action, blueprint?.name, model.requests.length]).toEqual(["refine", "Other", before]);
    const built = await buildPage();
    expect(built.page?.meta.pageTitle).toBe("Other");
    expect(built.pageId).not.toBe(pageId);
  });

  test("is built for a client that asks for the page instead of an answer", async () => {
    const { send, buildPage, pageId } = await createWithPage();
    await send("another", routeReply("rebuild"), blueprintReply({ name: "Other" }));
    const built = await buildPage();
    expect([built.page?.meta.pageTitle, built.pageId === pageId]).toEqual(["Other", false]);
  });

  test("is dropped after a no and after any other message", async () => {
    const { send, buildPage, pageId } = await createWithPage();
    await send("another", routeReply("rebuild"), blueprintReply({ name: "Other" }));
    expect(await send("no")).toMatchObject({ action: "chat", chatResponse: "The page is unchanged." });
    expect(await buildPage()).toMatchObject({ pageId, page: { meta: { pageTitle: "Assignment" } } });
    await send("another", routeReply("rebuild"), blueprintReply({ name: "Other" }));
    await send("what is the mean?", routeReply("chat"), { text: "74.2" });
    expect(await buildPage()).toMatchObject({ pageId });
  });
});

test("[F105] a message with a blueprint of its own is about that one, not about the stored page", async () => {
  const { send, buildPage, model, pageId } = await createWithPage();
  const blueprint = { id: "bp-mine", ...createBlueprint("", { name: "Mine" }) };
  const pageContext = { note: "The median is 72." };
  await send({ message: "What is it?", blueprint, pageContext }, routeReply("chat"), { text: "It is 72." });
  const prompt = model.requests.find(({ role }) => role === "page_chat")?.messages.at(-1)?.content;
  expect(prompt).toContain('"name":"Mine"');
  expect(prompt).toContain("The median is 72.");
  expect(prompt).not.toContain("get_assignment_submissions");
  expect((await buildPage()).pageId).not.toBe(pageId);
});

test("the last block of a page cannot be removed", async () => {
  const { send } = await createWithPage();
  const none = ["figures", "spread", "rows", "says"].map((slotId) => ({ op: "remove_block", slotId }));
  const remove = toolCallReply("patch_blueprint", { operations: none });
  await expect(send("empty it", routeReply("refine"), remove, remove, remove)).rejects.toMatchObject({
    code: "agent_failed",
    message: expect.stringContaining("one block") as string,
  });
});

describe("[F114] an answer about a page", () => {
  const INVENTED = "The mean is fine. The total is 999,999.99, I think.";

  test("is continued once without a number that the page does not have", async () => {
    const { send, model } = await createWithPage();
    const replies = [{ text: INVENTED }, { text: "The mean is fine. It is 74.2." }];
    const reply = await send("total?", routeReply("chat"), ...replies);
    expect(reply.chatResponse).toBe("The mean is fine. It is 74.2.");
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain("not in the data: 999,999.99.");
  });

  test("marks a number that the model insists on", async () => {
    const { send } = await createWithPage();
    const insisting = { text: "It is 999,999.99." };
    const english = await send("total?", routeReply("chat"), insisting, insisting);
    expect(english.chatResponse).toBe("It is 999,999.99 (unverified).");
    const chinese = await send({ message: "总额？", language: "zh" }, routeReply("chat"), insisting, insisting);
    expect(chinese.chatResponse).toBe("It is 999,999.99（未经核实）.");
  });
});
