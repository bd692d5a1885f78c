// The reason for which a thread or a task is aborted.

/**
 * The abort reason of a thread or task. Its message is shown to readers. It is mutable in one way: a person's
 * cancellation replaces an earlier reason, because the abort reason of a signal cannot be replaced.
 */
export class StopReason extends Error {
  override readonly name = "Stop";
  #initiator: "person" | "clock" | "host";

  constructor(by: StopReason["initiator"], message: string) {
    super(message);
    this.#initiator = by;
  }

  /** Returns the initiator. `clock`: the time ran out; `host`: the host died too often. */
  get initiator(): "person" | "clock" | "host" {
    return this.#initiator;
  }

  /** Takes over the initiator and message of a person's cancellation, which was already acknowledged (T5). */
  replaceWith(person: StopReason): void {
    this.#initiator = person.initiator;
    this.message = person.message;
  }
}

/** Aborts with a reason. If the signal is already aborted, the first reason stays, unless the new one is a person's. */
export function abortWithReason(controller: AbortController, reason: StopReason): void {
  const { signal } = controller;
  if (!signal.aborted) controller.abort(reason);
  else if (reason.initiator === "person" && signal.reason instanceof StopReason) signal.reason.replaceWith(reason);
}

/** Returns the message of an abort reason for readers; “Cancelled.” if the reason is not an `Error`. */
export function getAbortMessage({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "Cancelled.";
}

/** True if the signal is aborted and a person caused it, not the clock, the host or another failure. */
export function isCancelledByPerson(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof StopReason && signal.reason.initiator === "person";
}
