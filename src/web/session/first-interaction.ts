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
