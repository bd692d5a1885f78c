/** Resolves after the events that are due, such as requests and timers of other work, were handled. */
export function waitForOtherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
