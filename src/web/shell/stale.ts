// After a deploy, a page that was opened before asks for scripts that are no more. Opening it anew mends that.

const KEY = "orrery.reloaded";
/** Having just reloaded in vain, one does not do it again: something else is wrong. */
const ONCE_IN_MS = 60_000;

/** How browsers, and the loader of the styles that go with a script, say that a part of the application did not come. */
export function isMissingScript(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}

/** Whether to reload now; counts as having done so. Where that cannot be remembered, never. */
export function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (now - last < ONCE_IN_MS) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    return false;
  }
}

/** Opens the page anew if the server is there and `may` says yes: without it, what is on the screen would be gone as well. */
export function reloadFromServer(may = () => true): void {
  fetch(location.href, { headers: { accept: "text/html" } }).then(
    ({ ok }) => (ok && may() ? location.reload() : undefined),
    () => undefined,
  );
}
