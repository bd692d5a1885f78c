// Addresses of the web application: no file has such a name, the application knows what to show there.

import type { Context } from "hono";
import type { App } from "./route.ts";

/** What programs ask for, and files that are not there. */
const NOT_A_VIEW = /^\/(?:api|a2a|agui|mcp|v1|shared|assets|docs|[^/]*\.[^/]*)(?:\/|$)/;

/** The application, when a browser opens one of its addresses. Null for everything else. */
export async function application({ req, env }: Context<App>): Promise<Response | null> {
  const isOpened = /^(GET|HEAD)$/.test(req.method) && (req.header("accept") ?? "").includes("text/html");
  if (!isOpened || NOT_A_VIEW.test(req.path)) return null;
  return env.ASSETS.fetch(new Request(new URL("/", req.url), { method: req.method }));
}
