/** Why a thread or a task has to stop before its end. The message is what readers are told. */
export class Stop extends Error {
  override readonly name = "Stop";
  /** `host`: it was interrupted too often. */
  readonly by: "person" | "clock" | "host";

  constructor(by: Stop["by"], message: string) {
    super(message);
    this.by = by;
  }
}

/** True when a person, not a failure, put an end to it. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Stop && signal.reason.by === "person";
}
