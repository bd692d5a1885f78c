// Serves the web application for its client-side routes, which have no file in the assets.

import type { Context } from "hono";
import type { HonoEnv } from "./define-route.ts";

/** Paths of APIs and of files. A missing file must be a 404, not the application. */
const NON_APP_PATH = /^\/(?:api|a2a|agui|mcp|v1|shared|assets|docs|[^/]*\.[^/]*)(?:\/|$)/;

/**
 * Returns the application if a browser navigates to one of its routes: a GET or HEAD that accepts HTML, and neither a
 * path of an API nor of a file. Returns null for all other requests.
 */
export async function serveWebApp({ req, env }: Context<HonoEnv>): Promise<Response | null> {
  const isNavigation = /^(GET|HEAD)$/.test(req.method) && (req.header("accept") ?? "").includes("text/html");
  if (!isNavigation || NON_APP_PATH.test(req.path)) return null;
  return env.ASSETS.fetch(new Request(new URL("/", req.url), { method: req.method }));
}
