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
const { least, most, usual } = LINK_LIFETIME_SECONDS;
const deleted = z.literal(true);

export const pageRoutes = [
  defineRoute({
    method: "get",
    path: PAGES_PATH,
    tag,
    summary: "Your pages, newest first",
    query: z.strictObject({ limit: createIntegerParameter(20, { min: 1, max: 100 }), cursor: z.string().optional() }),
    answer: { status: 200, description: "A page of pages", schema: pageListSchema },
    handle: ({ operations, query }) => operations.listPages(query.limit, query.cursor),
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "One page, with its blueprint and the data that it was made from",
    answer: { status: 200, description: "The page", schema: storedPageSchema },
    handle: ({ operations, params }) => operations.page(params.id),
  }),
  defineRoute({
    method: "patch",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "Rename a page",
    body: updatePageSchema,
    example: { title: "1A and 1B in autumn" },
    answer: { status: 200, description: "The page as it is listed", schema: pageSummarySchema },
    handle: ({ operations, params, body }) => operations.renamePage(params.id, body.title),
  }),
  defineRoute({
    method: "delete",
    path: `${PAGES_PATH}/{id}`,
    tag,
    summary: "Delete a page with its links",
    answer: { status: 200, description: "It is gone", schema: z.object({ page_id: z.string(), deleted }) },
    handle: ({ operations, params }) => operations.deletePage(params.id),
  }),
  defineRoute({
    method: "post",
    path: `${PAGES_PATH}/{id}/run`,
    tag,
    summary: "Make a page again with fresh data, in its place",
    answer: {
      status: 200,
      description: "Events, the last of them COMPLETE",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ operations, params }) => createSseResponse(await operations.runPage(params.id)),
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}.html`,
    tag,
    summary: "A page as one HTML file that needs nothing else",
    answer: { status: 200, description: "The file", schema: z.string(), type: "text/html" },
    async handle({ operations, params }) {
      const page = await operations.page(params.id.replace(/\.html$/, ""));
      return respondWithDocument(page, { "content-disposition": formatContentDisposition(page.title, "html", "page") });
    },
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}.csv`,
    tag,
    summary: "The tables, charts and figures of a page as CSV for spreadsheets; no cell of it is a formula",
    answer: { status: 200, description: "In UTF-8 with a byte order mark", schema: z.string(), type: "text/csv" },
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
    summary: "Let anybody who has the link read the page, until it expires",
    body: z.strictObject({
      /** The lifetime of the link in seconds. */
      expires_in: z.int().min(least).max(most).default(usual),
    }),
    example: { expires_in: usual },
    answer: { status: 201, description: "The link: its address is told only here", schema: newPageLinkSchema },
    async handle({ operations, params, body, request }) {
      const { token, ...link } = await operations.linkPage(params.id, body.expires_in);
      return { ...link, url: new URL(`/shared/${token}`, request.url).href };
    },
  }),
  defineRoute({
    method: "get",
    path: `${PAGES_PATH}/{id}/links`,
    tag,
    summary: "The links of a page that have not expired, the oldest first",
    answer: { status: 200, description: "All of them", schema: z.object({ links: z.array(pageLinkSchema) }) },
    handle: ({ operations, params }) => operations.pageLinks(params.id),
  }),
  defineRoute({
    method: "delete",
    path: `${PAGES_PATH}/{id}/links/{link}`,
    tag,
    summary: "Make a link lead nowhere, at once",
    answer: { status: 200, description: "It is gone", schema: z.object({ link_id: z.string(), deleted }) },
    handle: ({ operations, params }) => operations.unlinkPage(params.id, params.link),
  }),
];

/** Serves a page to anybody with its link. The token of the link only allows reading this page. */
export const sharedPageRoute: HttpRoute = {
  method: "get",
  path: "/shared/{token}",
  tag,
  summary: "Read a page by its link",
  query: null,
  body: null,
  answer: { status: 200, description: "The page as it is now", schema: z.string(), type: "text/html" },
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
