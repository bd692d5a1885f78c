const SIGNS_OF_LIFE = ["pointerdown", "keydown", "touchstart"] as const;

/** Calls `listener` once, at the first interaction with the page. The returned function cancels it. */
export function onceAlive(begin: () => void): () => void {
  const stop = () => {
    for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, hear);
  };
  const hear = () => {
    stop();
    begin();
  };
  for (const sign of SIGNS_OF_LIFE) addEventListener(sign, hear, { passive: true });
  return stop;
}
