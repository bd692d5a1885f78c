// Operations on the stored pages of a user, and reading a page by a public link.
//
// The user's library (a Durable Object) stores the pages; the directory (D1) stores the links. The two are not updated
// in one transaction: pages are deleted before their links, and a link without a page is `not_found`.

import { fromDirectory } from "../directory/availability.ts";
import { linksOf, makeLink, MOST_LINKS, pageBehind, removeLink, removeLinks } from "../directory/page-links.ts";
import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import { digestOf } from "../protocol/ids.ts";
import type { KeptPage, PageLink, PageList, PagesApi, PageSummary } from "../protocol/pages.ts";
import { valueOf } from "../protocol/result.ts";
import { analystOf } from "./analysis-verbs.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isOfForm } from "./ids.ts";

const PAGE_ID = /^page-[\da-f]{32}$/;
const LINK_ID = /^link-[\da-f]{32}$/;

/** Returns a new stub of the user's library (U1). Each call needs its own stub, because a failed call may break it. */
function libraryOf(env: Env, userId: string): PagesApi {
  return env.LIBRARY.getByName(userId);
}

/**
 * Deletes the analyst's state of a deleted conversation. The pages that it created remain. Never rejects: an error is
 * logged, and newer state replaces the old one later.
 */
export async function forgetStanding(env: Env, userId: string, conversationId: string): Promise<void> {
  try {
    valueOf(await libraryOf(env, userId).keepStanding(digestOf(conversationId), {}));
  } catch (thrown) {
    console.error("What was talked about stays until it makes room", thrown);
  }
}

/** Creates the operations for one user. */
export function pageVerbsOf(env: Env, userId: string) {
  const library = (): PagesApi => libraryOf(env, userId);

  /** Returns the id. Throws `not_found` if it does not have the form of a page id. */
  const known = (id: string): string => {
    if (isOfForm(id, PAGE_ID)) return id;
    throw new Fault("not_found", "There is no such page.");
  };

  return {
    /** Returns a page of the list, newest first. */
    async listPages(limit: number, cursor?: string): Promise<PageList> {
      const pages = valueOf(await library().pages(limit, cursor === undefined ? null : placeIn(cursor)));
      const last = pages.length < limit ? undefined : pages.at(-1);
      return { pages, next_cursor: last === undefined ? null : cursorOf(last.created_at, last.page_id) };
    },

    async page(id: string): Promise<KeptPage> {
      return valueOf(await library().page(known(id)));
    },

    async renamePage(id: string, title: string): Promise<PageSummary> {
      return valueOf(await library().renamePage(known(id), title));
    },

    /**
     * Deletes a page and its links. If the directory is down, the links remain until they expire, but lead to
     * `not_found`.
     */
    async deletePage(id: string): Promise<{ page_id: string; deleted: true }> {
      const deleted = valueOf(await library().removePage(known(id)));
      await removeLinks(env.DB, userId, id).catch((thrown: unknown) =>
        console.error("Links stay until they expire", thrown),
      );
      return deleted;
    },

    /** Builds the page again with current data and replaces it. Returns its events as JSON lines. */
    async runPage(id: string): Promise<ReadableStream<Uint8Array>> {
      return valueOf(await analystOf(env).refresh(userId, known(id)));
    },

    /**
     * Creates a link that is valid for `seconds`. Its token is returned only here. Throws `too_many_requests` if the
     * page has the maximum number of links.
     */
    async linkPage(id: string, seconds: number): Promise<PageLink & { readonly token: string }> {
      valueOf(await library().page(known(id)));
      const link = await fromDirectory(makeLink(env.DB, userId, id, seconds));
      if (link !== null) return link;
      throw new Fault("too_many_requests", `A page has at most ${MOST_LINKS} links. Delete one first.`);
    },

    async pageLinks(id: string): Promise<{ links: PageLink[] }> {
      valueOf(await library().page(known(id)));
      return { links: await fromDirectory(linksOf(env.DB, userId, id)) };
    },

    async unlinkPage(id: string, linkId: string): Promise<{ link_id: string; deleted: true }> {
      const pageId = known(id);
      if (!isOfForm(linkId, LINK_ID) || !(await fromDirectory(removeLink(env.DB, userId, pageId, linkId)))) {
        throw new Fault("not_found", "There is no such link.");
      }
      return { link_id: linkId, deleted: true };
    },
  };
}

/**
 * Returns the page of a link's token. Throws `not_found` without a reason for an unknown or expired token and for a
 * deleted page.
 */
export async function sharedPage(env: Env, token: string): Promise<KeptPage> {
  const place = await fromDirectory(pageBehind(env.DB, token));
  const found = place === null ? null : await libraryOf(env, place.userId).page(place.pageId);
  if (found?.ok === true) return found.value;
  if (found !== null && found.failure.code !== "not_found") throw new Fault(found.failure.code, found.failure.message);
  throw new Fault("not_found", "There is no such page, or its link has expired.");
}
