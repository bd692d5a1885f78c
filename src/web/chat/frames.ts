// Work that a screen needs at most once per frame, and no oftener than can be read.

/** Frames do not come while the page is hidden: then this often is enough, and what reads the page aloud stays current. */
const HIDDEN_MS = 250;

/** What comes faster is shown together: the frames between are for whoever writes or scrolls. */
const APART_MS = 33;

export type Batch = {
  /** `work` is done soon, once for all calls until then. */
  readonly ask: () => void;
  readonly cancel: () => void;
};

export function batchOf(work: () => void): Batch {
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
  const runInTime = () => {
    if (performance.now() - last < APART_MS) frame = requestAnimationFrame(runInTime);
    else run();
  };
  return {
    ask() {
      if (timer !== undefined) return;
      // Both: a page may be hidden after the frame was asked for.
      timer = setTimeout(run, HIDDEN_MS);
      frame = requestAnimationFrame(runInTime);
    },
    cancel,
  };
}
