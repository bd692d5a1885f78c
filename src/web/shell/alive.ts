const SIGNS_OF_LIFE = ["pointerdown", "keydown", "touchstart"] as const;

/** Calls `begin` once somebody does something with the page, which is when more than the first screen is wanted. */
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
