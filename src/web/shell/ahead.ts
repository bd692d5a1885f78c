// The scripts of the views, fetched while nothing else is to be done: what is opened next is there at once, also when
// the line is slow or gone by then.

const WAIT_MS = 3_000;

/** Fetches each in turn, once the browser is at leisure; the returned function calls it off. */
export function fetchAhead(loads: readonly (() => Promise<unknown>)[]): () => void {
  const timer = setTimeout(() => void inTurn(loads, () => isOff), WAIT_MS);
  let isOff = isSparing();
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}

async function inTurn(loads: readonly (() => Promise<unknown>)[], isOff: () => boolean): Promise<void> {
  for (const load of loads) {
    if (isOff() || !navigator.onLine) return;
    // What is missing then is asked for again when it is opened.
    // oxlint-disable-next-line no-await-in-loop
    await load().catch(() => undefined);
  }
}

/** Whether the person has asked the browser to spare the line. */
function isSparing(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
