// Carries out a blueprint in three phases: fetch data, compute, compose. Emits the events of the page.
//
// Every execution owns one `PageBuild`, which the phases fill in order. It ends with exactly one `COMPLETE`, also after a
// failure, a timeout (180 s) or an abort by the caller; the caller sends it once the page is stored. Failures of optional data and of texts do not stop the
// page: they are recorded in `build.missing` and shown as a note in their block. When the generator ends, its own
// signal aborts, so no text or tool call outlives the execution.

import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageEvent, PageSpec } from "../../../protocol/pages/page.ts";
import type { PageSnapshot } from "../../../protocol/pages/stored-page.ts";
import { createMessage, type MessageKey, type MessageParameters } from "../../../language/messages.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { truncateLists } from "../truncate-json.ts";
import { checkBlueprint, formatProblems } from "../blueprint/blueprint-check.ts";
import { streamWork } from "../../../lib/async-queue.ts";
import { startTexts, composeBlocks, collectKeptBlocks, type KeptBlocks } from "../compose/compose-blocks.ts";
import { MAX_LIST_MEMBERS } from "./page-tool-call.ts";
import { computeNodes, fetchData } from "./fetch-and-compute.ts";
import type { ModelContext } from "../model-context.ts";
import { sanitizeMarkdown } from "../compose/sanitize-markdown.ts";
import { createPageMessage, assemblePage } from "../compose/assemble-page.ts";
import { localizeError } from "../localize.ts";
import {
  localizeText,
  listUnchosenInputs,
  type PageBuild,
  createPageFailure,
  type MissingEntity,
} from "./page-build.ts";
import type { AnalystTools } from "../tools.ts";
import { isFailure, type Failure } from "../../../protocol/wire/message-error.ts";
import { isSameJson } from "../../../lib/json-value.ts";

/** Maximum duration of one execution in seconds. */
const MAX_EXECUTION_SECONDS = 180;

/** A blueprint to carry out, and the inputs of its page. */
export type BlueprintExecution = {
  readonly blueprint: Blueprint;
  readonly context: Readonly<Record<string, unknown>>;
  readonly teacherId: string;
  readonly language: string;
  readonly tools: AnalystTools;
  /**
   * The page that this one refines. Equal tool calls return the stored results without being called. Written blocks are
   * kept, except those of the slots in `recompose`.
   */
  readonly previous?: {
    readonly page: PageSpec;
    readonly snapshot: PageSnapshot;
    readonly recompose: readonly string[];
  };
};

export type CompleteEvent = Extract<PageEvent, { type: "COMPLETE" }>;

/** The end of an execution: its last event, the tool results of the page, and the named thing that does not exist. */
export type ExecutionEnd = {
  readonly complete: CompleteEvent;
  readonly snapshot: PageSnapshot;
  readonly notFound: MissingEntity | null;
};

/**
 * Carries out a blueprint, yields its events except `COMPLETE`, and returns the end; stores nothing. Never throws: after
 * a failure, an abort or a timeout the `COMPLETE` has no page but a text for the person. If a named thing, such as a
 * column, does not exist, the last event is a `DATA_ERROR`.
 */
export async function* executeBlueprint(
  ctx: ModelContext,
  execution: BlueprintExecution,
): AsyncGenerator<PageEvent, ExecutionEnd> {
  const ended = new AbortController();
  const timeoutSignal = AbortSignal.timeout(MAX_EXECUTION_SECONDS * 1_000);
  const signal = AbortSignal.any([ctx.signal, timeoutSignal, ended.signal]);
  const build = createPageBuild({ ...ctx, signal }, execution);
  const createEnd = (result: CompleteEvent["result"], notFound: MissingEntity | null = null): ExecutionEnd => ({
    complete: { type: "COMPLETE", message: result.page === null ? "error" : "completed", progress: 100, result },
    snapshot: { results: build.results, is_cut: false },
    notFound,
  });
  try {
    const page = yield* runPhases(build, execution);
    const messageText = createPageMessage(build, page);
    yield { type: "MESSAGE", content: messageText };
    return createEnd({ response: messageText, chatResponse: messageText, page });
  } catch (thrown) {
    const notFound = isFailure(thrown, "page_failed") ? ((thrown.detail as MissingEntity | undefined) ?? null) : null;
    if (notFound !== null) yield { type: "DATA_ERROR", ...notFound, suggestions: [...notFound.suggestions] };
    const chatResponse = sanitizeMarkdown(describeFailure(build, thrown, ctx.signal, timeoutSignal));
    return createEnd({ response: "", chatResponse, page: null }, notFound);
  } finally {
    ended.abort(new Error("The page is done."));
  }
}

/**
 * Checks the blueprint and its required inputs, then runs the three phases. Throws a `Failure` (`page_failed`) for a
 * failure with a text for the person.
 */
async function* runPhases(
  build: PageBuild,
  { blueprint, previous }: BlueprintExecution,
): AsyncGenerator<PageEvent, PageSpec> {
  const checked = checkBlueprint(blueprint, build.tools.infos);
  if (!checked.ok)
    throw createBuildError(build, "analyst.blueprintUnusable", {
      problems: formatProblems(checked.problems.slice(0, 5)),
    });
  const labels = listUnchosenInputs(build);
  if (labels.length > 0) throw createBuildError(build, "analyst.chooseFirst", { labels });
  yield createPhaseEvent(build, "data");
  yield* streamWork((emit) => fetchData(build, emit));
  yield createPhaseEvent(build, "compute");
  yield* streamWork((emit) => computeNodes(build, emit));
  const keptBlocks: KeptBlocks =
    previous === undefined ? new Map() : collectKeptBlocks(build, previous.page, previous.recompose);
  const texts = startTexts(build, keptBlocks);
  yield createPhaseEvent(build, "compose");
  return assemblePage(build, yield* composeBlocks(build, texts, keptBlocks));
}

/** Creates the initial state of the execution. */
function createPageBuild(
  ctx: ModelContext,
  { blueprint, context, teacherId, language, tools, previous }: BlueprintExecution,
): PageBuild {
  const fullContext = teacherId === "" ? { ...context } : { ...context, teacherId };
  return {
    ...ctx,
    blueprint,
    language,
    context: fullContext,
    input: context["input"] ?? context["inputs"] ?? context,
    tools: previous === undefined ? tools : withRecordedResults(tools, previous.snapshot),
    // Ids come from outside. Objects without a prototype keep them from touching inherited members.
    data: Object.create(null) as Record<string, unknown>,
    compute: Object.create(null) as Record<string, unknown>,
    results: [],
    missing: new Map(),
  };
}

/** Wraps the tools so that a call with the same arguments returns the recorded result. */
function withRecordedResults(tools: AnalystTools, { results }: PageSnapshot): AnalystTools {
  return {
    infos: tools.infos,
    async call(name, args, signal) {
      const shortArgs = truncateLists(args, MAX_LIST_MEMBERS);
      const same = results.find(({ tool, args: before }) => tool === name && isSameJson(before, shortArgs));
      return same === undefined ? await tools.call(name, args, signal) : same.result;
    },
  };
}

const PHASE_MESSAGES = {
  data: "analyst.fetchingData",
  compute: "analyst.computing",
  compose: "analyst.composing",
} as const satisfies Record<string, MessageKey>;

/** Returns the event that starts a phase. Throws if the signal is aborted. */
function createPhaseEvent(build: PageBuild, name: keyof typeof PHASE_MESSAGES): PageEvent {
  build.signal.throwIfAborted();
  return { type: "PHASE", phase: name, message: localizeText(build, PHASE_MESSAGES[name]) };
}

function createBuildError(build: PageBuild, key: MessageKey, params: MessageParameters): Failure {
  return createPageFailure(localizeText(build, createMessage(key, params)));
}

/** Returns the text for the person: stopped by the caller, timed out, or the reason. Unexpected errors are logged. */
function describeFailure(
  build: PageBuild,
  thrown: unknown,
  callerSignal: AbortSignal,
  timeoutSignal: AbortSignal,
): string {
  if (callerSignal.aborted) return localizeText(build, "analyst.pageStopped");
  if (timeoutSignal.aborted)
    return localizeText(build, createMessage("analyst.pageTimedOut", { seconds: MAX_EXECUTION_SECONDS }));
  if (isFailure(thrown, "page_failed")) return thrown.message;
  if (thrown instanceof Fault || isFailure(thrown, "agent_exhausted"))
    return localizeText(build, createMessage("analyst.pageFailed", { reason: localizeError(thrown, build.language) }));
  console.error("A page broke off", thrown);
  return localizeText(build, createMessage("analyst.pageFailed", { reason: createMessage("internal") }));
}
