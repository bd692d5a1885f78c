// Recovery after a deploy: an open page requests scripts that no longer exist; a reload loads the new ones.

const LAST_RELOAD_KEY = "orrery.reloaded";
/** Minimum time between two automatic reloads, in ms. If a reload did not help, another one will not either. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

/** Recognizes the errors of browsers and of the style loader for a script that could not be loaded. */
export function isMissingScriptError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}

/**
 * Returns true if an automatic reload is allowed now, and records it: at most one per minute and tab. False if session
 * storage is unavailable. `now` is in ms since the epoch.
 */
export function claimReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(LAST_RELOAD_KEY) ?? 0);
    if (now - last < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(LAST_RELOAD_KEY, String(now));
    return true;
  } catch {
    return false;
  }
}

/**
 * Reloads the page if the server responds with a 2xx status and `isAllowed`, called then, returns true. Without a
 * server, a reload would lose the content of the screen. Does not wait and never throws.
 */
export function reloadIfServerResponds(isAllowed = () => true): void {
  fetch(location.href, { headers: { accept: "text/html" } }).then(
    ({ ok }) => (ok && isAllowed() ? location.reload() : undefined),
    () => undefined,
  );
}
