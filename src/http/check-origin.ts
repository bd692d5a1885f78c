// Protection against cross-site requests.

import { createFault } from "../protocol/wire/message-error.ts";
import type { Settings } from "../settings.ts";

/**
 * Throws `forbidden` if a page of a foreign origin sends the request: an origin that is neither this host nor in
 * ALLOWED_ORIGINS, also `null`. Call it for requests that browsers send without a CORS preflight, such as sockets.
 * Requests without an `Origin` header come from programs and are accepted.
 */
export function checkOrigin(request: Request, settings: Settings): void {
  const origin = request.headers.get("origin");
  if (origin === null || settings.ALLOWED_ORIGINS.includes(origin)) return;
  if (URL.canParse(origin) && isSameHost(new URL(origin), new URL(request.url))) return;
  throw createFault("forbidden", "http.originNotAllowed");
}

/**
 * True if the page is of this host. A proxy may have terminated TLS, so an `https:` page is accepted for an `http:`
 * request, but not the reverse.
 */
function isSameHost(page: URL, target: URL): boolean {
  return page.host === target.host && (page.protocol === target.protocol || page.protocol === "https:");
}
