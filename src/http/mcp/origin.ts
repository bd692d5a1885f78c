// Pages in somebody's browser that call a server of theirs.

import { Fault } from "../../protocol/fault.ts";
import type { Settings } from "../../settings.ts";
import { authMode, checkOrigin } from "../identity.ts";

/**
 * Refuses calls of foreign pages. Where nobody is asked for a token, a name that a page has bent to this address is no
 * proof of being ours: only the names that always mean this machine are, and what was allowed.
 */
export function checkPage(request: Request, settings: Settings): void {
  const origin = request.headers.get("origin");
  if (origin === null || settings.ALLOWED_ORIGINS.includes(origin)) return;
  if (authMode(settings) === "local" && !isLoopback(origin)) throw foreign();
  try {
    checkOrigin(request, settings);
  } catch {
    throw foreign();
  }
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(origin).hostname);
}

function foreign(): Fault {
  return new Fault("forbidden", "Pages of this origin may not call this. Add it to ALLOWED_ORIGINS.");
}
