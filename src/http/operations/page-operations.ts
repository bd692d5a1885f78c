// Operations on the stored pages of a user, and reading a page by a public link.
//
// The user's library (a Durable Object) stores the pages; the directory (D1) stores the links. The two are not updated
// in one transaction: pages are deleted before their links, and a link without a page is `not_found`.

import { requireDirectory } from "../../directory/directory-availability.ts";
import {
  listPageLinks,
  createPageLink,
  MAX_LINKS_PER_PAGE,
  findLinkedPage,
  removePageLink,
  removePageLinks,
} from "../../directory/page-links.ts";
import type { Env } from "../../env.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { computeConversationDigest } from "../../protocol/wire/ids.ts";
import type { StoredPage, PageLink, PageList, PagesApi, PageSummary } from "../../protocol/pages/stored-page.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { getAnalyst } from "./analysis-operations.ts";
import { encodeCursor, decodeCursor } from "./list-cursor.ts";
import { matchesIdFormat } from "./id-validation.ts";

const PAGE_ID = /^page-[\da-f]{32}$/;
const LINK_ID = /^link-[\da-f]{32}$/;

/** Returns a new stub of the user's library (U1). Each call needs its own stub, because a failed call may break it. */
function getPageLibrary(env: Env, userId: string): PagesApi {
  return env.LIBRARY.getByName(userId);
}

/**
 * Deletes the analyst's state of a deleted conversation. The pages that it created remain. Never rejects: an error is
 * logged, and newer state replaces the old one later.
 */
export async function deleteAnalysisState(env: Env, userId: string, conversationId: string): Promise<void> {
  try {
    unwrapResult(await getPageLibrary(env, userId).keepStanding(computeConversationDigest(conversationId), {}));
  } catch (thrown) {
    console.error("The analysis state of a deleted conversation could not be deleted", thrown);
  }
}

/** Creates the operations for one user. */
export function createPageOperations(env: Env, userId: string) {
  const getLibraryStub = (): PagesApi => getPageLibrary(env, userId);

  /** Returns the id. Throws `not_found` if it does not have the form of a page id. */
  const checkPageId = (id: string): string => {
    if (matchesIdFormat(id, PAGE_ID)) return id;
    throw createFault("not_found", "page.notFound");
  };

  return {
    /** Returns a page of the list, newest first. */
    async listPages(limit: number, cursor?: string): Promise<PageList> {
      const pages = unwrapResult(
        await getLibraryStub().pages(limit, cursor === undefined ? null : decodeCursor(cursor)),
      );
      const last = pages.length < limit ? undefined : pages.at(-1);
      return { pages, next_cursor: last === undefined ? null : encodeCursor(last.created_at, last.page_id) };
    },

    /** Returns a page with its blueprint and data. Throws `not_found`, like all methods with an id. */
    async page(id: string): Promise<StoredPage> {
      return unwrapResult(await getLibraryStub().page(checkPageId(id)));
    },

    async renamePage(id: string, title: string): Promise<PageSummary> {
      return unwrapResult(await getLibraryStub().renamePage(checkPageId(id), title));
    },

    /**
     * Deletes a page and its links. If the directory is down, the links remain until they expire, but lead to
     * `not_found`.
     */
    async deletePage(id: string): Promise<{ page_id: string; deleted: true }> {
      const deleted = unwrapResult(await getLibraryStub().removePage(checkPageId(id)));
      await removePageLinks(env.DB, userId, id).catch((thrown: unknown) =>
        console.error("The links of a deleted page could not be deleted", thrown),
      );
      return deleted;
    },

    /**
     * Builds the page again with current data and replaces it. Returns its events as JSON lines; cancelling them stops
     * the work.
     */
    async runPage(id: string): Promise<ReadableStream<Uint8Array>> {
      return unwrapResult(await getAnalyst(env).refresh(userId, checkPageId(id)));
    },

    /**
     * Creates a public link that is valid for `seconds`. Its token is returned only here. Throws `too_many_requests` if
     * the page has the maximum number of links.
     */
    async linkPage(id: string, seconds: number): Promise<PageLink & { readonly token: string }> {
      unwrapResult(await getLibraryStub().page(checkPageId(id)));
      const link = await requireDirectory(createPageLink(env.DB, userId, id, seconds));
      if (link !== null) return link;
      throw createFault("too_many_requests", createMessage("page.linkLimitReached", { max: MAX_LINKS_PER_PAGE }));
    },

    /** Returns the links that have not expired, oldest first, without their tokens. */
    async pageLinks(id: string): Promise<{ links: PageLink[] }> {
      unwrapResult(await getLibraryStub().page(checkPageId(id)));
      return { links: await requireDirectory(listPageLinks(env.DB, userId, id)) };
    },

    /** Invalidates a link at once. Throws `not_found` for an unknown link. */
    async unlinkPage(id: string, linkId: string): Promise<{ link_id: string; deleted: true }> {
      const pageId = checkPageId(id);
      if (
        !matchesIdFormat(linkId, LINK_ID) ||
        !(await requireDirectory(removePageLink(env.DB, userId, pageId, linkId)))
      ) {
        throw createFault("not_found", "page.linkNotFound");
      }
      return { link_id: linkId, deleted: true };
    },
  };
}

/**
 * Returns the page of a link's token. Throws `not_found` without a reason for an unknown or expired token and for a
 * deleted page.
 */
export async function readSharedPage(env: Env, token: string): Promise<StoredPage> {
  const location = await requireDirectory(findLinkedPage(env.DB, token));
  const found = location === null ? null : await getPageLibrary(env, location.userId).page(location.pageId);
  if (found !== null && (found.ok || found.failure.code !== "not_found")) return unwrapResult(found);
  throw createFault("not_found", "page.linkExpired");
}
