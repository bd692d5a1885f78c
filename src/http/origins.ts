// Pages in somebody's browser that do something here.

import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

/**
 * Refuses what a foreign page does in somebody's browser, at doors that browsers would open to it. Programs send no
 * Origin; a page does, and it must be ours or one that was allowed.
 */
export function checkOrigin(request: Request, settings: Settings): void {
  const origin = request.headers.get("origin");
  if (origin === null || settings.ALLOWED_ORIGINS.includes(origin)) return;
  if (URL.canParse(origin) && isOwn(new URL(origin), new URL(request.url))) return;
  throw new Fault("forbidden", "Pages of this origin may not call this. Add it to ALLOWED_ORIGINS.");
}

/** A proxy may have taken the encryption off a request; a page without any is not ours where there is some. */
function isOwn(page: URL, here: URL): boolean {
  return page.host === here.host && (page.protocol === here.protocol || page.protocol === "https:");
}
