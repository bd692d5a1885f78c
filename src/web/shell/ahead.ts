// Prefetches the scripts of views after the first interaction, so that they open at once, even offline. Visitors who
// only look at the first screen do not load them.

import { onceAlive } from "./alive.ts";

const WAIT_MS = 3_000;

/**
 * Loads the scripts one after the other; the returned function cancels the rest. Does nothing if the data saver is on.
 */
export function fetchAhead(loads: readonly (() => Promise<unknown>)[]): () => void {
  let isOff = isSparing();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onceAlive(() => {
    timer = setTimeout(() => void inTurn(loads, () => isOff), WAIT_MS);
  });
  return () => {
    isOff = true;
    stop();
    clearTimeout(timer);
  };
}

async function inTurn(loads: readonly (() => Promise<unknown>)[], isOff: () => boolean): Promise<void> {
  for (const load of loads) {
    if (isOff() || !navigator.onLine) return;
    // A failed script is loaded again when its view opens.
    // oxlint-disable-next-line no-await-in-loop
    await load().catch(() => undefined);
  }
}

/** True if the user has asked the browser to reduce data usage. */
function isSparing(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
