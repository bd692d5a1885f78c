// The errors of the endpoints, and what happens when the reader leaves.

import { describe, expect, test, vi } from "vitest";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import {
  handleConversationMessage,
  generatePage,
  refreshPage,
  type EndpointContext,
} from "../../../src/agents/analyst/analysis-endpoints.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { analysisRequestSchema, pageRequestSchema } from "../../../src/protocol/pages/analysis-api.ts";
import { blueprintSchema } from "../../../src/protocol/pages/blueprint-schema.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import { createBlueprint } from "../../support/analysis-script.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { createPageLibrary } from "../fixtures/run-analyst.ts";
import { SAMPLE_PAGE } from "../../http/plain/sample-page.ts";
import { createModel } from "./run-execution.ts";
import { Failure } from "../../../src/protocol/wire/message-error.ts";

const createEndpointContext = (complete: AgentModel["complete"]): EndpointContext => ({
  model: { complete },
  blueprintModel: "orrery-embedded",
  tools: createDataTools(openLibrary().data),
  library: createPageLibrary(),
});
const message = analysisRequestSchema.parse({ message: "hi" });
const page = pageRequestSchema.parse({ blueprint: blueprintSchema.parse({ id: "bp-1", ...createBlueprint("") }) });
const catchError = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable("It was answered."),
    (thrown: unknown) => thrown,
  );

describe("[F116] a failure", () => {
  test("of the model is reported in the words of the model client", async () => {
    const fault = new Failure("model_unavailable", "The model cannot be reached.", { retryable: false });
    expect(
      await catchError(
        handleConversationMessage(
          createEndpointContext(() => Promise.reject(fault)),
          message,
        ),
      ),
    ).toMatchObject({
      code: "agent_failed",
      message: "The model cannot be reached.",
    });
  });

  test("of the server is reported without its cause", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const thrown = await catchError(
      handleConversationMessage(
        createEndpointContext(() => Promise.reject(new Error("secret-host"))),
        message,
      ),
    );
    expect(thrown).toMatchObject({ code: "agent_failed", message: expect.not.stringContaining("secret") as string });
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  test("for a missing blueprint or page is thrown before the stream starts", async () => {
    const context = createEndpointContext(() => Promise.reject(new Error("no call")));
    expect(await catchError(generatePage(context, pageRequestSchema.parse({})))).toMatchObject({
      code: "unprocessable",
      field: "blueprint",
    });
    expect(await catchError(generatePage(context, pageRequestSchema.parse({ conversationId: "c" })))).toBeInstanceOf(
      Fault,
    );
    expect(await catchError(refreshPage(context, "page-1"))).toMatchObject({ code: "not_found" });
  });
});

test("generatePage aborts the model when its reader leaves", async () => {
  const modelSignal = Promise.withResolvers<AbortSignal>();
  const context = createEndpointContext(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        modelSignal.resolve(signal);
      }),
  );
  const reader = (await generatePage(context, page)).getReader();
  void (async () => {
    while (!(await reader.read()).done);
  })().catch(() => undefined);
  const signal = await modelSignal.promise;
  expect(signal.aborted).toBe(false);
  await reader.cancel();
  expect(signal.aborted).toBe(true);
});

test("refreshPage does not restore a page that is deleted meanwhile", async () => {
  const answers = Promise.withResolvers<{ text: string }>();
  const [library, model] = [createPageLibrary(), createModel(() => answers.promise)];
  const context: EndpointContext = {
    ...createEndpointContext(() => expect.unreachable("It has another one.")),
    library,
    model,
  };
  const draft = { context: {}, teacher_id: "t-001", language: "en", snapshot: { results: [], is_cut: false } };
  const blueprint = ensurePresent(page.blueprint ?? null, "blueprint");
  const { page_id } = await library.savePage({ ...draft, blueprint, page: SAMPLE_PAGE });
  const reader = (await refreshPage(context, page_id)).getReader();
  await reader.read();
  library.store.remove(page_id);
  answers.resolve({ text: "Fine." });
  while (!(await reader.read()).done);
  expect(await library.loadPage(page_id)).toBeNull();
});
