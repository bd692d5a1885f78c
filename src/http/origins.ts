// Protection against cross-site requests.

import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

/**
 * Throws `forbidden` if a page of a foreign origin sends the request. Call it for requests that browsers send without a
 * CORS preflight, such as sockets. Requests without an `Origin` header come from programs and are accepted.
 */
export function checkOrigin(request: Request, settings: Settings): void {
  const origin = request.headers.get("origin");
  if (origin === null || settings.ALLOWED_ORIGINS.includes(origin)) return;
  if (URL.canParse(origin) && isOwn(new URL(origin), new URL(request.url))) return;
  throw new Fault("forbidden", "Pages of this origin may not call this. Add it to ALLOWED_ORIGINS.");
}

/**
 * True if the page is of this host. A proxy may have terminated TLS, so an `https:` page is accepted for an `http:`
 * request, but not the reverse.
 */
function isOwn(page: URL, here: URL): boolean {
  return page.host === here.host && (page.protocol === here.protocol || page.protocol === "https:");
}
