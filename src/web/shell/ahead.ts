// The scripts of the views, fetched once somebody is at work and nothing else is to be done: what is opened next is there
// at once, also when the line is slow or gone by then. Who only looks at the first screen pays for that alone.

import { onceAlive } from "./alive.ts";

const WAIT_MS = 3_000;

/** Fetches each in turn; the returned function calls it off. */
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
