// Builds a page and stores it. `COMPLETE` follows when the page and the state of the conversation are stored, so no
// reader sees a finished page that could be lost.
//
// If a named thing does not exist, the state of the conversation returns to the last page. If storing fails with a
// `Fault`, the page is still shown, and its reason is appended to the text. Unexpected errors are logged and end with a
// `COMPLETE` without a page.

import { Fault } from "../../../protocol/wire/fault.ts";
import type { PageEvent } from "../../../protocol/pages/page.ts";
import type { AnalysisState } from "../../../protocol/pages/stored-page.ts";
import type { AnalystContext } from "../analyst-context.ts";
import {
  executeBlueprint,
  type BlueprintExecution,
  type CompleteEvent,
  type ExecutionEnd,
} from "./execute-blueprint.ts";
import type { MissingEntity } from "./page-build.ts";
import { localize, localizeError } from "../localize.ts";

/**
 * The page to build. With `pageId` it replaces that page. `key` is the digest of the conversation whose state is
 * updated; null if none is.
 */
export type PageOrder = Omit<BlueprintExecution, "tools"> & {
  readonly key: string | null;
  readonly conversationId?: string;
  readonly pageId?: string;
  /** True if an existing page is built again. If the page was deleted meanwhile, the result is shown but not stored. */
  readonly isRerun?: boolean;
};

/**
 * Returns as `previous` the stored page that a refinement starts from, and the slots whose texts are outdated. Returns
 * an empty object if the whole page has to be built, because there is no refinement or no stored page.
 */
export async function loadPreviousPage(
  { library }: Pick<AnalystContext, "library">,
  { page_id, refined }: AnalysisState,
): Promise<Pick<BlueprintExecution, "previous">> {
  if (page_id === undefined || refined === undefined || refined.isWhole) return {};
  const before = await library.loadPage(page_id);
  if (before === null) return {};
  return { previous: { page: before.page, snapshot: before.snapshot, recompose: refined.recompose } };
}

/**
 * F109, F116. Builds the page, stores it and the state of the conversation, and yields the events. The last event is
 * the only `COMPLETE`: with the page and its id, with the page alone if it could not be stored, or without a page after
 * a failure or an abort. Never throws.
 */
export async function* buildAndStorePage(ctx: AnalystContext, pageOrder: PageOrder): AsyncGenerator<PageEvent, void> {
  try {
    const end = yield* executeBlueprint(ctx, { ...pageOrder, tools: ctx.tools });
    if (end.notFound !== null) await revertConversation(ctx, pageOrder, end.notFound);
    yield await storePage(ctx, pageOrder, end);
  } catch (thrown) {
    console.error("A page broke off", thrown);
    const result = { response: "", chatResponse: localize("analyst.pageBroke", pageOrder.language), page: null };
    yield { type: "COMPLETE", message: "error", progress: 100, result };
  }
}

/**
 * Removes a blueprint that names missing data from the conversation. Returns the state to its last page; without a
 * page, the failure becomes an open question, so that the next message can correct the name.
 */
async function revertConversation(
  { library }: AnalystContext,
  { key, blueprint }: PageOrder,
  { message, suggestions }: MissingEntity,
) {
  if (key === null) return;
  const state = await library.loadState(key);
  if (![state.blueprint?.id, state.proposed?.id].includes(blueprint.id)) return;
  const page = state.page_id === undefined ? null : await library.loadPage(state.page_id);
  if (page === null) {
    const question = [message, suggestions.join(", ")].join(" ").trim();
    return library.saveState(key, { asked: { request: blueprint.sourcePrompt, question } });
  }
  const { page_id, context, teacher_id, language, blueprint: pageBlueprint } = page;
  const earlier = (state.earlier ?? []).filter(({ version }) => version < pageBlueprint.version);
  const setup = { context, teacher_id, language };
  await library.saveState(key, { blueprint: pageBlueprint, page_id, setup, earlier });
}

/**
 * Stores the page and the state of the conversation and returns the last event with the page id. A storage `Fault` is
 * appended to the text instead.
 */
async function storePage(
  ctx: AnalystContext,
  pageOrder: PageOrder,
  { complete: event, snapshot }: ExecutionEnd,
): Promise<CompleteEvent> {
  const { page } = event.result;
  if (page === null) return event;
  const {
    blueprint,
    context,
    teacherId: teacher_id,
    language,
    key,
    conversationId: conversation_id,
    pageId,
    isRerun,
  } = pageOrder;
  const setup = { context: { ...context }, teacher_id, language };
  try {
    const { page_id } = await ctx.library.savePage({
      page,
      blueprint,
      snapshot,
      ...setup,
      ...(conversation_id === undefined ? {} : { conversation_id }),
      ...(pageId === undefined ? {} : { page_id: pageId }),
      ...(isRerun === true ? { is_rerun: true } : {}),
    });
    if (key !== null) {
      const { blueprint: before, earlier } = await ctx.library.loadState(key);
      const changes = before?.id === blueprint.id && earlier !== undefined ? { earlier } : {};
      await ctx.library.saveState(key, { blueprint, page_id, setup, ...changes });
    }
    return { ...event, result: { ...event.result, pageId: page_id } };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return {
      ...event,
      result: { ...event.result, chatResponse: `${event.result.chatResponse}\n\n${localizeError(thrown, language)}` },
    };
  }
}
