// Serves the web application for its client-side routes, which have no file in the assets.

import type { Context } from "hono";
import type { App } from "./route.ts";

/** Paths of APIs and of files. A missing file must be a 404, not the application. */
const NOT_A_VIEW = /^\/(?:api|a2a|agui|mcp|v1|shared|assets|docs|[^/]*\.[^/]*)(?:\/|$)/;

/** Returns the application if a browser navigates to one of its routes; null for all other requests. */
export async function application({ req, env }: Context<App>): Promise<Response | null> {
  const isOpened = /^(GET|HEAD)$/.test(req.method) && (req.header("accept") ?? "").includes("text/html");
  if (!isOpened || NOT_A_VIEW.test(req.path)) return null;
  return env.ASSETS.fetch(new Request(new URL("/", req.url), { method: req.method }));
}
