// Prefetches the scripts of views after the first interaction, so that they open at once, even offline. Visitors who
// only look at the first screen do not load them.

const INTERACTION_EVENTS = ["pointerdown", "keydown", "touchstart"] as const;

/** Calls `listener` once, at the next key, pointer or touch event in the page. The returned function cancels it. */
export function onFirstInteraction(listener: () => void): () => void {
  const stop = () => {
    for (const sign of INTERACTION_EVENTS) removeEventListener(sign, handleInteraction);
  };
  const handleInteraction = () => {
    stop();
    listener();
  };
  for (const sign of INTERACTION_EVENTS) addEventListener(sign, handleInteraction, { passive: true });
  return stop;
}

const PREFETCH_DELAY_MS = 3_000;

/**
 * Loads the scripts one after the other, 3 s after the first interaction with the page; ignores failures and stops if
 * the browser goes offline. The returned function cancels the rest. Loads nothing if the data saver is on.
 */
export function prefetchScripts(loads: readonly (() => Promise<unknown>)[]): () => void {
  let isCancelled = isDataSaverOn();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onFirstInteraction(() => {
    timer = setTimeout(() => void loadSequentially(loads, () => isCancelled), PREFETCH_DELAY_MS);
  });
  return () => {
    isCancelled = true;
    stop();
    clearTimeout(timer);
  };
}

async function loadSequentially(loads: readonly (() => Promise<unknown>)[], isCancelled: () => boolean): Promise<void> {
  for (const load of loads) {
    if (isCancelled() || !navigator.onLine) return;
    // A failed script is loaded again when its view opens.
    // oxlint-disable-next-line no-await-in-loop
    await load().catch(() => undefined);
  }
}

/** True if the user has asked the browser to reduce data usage. */
function isDataSaverOn(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
