// A page comes about: its blueprint is carried out, and what came of it is kept before anybody hears that it is done.

import { must } from "../../protocol/assert.ts";
import { Fault } from "../../protocol/fault.ts";
import type { PageEvent } from "../../protocol/page.ts";
import type { Snapshot, Standing } from "../../protocol/pages.ts";
import type { Desk } from "./desk.ts";
import { executeBlueprint, type Order as Execution } from "./execute.ts";
import { inLanguage } from "./language.ts";
import { BROKEN } from "./phrases.ts";

/** What is to be made. With `pageId`, in the place of that page; `key` names the conversation that it belongs to. */
export type Order = Omit<Execution, "tools"> & {
  readonly key: string | null;
  readonly conversationId?: string;
  readonly pageId?: string;
  /** The page that is there is made again. One that is deleted meanwhile is shown once more, but not kept. */
  readonly isRerun?: boolean;
};

/** The page that a refined one goes on from; none where everything is to be made anew. */
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

/** F109, F116. Ends with exactly one `COMPLETE`, whatever fails. */
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
      // Nobody hears that a page is done before it is kept.
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
 * What does not exist is no part of the talk: it is about the page that is there again. Where there is none, the next
 * message may say what was meant instead.
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

/** The last event, once the page is kept. One that cannot be is shown all the same. */
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
