/** Why a thread or a task has to stop before its end. The message is what readers are told. */
export class Stop extends Error {
  override readonly name = "Stop";
  #by: "person" | "clock" | "host";

  constructor(by: Stop["by"], message: string) {
    super(message);
    this.#by = by;
  }

  /** `host`: it was interrupted too often. */
  get by(): "person" | "clock" | "host" {
    return this.#by;
  }

  /** A person who cancels what is being stopped already was told that it is cancelled: now it is (T5). */
  yieldTo(person: Stop): void {
    this.#by = person.by;
    this.message = person.message;
  }
}

/** Stops at once; of several reasons the first counts, or the person's. */
export function stop(controller: AbortController, reason: Stop): void {
  const { signal } = controller;
  if (!signal.aborted) controller.abort(reason);
  else if (reason.by === "person" && signal.reason instanceof Stop) signal.reason.yieldTo(reason);
}

/** Why, as readers are told. */
export function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "Cancelled.";
}

/** True when a person, not a failure, put an end to it. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Stop && signal.reason.by === "person";
}
