// The reason for which a thread or a task is aborted.

/**
 * The abort reason of a thread or task. Its message is shown to readers. It is mutable in one way: a person's
 * cancellation replaces an earlier reason, because the abort reason of a signal cannot be replaced.
 */
export class Stop extends Error {
  override readonly name = "Stop";
  #by: "person" | "clock" | "host";

  constructor(by: Stop["by"], message: string) {
    super(message);
    this.#by = by;
  }

  /** Returns the initiator. `clock`: the time ran out; `host`: the host died too often. */
  get by(): "person" | "clock" | "host" {
    return this.#by;
  }

  /** Takes over the initiator and message of a person's cancellation, which was already acknowledged (T5). */
  yieldTo(person: Stop): void {
    this.#by = person.by;
    this.message = person.message;
  }
}

/** Aborts with a reason. If the signal is already aborted, the first reason stays, unless the new one is a person's. */
export function stop(controller: AbortController, reason: Stop): void {
  const { signal } = controller;
  if (!signal.aborted) controller.abort(reason);
  else if (reason.by === "person" && signal.reason instanceof Stop) signal.reason.yieldTo(reason);
}

/** Returns the message of an abort reason for readers; “Cancelled.” if the reason is not an `Error`. */
export function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "Cancelled.";
}

/** True if the signal is aborted and a person caused it, not the clock, the host or another failure. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Stop && signal.reason.by === "person";
}
