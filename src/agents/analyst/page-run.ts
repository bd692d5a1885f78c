// Builds a page and stores it. `makePage` runs `executeBlueprint` and holds its `COMPLETE` back until the page and the
// state of the conversation are stored, so no reader sees a finished page that could be lost.
//
// If a named thing does not exist, the state of the conversation returns to the last page. If storing fails with a
// `Fault`, the page is still shown, and its reason is appended to the text. Unexpected errors are logged and end with a
// `COMPLETE` without a page.

import { must } from "../../protocol/assert.ts";
import { Fault } from "../../protocol/fault.ts";
import type { PageEvent } from "../../protocol/page.ts";
import type { Snapshot, Standing } from "../../protocol/pages.ts";
import type { Desk } from "./desk.ts";
import { executeBlueprint, type Order as Execution } from "./execute.ts";
import { inLanguage } from "./language.ts";
import { BROKEN } from "./phrases.ts";

/** The page to build. With `pageId` it replaces that page. `key` is the digest of its conversation, or null. */
export type Order = Omit<Execution, "tools"> & {
  readonly key: string | null;
  readonly conversationId?: string;
  readonly pageId?: string;
  /** True if an existing page is built again. If the page was deleted meanwhile, the result is shown but not stored. */
  readonly isRerun?: boolean;
};

/** Returns the page that a refinement starts from; an empty object if the whole page has to be built. */
export async function previousOf(
  { library }: Pick<Desk, "library">,
  { page_id, refined }: Standing,
): Promise<Pick<Execution, "previous">> {
  if (page_id === undefined || refined === undefined || refined.isWhole) return {};
  const before = await library.page(page_id);
  if (before === null) return {};
  return { previous: { page: before.page, snapshot: before.snapshot, recompose: refined.recompose } };
}

type Complete = Extract<PageEvent, { type: "COMPLETE" }>;
type DataError = Extract<PageEvent, { type: "DATA_ERROR" }>;

/** F109, F116. Yields the events of the page. Ends with exactly one `COMPLETE`, also after a failure. Never throws. */
export async function* makePage(desk: Desk, order: Order): AsyncGenerator<PageEvent, void> {
  let last: Complete | null = null;
  let notFound: DataError | null = null;
  try {
    const { blueprint, context, teacherId, language, previous } = order;
    const known = { blueprint, context, teacherId, language, tools: desk.tools };
    const executing = executeBlueprint(desk, previous === undefined ? known : { ...known, previous });
    for (;;) {
      const { done, value } = await executing.next();
      if (done === true) {
        if (notFound !== null) await takenBack(desk, order, notFound);
        return void (yield await kept(desk, order, value.snapshot, must(last, "the end of a page")));
      }
      // `COMPLETE` is held back until the page is stored.
      if (value.type === "DATA_ERROR") notFound = value;
      if (value.type === "COMPLETE") last = value;
      else yield value;
    }
  } catch (thrown) {
    console.error("A page broke off", thrown);
    yield failed(inLanguage(BROKEN, order.language));
  }
}

/**
 * Removes a blueprint that names missing data from the conversation. Returns the state to its last page; without a
 * page, the failure becomes an open question, so that the next message can correct the name.
 */
async function takenBack({ library }: Desk, { key, blueprint }: Order, { message, suggestions }: DataError) {
  if (key === null) return;
  const standing = await library.standing(key);
  if (![standing.blueprint?.id, standing.proposed?.id].includes(blueprint.id)) return;
  const page = standing.page_id === undefined ? null : await library.page(standing.page_id);
  if (page === null) {
    const question = [message, suggestions.join(", ")].join(" ").trim();
    return library.keepStanding(key, { asked: { request: blueprint.sourcePrompt, question } });
  }
  const { page_id, context, teacher_id, language, blueprint: shown } = page;
  const earlier = (standing.earlier ?? []).filter(({ version }) => version < shown.version);
  const setup = { context, teacher_id, language };
  await library.keepStanding(key, { blueprint: shown, page_id, setup, earlier });
}

/**
 * Stores the page and the state of the conversation and returns the last event with the page id. A storage `Fault` is
 * appended to the text instead.
 */
async function kept(desk: Desk, order: Order, snapshot: Snapshot, event: Complete): Promise<Complete> {
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
  } = order;
  const setup = { context: { ...context }, teacher_id, language };
  try {
    const { page_id } = await desk.library.keepPage({
      page,
      blueprint,
      snapshot,
      ...setup,
      ...(conversation_id === undefined ? {} : { conversation_id }),
      ...(pageId === undefined ? {} : { page_id: pageId }),
      ...(isRerun === true ? { is_rerun: true } : {}),
    });
    if (key !== null) {
      const { blueprint: before, earlier } = await desk.library.standing(key);
      const changes = before?.id === blueprint.id && earlier !== undefined ? { earlier } : {};
      await desk.library.keepStanding(key, { blueprint, page_id, setup, ...changes });
    }
    return { ...event, result: { ...event.result, pageId: page_id } };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ...event, result: { ...event.result, chatResponse: `${event.result.chatResponse}\n\n${thrown.message}` } };
  }
}

function failed(chatResponse: string): Complete {
  return { type: "COMPLETE", message: "error", progress: 100, result: { response: "", chatResponse, page: null } };
}
