// HTTP routes of pages, their exports as HTML and CSV, and their public links.

import * as z from "zod";
import {
  storedPageSchema,
  LINK_LIFETIME_SECONDS,
  newPageLinkSchema,
  pageLinkSchema,
  pageListSchema,
  pageSummarySchema,
  updatePageSchema,
  type StoredPage,
} from "../../protocol/pages/stored-page.ts";
import { formatContentDisposition } from "./content-disposition.ts";
import { formatPageCsv } from "../page-export/page-csv.ts";
import { renderDocument, getContentPolicy } from "../page-export/page-document.ts";
import { readSharedPage } from "../operations/page-operations.ts";
import { defineRoute, createIntegerParameter, type HttpRoute } from "../define-route.ts";
import { createSseResponse } from "../sse.ts";

const PAGES_PATH = "/api/v1/pages";
const tag = "Pages";
const { min, max, default: defaultLifetime } = LINK_LIFETIME_SECONDS;
const deleted = z.literal(true);

export const pageRoutes = [
  defineRoute({
    method: "get",
    path: PAGES_PATH,
    tag,
    summary: "List your pages, newest first",
    query: z.strictObject({ limit: createIntegerParameter(20, { min: 1, max: 100 }), cursor: z.string().optional() }),
    answer: { status: 200, description: "A page of the list", schema: pageListSchema },
    handle: ({ operations, query }) => operations.listPages(query.limit, query.cursor),
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "Get a page with its blueprint and its data",
    answer: { status: 200, description: "The page", schema: storedPageSchema },
    handle: ({ operations, params }) => operations.page(params.id),
  }),
  defineRoute({
    method: "patch",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "Rename a page",
    body: updatePageSchema,
    example: { title: "Classes 1A and 1B in autumn" },
    answer: { status: 200, description: "The summary of the page", schema: pageSummarySchema },
    handle: ({ operations, params, body }) => operations.renamePage(params.id, body.title),
  }),
  defineRoute({
    method: "delete",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "Delete a page and its links",
    answer: { status: 200, description: "The page was deleted", schema: z.object({ page_id: z.string(), deleted }) },
    handle: ({ operations, params }) => operations.deletePage(params.id),
  }),
  defineRoute({
    method: "post",
    path: `${PAGES_PATH}/{id}/run`,
    tag,
    summary: "Build a page again with current data, and replace it",
    answer: {
      status: 200,
      description: "Page events; the last one is `COMPLETE`",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ operations, params }) => createSseResponse(await operations.runPage(params.id)),
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}.html`,
    tag,
    summary: "Export a page as a self-contained HTML file",
    answer: { status: 200, description: "The HTML file", schema: z.string(), type: "text/html" },
    async handle({ operations, params }) {
      const page = await operations.page(params.id.replace(/\.html$/, ""));
      return respondWithDocument(page, { "content-disposition": formatContentDisposition(page.title, "html", "page") });
    },
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}.csv`,
    tag,
    summary: "Export the tables, charts and figures of a page as CSV for spreadsheets, without formulas",
    answer: {
      status: 200,
      description: "The tables in UTF-8 with a byte order mark",
      schema: z.string(),
      type: "text/csv",
    },
    async handle({ operations, params }) {
      const page = await operations.page(params.id.replace(/\.csv$/, ""));
      return new Response(formatPageCsv(page.page), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": formatContentDisposition(page.title, "csv", "page"),
        },
      });
    },
  }),
  defineRoute({
    method: "post",
    path: `${PAGES_PATH}/{id}/links`,
    tag,
    summary: "Create a public link to a page",
    body: z.strictObject({
      /** The lifetime of the link in seconds. */
      expires_in: z.int().min(min).max(max).default(defaultLifetime),
    }),
    example: { expires_in: defaultLifetime },
    answer: { status: 201, description: "The link. Only this response contains its URL", schema: newPageLinkSchema },
    async handle({ operations, params, body, request }) {
      const { token, ...link } = await operations.linkPage(params.id, body.expires_in);
      return { ...link, url: new URL(`/shared/${token}`, request.url).href };
    },
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}/links`,
    tag,
    summary: "List the valid links of a page, oldest first",
    answer: { status: 200, description: "All valid links", schema: z.object({ links: z.array(pageLinkSchema) }) },
    handle: ({ operations, params }) => operations.pageLinks(params.id),
  }),
  defineRoute({
    method: "delete",
    path: `${PAGES_PATH}/{id}/links/{link}`,
    tag,
    summary: "Revoke a link",
    answer: { status: 200, description: "The link was revoked", schema: z.object({ link_id: z.string(), deleted }) },
    handle: ({ operations, params }) => operations.unlinkPage(params.id, params.link),
  }),
];

/** Serves a page to anybody with its link. The token of the link only allows reading this page. */
export const sharedPageRoute: HttpRoute = {
  method: "get",
  path: "/shared/{token}",
  tag,
  summary: "Read a page by its public link",
  query: null,
  body: null,
  answer: { status: 200, description: "The current page", schema: z.string(), type: "text/html" },
  streams: false,
  isPublic: true,
  run: async ({ env, req }) =>
    respondWithDocument(await readSharedPage(env, (req.param() as Record<string, string>)["token"] ?? ""), {}),
};

/** Returns a page as an HTML document. It contains data of users and runs on the API's origin, so it is sandboxed. */
async function respondWithDocument(page: StoredPage, headers: Readonly<Record<string, string>>): Promise<Response> {
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
