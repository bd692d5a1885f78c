// Operations on the stored pages of a user, and reading a page by a public link.
//
// The user's library (a Durable Object) stores the pages; the directory (D1) stores the links. The two are not updated
// in one transaction: pages are deleted before their links, and a link without a page is `not_found`.

import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import {
  createPageLink,
  findLinkedPage,
  listPageLinks,
  MAX_LINKS_PER_PAGE,
  removePageLink,
  removePageLinks,
} from "../../directory/page-links.ts";
import type { Env } from "../../env.ts";
import { createMessage } from "../../language/messages.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import { pageEndpoints, pageStreamEndpoints } from "../../protocol/api/page-endpoints.ts";
import { LINK_LIFETIME_SECONDS, type PagesApi, type StoredPage } from "../../protocol/pages/stored-page.ts";
import { parseNamedValue } from "../../protocol/wire/fault.ts";
import { computeConversationDigest } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { createSseResponse } from "../sse.ts";
import { getAnalyst, PAGE_STREAM_ANSWER } from "./analysis.ts";
import { formatContentDisposition, respondWithCsv } from "./file-response.ts";
import type { HttpRoute } from "./http-route.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { computeNextCursor, decodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";

const tag = "Pages";
const { default: defaultLifetime } = LINK_LIFETIME_SECONDS;

export const pageOperations = {
  /** Lists newest first. */
  listPages: defineOperation(pageEndpoints.listPages, {
    http: { tag, summary: "List your pages, newest first", answer: "A page of the list" },
    rpc: (options?: PageQuery) => ({ query: options }),
    async run(caller, { query: { limit, cursor } }) {
      const pages = unwrapResult(await getPageLibrary(caller).pages(limit, decodeCursor(cursor)));
      return { pages, next_cursor: computeNextCursor(pages, limit, (last) => [last.created_at, last.page_id]) };
    },
  }),
  /** Returns a page with its blueprint and data. */
  page: defineOperation(pageEndpoints.page, {
    http: { tag, summary: "Get a page with its blueprint and its data", answer: "The page" },
    rpc: (page: string) => ({ id: page }),
    run: (caller, { id }) => readPage(caller, id),
  }),
  renamePage: defineOperation(pageEndpoints.renamePage, {
    http: {
      tag,
      summary: "Rename a page",
      example: { title: "Classes 1A and 1B in autumn" },
      answer: "The summary of the page",
    },
    rpc: (page: string, title: string) => ({ id: page, body: { title } }),
    run: async (caller, { id, body: { title } }) =>
      unwrapResult(await getPageLibrary(caller).renamePage(checkPageId(id), title)),
  }),
  /**
   * Deletes a page and its links. If the directory is down, the links remain until they expire, but lead to
   * `not_found`.
   */
  deletePage: defineOperation(pageEndpoints.deletePage, {
    http: { tag, summary: "Delete a page and its links", answer: "The page was deleted" },
    rpc: (page: string) => ({ id: page }),
    async run(caller, { id }) {
      const deleted = unwrapResult(await getPageLibrary(caller).removePage(checkPageId(id)));
      await removePageLinks(openDirectory(caller.env.DB), caller.userId, id).catch((thrown: unknown) =>
        console.error("The links of a deleted page could not be deleted", thrown),
      );
      return deleted;
    },
  }),
  /** Builds the page again with current data and replaces it. Streams like `generatePage`. */
  runPage: defineOperation(pageStreamEndpoints.runPage, {
    http: { tag, summary: "Build a page again with current data, and replace it", ...PAGE_STREAM_ANSWER },
    rpc: (page: string) => ({ id: page }),
    run: async (caller, { id }) => unwrapResult(await getAnalyst(caller).refresh(caller.userId, checkPageId(id))),
    respond: (lines) => createSseResponse(lines),
  }),
  exportPageHtml: defineOperation(pageEndpoints.pageHtml, {
    http: {
      tag,
      summary: "Export a page as a self-contained HTML file",
      answer: "The HTML file",
      type: "text/html",
    },
    run: (caller, { id }) => readPage(caller, id),
    respond: (page) =>
      respondWithDocument(page, { "content-disposition": formatContentDisposition(page.title, "html", "page") }),
  }),
  exportPageCsv: defineOperation(pageEndpoints.pageCsv, {
    http: {
      tag,
      summary: "Export the tables, charts and figures of a page as CSV for spreadsheets, without formulas",
      answer: "The tables in UTF-8 with a byte order mark",
      type: "text/csv",
    },
    run: (caller, { id }) => readPage(caller, id),
    async respond({ title, page }) {
      const { formatPageCsv } = await import("../page-export/page-csv.ts");
      return respondWithCsv(formatPageCsv(page), title, "page");
    },
  }),
  /**
   * Creates a link. Its token opens `/shared/{token}` for this number of seconds (default: 7 days), and is returned
   * only here. `too_many_requests` if the page has too many links.
   */
  linkPage: defineOperation(pageEndpoints.linkPage, {
    http: {
      tag,
      summary: "Create a public link to a page",
      example: { expires_in: defaultLifetime },
      status: 201,
      answer: "The link. Only this response contains its URL",
    },
    rpc: (page: string, seconds?: number) => ({
      id: page,
      body: { expires_in: parseNamedValue("seconds", pageEndpoints.linkPage.body.shape.expires_in, seconds) },
    }),
    async run(caller, { id, body: { expires_in: seconds } }) {
      await readPage(caller, id);
      const link = await requireDirectory(createPageLink(openDirectory(caller.env.DB), caller.userId, id, seconds));
      if (link !== null) return link;
      throw createFault("too_many_requests", createMessage("page.linkLimitReached", { max: MAX_LINKS_PER_PAGE }));
    },
    respond: ({ token, ...link }, { request }) => ({ ...link, url: new URL(`/shared/${token}`, request.url).href }),
  }),
  /** Returns the links that have not expired, oldest first. */
  pageLinks: defineOperation(pageEndpoints.pageLinks, {
    http: { tag, summary: "List the valid links of a page, oldest first", answer: "All valid links" },
    rpc: (page: string) => ({ id: page }),
    async run(caller, { id }) {
      await readPage(caller, id);
      return { links: await requireDirectory(listPageLinks(openDirectory(caller.env.DB), caller.userId, id)) };
    },
  }),
  /** Revokes a link at once. */
  unlinkPage: defineOperation(pageEndpoints.unlinkPage, {
    http: { tag, summary: "Revoke a link", answer: "The link was revoked" },
    rpc: (page: string, link: string) => ({ id: page, link }),
    async run({ env, userId }, { id, link }) {
      const pageId = checkPageId(id);
      const isLinkId = matchesIdFormat(link, /^link-[\da-f]{32}$/);
      if (!isLinkId || !(await requireDirectory(removePageLink(openDirectory(env.DB), userId, pageId, link))))
        throw createFault("not_found", "page.linkNotFound");
      return { link_id: link, deleted: true as const };
    },
  }),
};

/** Serves a page to anybody with its link. The token of the link only allows reading this page. */
export const sharedPageRoute: HttpRoute = {
  method: "get",
  path: "/shared/{token}",
  tag,
  summary: "Read a page by its public link",
  query: null,
  body: null,
  answer: { status: 200, description: "The current page", schema: pageEndpoints.pageHtml.output, type: "text/html" },
  streams: false,
  isPublic: true,
  run: async ({ env, req }) => respondWithDocument(await readSharedPage(env, req.param("token") ?? ""), {}),
};

/**
 * Deletes the analyst's state of a deleted conversation. The pages that it created remain. Never rejects: an error is
 * logged, and newer state replaces the old one later.
 */
export async function deleteAnalysisState(caller: Caller, conversationId: string): Promise<void> {
  try {
    unwrapResult(await getPageLibrary(caller).keepStanding(computeConversationDigest(conversationId), {}));
  } catch (thrown) {
    console.error("The analysis state of a deleted conversation could not be deleted", thrown);
  }
}

/** Returns a new stub of the user's library (U1). Each call needs its own stub, because a failed call may break it. */
function getPageLibrary({ env, userId }: Pick<Caller, "env" | "userId">): PagesApi {
  return env.LIBRARY.getByName(userId);
}

async function readPage(caller: Caller, id: string): Promise<StoredPage> {
  return unwrapResult(await getPageLibrary(caller).page(checkPageId(id)));
}

/** Returns the id. Throws `not_found` if it does not have the form of a page id. */
function checkPageId(id: string): string {
  if (matchesIdFormat(id, /^page-[\da-f]{32}$/)) return id;
  throw createFault("not_found", "page.notFound");
}

/**
 * Returns the page of a link's token. Throws `not_found` without a reason for an unknown or expired token and for a
 * deleted page.
 */
async function readSharedPage(env: Env, token: string): Promise<StoredPage> {
  const location = await requireDirectory(findLinkedPage(openDirectory(env.DB), token));
  const found = location === null ? null : await getPageLibrary({ env, userId: location.userId }).page(location.pageId);
  if (found !== null && (found.ok || found.failure.code !== "not_found")) return unwrapResult(found);
  throw createFault("not_found", "page.linkExpired");
}

/** Returns a page as an HTML document. It contains data of users and runs on the API's origin, so it is sandboxed. */
async function respondWithDocument(page: StoredPage, headers: Readonly<Record<string, string>>): Promise<Response> {
  const { getContentPolicy, renderDocument } = await import("../page-export/page-document.ts");
  const policy = `${await getContentPolicy()}; frame-ancestors 'none'; sandbox`;
  return new Response(await renderDocument(page), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}
