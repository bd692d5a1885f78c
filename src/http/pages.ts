// HTTP routes of pages, their exports as HTML and CSV, and their public links.

import * as z from "zod";
import {
  keptPageSchema,
  LINK_SECONDS,
  newPageLinkSchema,
  pageLinkSchema,
  pageListSchema,
  pageSummarySchema,
  updatePageSchema,
  type KeptPage,
} from "../protocol/pages.ts";
import { attachment } from "./attachment.ts";
import { pageAsCsv } from "./paper/csv.ts";
import { documentOf, policyText } from "./paper/document.ts";
import { sharedPage } from "./page-verbs.ts";
import { route, wholeNumber, type Route } from "./route.ts";
import { sseResponse } from "./sse.ts";

const PAGES = "/api/v1/pages";
const tag = "Pages";
const { least, most, usual } = LINK_SECONDS;
const deleted = z.literal(true);

export const pageRoutes = [
  route({
    method: "get",
    path: PAGES,
    tag,
    summary: "Your pages, newest first",
    query: z.strictObject({ limit: wholeNumber(20, { min: 1, max: 100 }), cursor: z.string().optional() }),
    answer: { status: 200, description: "A page of pages", schema: pageListSchema },
    handle: ({ verbs, query }) => verbs.listPages(query.limit, query.cursor),
  }),
  route({
    method: "get",
    path: `${PAGES}/{id}`,
    tag,
    summary: "One page, with its blueprint and the data that it was made from",
    answer: { status: 200, description: "The page", schema: keptPageSchema },
    handle: ({ verbs, params }) => verbs.page(params.id),
  }),
  route({
    method: "patch",
    path: `${PAGES}/{id}`,
    tag,
    summary: "Rename a page",
    body: updatePageSchema,
    example: { title: "1A and 1B in autumn" },
    answer: { status: 200, description: "The page as it is listed", schema: pageSummarySchema },
    handle: ({ verbs, params, body }) => verbs.renamePage(params.id, body.title),
  }),
  route({
    method: "delete",
    path: `${PAGES}/{id}`,
    tag,
    summary: "Delete a page with its links",
    answer: { status: 200, description: "It is gone", schema: z.object({ page_id: z.string(), deleted }) },
    handle: ({ verbs, params }) => verbs.deletePage(params.id),
  }),
  route({
    method: "post",
    path: `${PAGES}/{id}/run`,
    tag,
    summary: "Make a page again with fresh data, in its place",
    answer: {
      status: 200,
      description: "Events, the last of them COMPLETE",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ verbs, params }) => sseResponse(await verbs.runPage(params.id)),
  }),
  route({
    method: "get",
    path: `${PAGES}/{id}.html`,
    tag,
    summary: "A page as one HTML file that needs nothing else",
    answer: { status: 200, description: "The file", schema: z.string(), type: "text/html" },
    async handle({ verbs, params }) {
      const page = await verbs.page(params.id.replace(/\.html$/, ""));
      return onPaper(page, { "content-disposition": attachment(page.title, "html", "page") });
    },
  }),
  route({
    method: "get",
    path: `${PAGES}/{id}.csv`,
    tag,
    summary: "The tables, charts and figures of a page as CSV for spreadsheets; no cell of it is a formula",
    answer: { status: 200, description: "In UTF-8 with a byte order mark", schema: z.string(), type: "text/csv" },
    async handle({ verbs, params }) {
      const page = await verbs.page(params.id.replace(/\.csv$/, ""));
      return new Response(pageAsCsv(page.page), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": attachment(page.title, "csv", "page"),
        },
      });
    },
  }),
  route({
    method: "post",
    path: `${PAGES}/{id}/links`,
    tag,
    summary: "Let anybody who has the link read the page, until it expires",
    body: z.strictObject({
      /** The lifetime of the link in seconds. */
      expires_in: z.int().min(least).max(most).default(usual),
    }),
    example: { expires_in: usual },
    answer: { status: 201, description: "The link: its address is told only here", schema: newPageLinkSchema },
    async handle({ verbs, params, body, request }) {
      const { token, ...link } = await verbs.linkPage(params.id, body.expires_in);
      return { ...link, url: new URL(`/shared/${token}`, request.url).href };
    },
  }),
  route({
    method: "get",
    path: `${PAGES}/{id}/links`,
    tag,
    summary: "The links of a page that have not expired, the oldest first",
    answer: { status: 200, description: "All of them", schema: z.object({ links: z.array(pageLinkSchema) }) },
    handle: ({ verbs, params }) => verbs.pageLinks(params.id),
  }),
  route({
    method: "delete",
    path: `${PAGES}/{id}/links/{link}`,
    tag,
    summary: "Make a link lead nowhere, at once",
    answer: { status: 200, description: "It is gone", schema: z.object({ link_id: z.string(), deleted }) },
    handle: ({ verbs, params }) => verbs.unlinkPage(params.id, params.link),
  }),
];

/** Serves a page to anybody with its link. The token of the link only allows reading this page. */
export const sharedRoute: Route = {
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
    onPaper(await sharedPage(env, (req.param() as Record<string, string>)["token"] ?? ""), {}),
};

/** Returns a page as an HTML document. It contains data of users and runs on the API's origin, so it is sandboxed. */
async function onPaper(page: KeptPage, headers: Readonly<Record<string, string>>): Promise<Response> {
  const policy = `${await policyText()}; frame-ancestors 'none'; sandbox`;
  return new Response(await documentOf(page), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}
