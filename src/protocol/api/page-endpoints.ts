// The endpoints of analyses and of their pages. The paths, member names (camelCase) and status codes of the first three
// follow an existing interface.

import * as z from "zod";
import {
  analysisReplySchema,
  analysisRequestSchema,
  blueprintReplySchema,
  blueprintRequestSchema,
  pageRequestSchema,
} from "../pages/analysis-api.ts";
import {
  LINK_LIFETIME_SECONDS,
  newPageLinkSchema,
  pageLinkSchema,
  pageListSchema,
  pageSummarySchema,
  storedPageSchema,
  updatePageSchema,
} from "../pages/stored-page.ts";
import { defineEndpoints, pageQuerySchema } from "./endpoint.ts";

const { min, max, default: defaultLifetime } = LINK_LIFETIME_SECONDS;

/** Endpoints whose output is a stream of page events (`PageEvent`); the last one is `COMPLETE`. */
export const pageStreamEndpoints = defineEndpoints({
  /** Builds and stores the page of a blueprint, or of the last blueprint of a conversation. */
  generatePage: {
    method: "post",
    path: "/api/page/generate",
    body: pageRequestSchema,
    refusal: "unprocessable",
    output: z.string(),
  },
  /** Builds a page again with current data, and replaces it. */
  runPage: { method: "post", path: "/api/v1/pages/{id}/run", output: z.string() },
});

export const pageEndpoints = defineEndpoints({
  /** Sends a message about data. If the reply has a blueprint, `generatePage` makes its page. */
  analyse: {
    method: "post",
    path: "/api/conversation",
    body: analysisRequestSchema,
    refusal: "unprocessable",
    output: analysisReplySchema,
  },
  /** Plans a page without a conversation and returns its blueprint. Stores nothing. */
  planPage: {
    method: "post",
    path: "/api/workflow/generate",
    body: blueprintRequestSchema,
    refusal: "unprocessable",
    output: blueprintReplySchema,
  },
  /** Lists pages, newest first. */
  listPages: { method: "get", path: "/api/v1/pages", query: pageQuerySchema, output: pageListSchema },
  /** Returns a page with its blueprint and data. */
  page: { method: "get", path: "/api/v1/pages/{id}", output: storedPageSchema },
  renamePage: { method: "patch", path: "/api/v1/pages/{id}", body: updatePageSchema, output: pageSummarySchema },
  /** Deletes a page and its links. */
  deletePage: {
    method: "delete",
    path: "/api/v1/pages/{id}",
    output: z.object({ page_id: z.string(), deleted: z.literal(true) }),
  },
  /** Returns the page as one self-contained HTML file. */
  pageHtml: { method: "get", path: "/api/v1/pages/{id}.html", output: z.string() },
  /** Returns the tables of the page as CSV for spreadsheets. */
  pageCsv: { method: "get", path: "/api/v1/pages/{id}.csv", output: z.string() },
  /** Creates a public link that expires after this number of seconds. Only this response contains its URL. */
  linkPage: {
    method: "post",
    path: "/api/v1/pages/{id}/links",
    body: z.strictObject({ expires_in: z.int().min(min).max(max).default(defaultLifetime) }),
    output: newPageLinkSchema,
  },
  /** Lists the links that have not expired, oldest first, without their URLs. */
  pageLinks: {
    method: "get",
    path: "/api/v1/pages/{id}/links",
    output: z.object({ links: z.array(pageLinkSchema) }),
  },
  /** Revokes a link at once. */
  unlinkPage: {
    method: "delete",
    path: "/api/v1/pages/{id}/links/{link}",
    output: z.object({ link_id: z.string(), deleted: z.literal(true) }),
  },
});
