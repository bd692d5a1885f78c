// What the endpoints are answered with when things go wrong, and when the reader leaves.

import { describe, expect, test, vi } from "vitest";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import {
  handleConversationMessage,
  generatePage,
  refreshPage,
  type EndpointContext,
} from "../../../src/agents/analyst/analysis-endpoints.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { ModelFault } from "../../../src/core/ports.ts";
import { analysisRequestSchema, pageRequestSchema } from "../../../src/protocol/pages/analysis-api.ts";
import { blueprintSchema } from "../../../src/protocol/pages/blueprint-schema.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import { parseSettings } from "../../../src/settings.ts";
import { blueprintFor } from "../../support/analysis.ts";
import { openLibrary } from "../../support/library.ts";
import { shelf } from "../fixtures/desk.ts";
import { PAGE } from "../../http/plain/sample-page.ts";
import { answering } from "./stage.ts";

const officeWith = (complete: AgentModel["complete"]): EndpointContext => ({
  model: { complete },
  settings: parseSettings({}),
  tools: createDataTools(openLibrary().data),
  library: shelf(),
});
const message = analysisRequestSchema.parse({ message: "hi" });
const page = pageRequestSchema.parse({ blueprint: blueprintSchema.parse({ id: "bp-1", ...blueprintFor("") }) });
const caught = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable("It was answered."),
    (thrown: unknown) => thrown,
  );

describe("[F116] what fails", () => {
  test("in the model is told in the model's words", async () => {
    const fault = new ModelFault("model_unavailable", "The model cannot be reached.", { retryable: false });
    expect(
      await caught(
        handleConversationMessage(
          officeWith(() => Promise.reject(fault)),
          message,
        ),
      ),
    ).toMatchObject({
      code: "agent_failed",
      message: "The model cannot be reached.",
    });
  });

  test("for reasons of our own is told without them", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const thrown = await caught(
      handleConversationMessage(
        officeWith(() => Promise.reject(new Error("secret-host"))),
        message,
      ),
    );
    expect(thrown).toMatchObject({ code: "agent_failed", message: expect.not.stringContaining("secret") as string });
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  test("for want of a blueprint or a page is said before anything is streamed", async () => {
    const office = officeWith(() => Promise.reject(new Error("no call")));
    expect(await caught(generatePage(office, pageRequestSchema.parse({})))).toMatchObject({
      code: "unprocessable",
      field: "blueprint",
    });
    expect(await caught(generatePage(office, pageRequestSchema.parse({ conversationId: "c" })))).toBeInstanceOf(Fault);
    expect(await caught(refreshPage(office, "page-1"))).toMatchObject({ code: "not_found" });
  });
});

test("a reader who leaves stops the model", async () => {
  const heard = Promise.withResolvers<AbortSignal>();
  const office = officeWith(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        heard.resolve(signal);
      }),
  );
  const reader = (await generatePage(office, page)).getReader();
  void (async () => {
    while (!(await reader.read()).done);
  })().catch(() => undefined);
  const signal = await heard.promise;
  expect(signal.aborted).toBe(false);
  await reader.cancel();
  expect(signal.aborted).toBe(true);
});

test("a page that is deleted while it is made again stays deleted", async () => {
  const answers = Promise.withResolvers<{ text: string }>();
  const [library, model] = [shelf(), answering(() => answers.promise)];
  const office: EndpointContext = { ...officeWith(() => expect.unreachable("It has another one.")), library, model };
  const draft = { context: {}, teacher_id: "t-001", language: "en", snapshot: { results: [], is_cut: false } };
  const blueprint = ensurePresent(page.blueprint ?? null, "blueprint");
  const { page_id } = await library.savePage({ ...draft, blueprint, page: PAGE });
  const reader = (await refreshPage(office, page_id)).getReader();
  await reader.read();
  library.store.remove(page_id);
  answers.resolve({ text: "Fine." });
  while (!(await reader.read()).done);
  expect(await library.loadPage(page_id)).toBeNull();
});
