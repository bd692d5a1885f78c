// Runs work at most once per animation frame and at most about 30 times per second.
//
// Owns the pending frame and timer. All calls of `schedule` before a run share that run; `cancel` drops it. Animation
// frames do not fire in a hidden page, so a timer runs the work there. Errors of the work are not caught.

/** The delay in ms in a hidden page. It keeps screen readers current. */
const HIDDEN_INTERVAL_MS = 250;

/** The minimum time in ms between runs. It leaves frames free for typing and scrolling. */
const MIN_INTERVAL_MS = 33;

export type FrameBatch = {
  /** Runs the work soon, once for all calls until then. */
  readonly schedule: () => void;
  /** Drops the pending run, if there is one. */
  readonly cancel: () => void;
};

/** Creates a batch that runs `work`; nothing is scheduled yet. */
export function createFrameBatch(work: () => void): FrameBatch {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    cancel();
    last = performance.now();
    work();
  };
  const runWhenDue = () => {
    if (performance.now() - last < MIN_INTERVAL_MS) frame = requestAnimationFrame(runWhenDue);
    else run();
  };
  return {
    schedule() {
      if (timer !== undefined) return;
      // Both, because the page can be hidden after the frame was requested.
      timer = setTimeout(run, HIDDEN_INTERVAL_MS);
      frame = requestAnimationFrame(runWhenDue);
    },
    cancel,
  };
}
