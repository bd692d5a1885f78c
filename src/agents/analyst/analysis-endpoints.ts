// The functions behind the analysis endpoints `POST /api/conversation`, `/api/workflow/generate` and
// `/api/page/generate`, and behind the refresh of a page. The wire format is camelCase JSON
// (`protocol/pages/analysis-api.ts`) and NDJSON page events.
//
// Each call runs for at most `ANALYST_LIMITS.seconds`. Every failure of a model or of the analysis is a `Fault` with
// the code `agent_failed` and a text for the person. Streams start only after the blueprint is valid; later failures
// are part of the stream.

import type {
  AnalysisReply,
  AnalysisRequest,
  PageRequest,
  BlueprintReply,
  BlueprintRequest,
} from "../../protocol/pages/analysis-api.ts";
import type { Blueprint } from "../../protocol/pages/blueprint-schema.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault, Failure } from "../../protocol/wire/message-error.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { computeConversationDigest, createId } from "../../protocol/wire/ids.ts";
import type { PageEvent } from "../../protocol/pages/page.ts";
import type { AgentModel, AgentRunEvent } from "../kit/agent.ts";
import { AgentBudget } from "../kit/agent-limits.ts";
import type { AnalystPorts } from "./analyst.ts";
import { checkBlueprint, formatProblems } from "./blueprint/blueprint-check.ts";
import { createBlueprint } from "./blueprint/create-blueprint.ts";
import { localize, localizeError } from "./localize.ts";
import { handleMessage } from "./talk/handle-message.ts";
import type { AnalystContext } from "./analyst-context.ts";
import { createPlanContext } from "./talk/class-mentions.ts";
import { ANALYST_LIMITS } from "./analyst-limits.ts";
import { loadMaterial } from "./prompt-material.ts";
import { buildAndStorePage, loadPreviousPage, type PageOrder } from "./execute/build-and-store-page.ts";
import { SAMPLE_TEACHER } from "./talk/find-teacher.ts";

/** The context of one endpoint call. */
export type EndpointContext = AnalystPorts & {
  readonly model: AgentModel;
  /** The name of the model that plans analyses. */
  readonly blueprintModel: string;
};

/**
 * Handles a message, saves the state of the conversation and returns the reply with the conversation id, which is
 * created if the request has none. An empty teacher means the sample teacher. No page is built. Rejects with a `Fault`
 * (`agent_failed`, or that of the library).
 */
export async function handleConversationMessage(
  ctx: EndpointContext,
  request: AnalysisRequest,
): Promise<AnalysisReply> {
  const conversationId = request.conversationId ?? createId("conv");
  const key = computeConversationDigest(conversationId);
  return runWithTimeout(ctx, request.language, async (analystContext) => {
    const previousState = await analystContext.library.loadState(key);
    const { reply, state } = await getReturnValue(
      handleMessage(analystContext, withDefaultTeacher(request), previousState),
    );
    await analystContext.library.saveState(key, state);
    return { ...reply, conversationId };
  });
}

/**
 * Plans an analysis without a conversation and stores nothing. Returns the blueprint and the name of the model that
 * wrote it. An empty teacher means the sample teacher. Rejects with a `Fault` (`agent_failed`).
 */
export async function planWorkflow(ctx: EndpointContext, request: BlueprintRequest): Promise<BlueprintReply> {
  return runWithTimeout(ctx, request.language, async (analystContext) => {
    const { userPrompt: prompt, language } = request;
    const { teacherId, ...rest } = withDefaultTeacher(request);
    const material = await loadMaterial(analystContext, teacherId, [prompt]);
    const context = createPlanContext({ ...rest, teacherId, message: prompt }, material.classes);
    const blueprint = await getReturnValue(createBlueprint(analystContext, { prompt, language, context, material }));
    return { blueprint, model: ctx.blueprintModel };
  });
}

/**
 * F115. Streams a page and stores it at the end. Without a blueprint in the request, builds the proposed or else the
 * stored one of the conversation. If the blueprint has the id of the stored one, the page of the conversation is
 * replaced, else a new page is stored. Rejects with a `Fault` (`unprocessable`) if there is no blueprint, or if it is
 * invalid.
 */
export async function generatePage(ctx: EndpointContext, request: PageRequest): Promise<ReadableStream<Uint8Array>> {
  const { conversationId, context, language } = request;
  const key = typeof conversationId === "string" ? computeConversationDigest(conversationId) : null;
  const state = key === null ? {} : await ctx.library.loadState(key);
  const { blueprint: storedBlueprint, proposed, setup, page_id } = state;
  const blueprint = request.blueprint ?? proposed ?? storedBlueprint;
  if (blueprint === undefined) {
    throw createFault("unprocessable", "analyst.blueprintMissing", { field: "blueprint" });
  }
  const isStoredBlueprint = blueprint.id === storedBlueprint?.id;
  return streamPage(ctx, {
    blueprint,
    context: { ...setup?.context, ...context },
    teacherId: request.teacherId === "" ? (setup?.teacher_id ?? SAMPLE_TEACHER) : request.teacherId,
    language,
    key,
    ...(typeof conversationId === "string" ? { conversationId } : {}),
    ...(isStoredBlueprint && page_id !== undefined ? { pageId: page_id, ...(await loadPreviousPage(ctx, state)) } : {}),
  });
}

/**
 * Streams a stored page with fresh data and stores it under the same id. The state of its conversation stays as it is.
 * Rejects with a `Fault`: `not_found` if the page does not exist, `unprocessable` if its blueprint is not valid any
 * more.
 */
export async function refreshPage(ctx: EndpointContext, pageId: string): Promise<ReadableStream<Uint8Array>> {
  const page = await ctx.library.loadPage(pageId);
  if (page === null) throw createFault("not_found", "page.notFound");
  const { blueprint, context, teacher_id: teacherId, language } = page;
  return streamPage(ctx, { blueprint, context, teacherId, language, key: null, pageId, isRerun: true });
}

function withDefaultTeacher<Request extends { readonly teacherId: string }>(request: Request): Request {
  return request.teacherId === "" ? { ...request, teacherId: SAMPLE_TEACHER } : request;
}

/** Runs the work with a time limit and converts its errors to a `Fault` whose message is in `language`. */
async function runWithTimeout<T>(
  ctx: EndpointContext,
  language: string,
  work: (analystContext: AnalystContext) => Promise<T>,
): Promise<T> {
  const timeoutSignal = AbortSignal.timeout(ANALYST_LIMITS.seconds * 1_000);
  try {
    return await work(createAnalystContext(ctx, timeoutSignal));
  } catch (thrown) {
    if (!timeoutSignal.aborted) throw toAnalysisFault(thrown, language);
    const message = createMessage("analyst.timedOut", { seconds: ANALYST_LIMITS.seconds });
    throw createAgentFault(localize(message, language), thrown);
  }
}

function createAnalystContext({ tools, library, model }: EndpointContext, signal: AbortSignal): AnalystContext {
  return { tools, library, model, signal, budget: new AgentBudget(ANALYST_LIMITS) };
}

/** Converts an error to a `Fault` for the person. Unexpected errors are logged and get a general text. */
function toAnalysisFault(thrown: unknown, language: string): Fault {
  const isAgentFault = thrown instanceof Fault && (thrown.code === "unprocessable" || thrown.code === "agent_failed");
  if (isAgentFault || thrown instanceof Failure) return createAgentFault(localizeError(thrown, language), thrown);
  if (thrown instanceof Fault) return thrown;
  console.error("An analysis failed", thrown);
  return createAgentFault(localize("analyst.failed", language), thrown);
}

function createAgentFault(message: string, cause: unknown): Fault {
  return new Fault("agent_failed", message, { cause });
}

/** Runs a generator to its end, ignores its events and returns its result. */
async function getReturnValue<T>(generator: AsyncGenerator<AgentRunEvent, T>): Promise<T> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return value;
  }
}

/**
 * Returns a byte stream of page events, one JSON object per line. Each pull of the reader advances the page by one
 * event. Throws a `Fault` (`unprocessable`) before the stream exists if the blueprint is invalid. Cancelling the stream
 * aborts the work.
 */
function streamPage(ctx: EndpointContext, pageOrder: PageOrder): ReadableStream<Uint8Array> {
  assertValidBlueprint(ctx, pageOrder.blueprint);
  const cancellation = new AbortController();
  const signal = AbortSignal.any([cancellation.signal, AbortSignal.timeout(ANALYST_LIMITS.seconds * 1_000)]);
  const events = buildAndStorePage(createAnalystContext(ctx, signal), pageOrder);
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await events.next();
      if (done !== true) return controller.enqueue(encodeEventLine(value));
      controller.close();
      // A pending byte request must be answered with zero bytes after `close`.
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      cancellation.abort(new Error("The reader has gone."));
      await events.return();
    },
  });
}

const utf8 = new TextEncoder();

/** Encodes one NDJSON line. */
function encodeEventLine(event: PageEvent): Uint8Array {
  return utf8.encode(`${JSON.stringify(event)}\n`);
}

function assertValidBlueprint({ tools }: EndpointContext, blueprint: Blueprint): void {
  const checked = checkBlueprint(blueprint, tools.infos);
  if (checked.ok) return;
  const problem = formatProblems(checked.problems);
  throw createFault("unprocessable", createMessage("field.invalid", { field: "blueprint", problem }), {
    field: "blueprint",
  });
}
