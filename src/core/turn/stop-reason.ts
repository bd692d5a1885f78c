// The reason for which a thread or a task is aborted.

import { createMessage, formatMessage, type Message } from "../../language/messages.ts";

/**
 * The abort reason of a thread or task. Readers see its `text`. It is mutable in one way: a person's cancellation
 * replaces an earlier reason, because the abort reason of a signal cannot be replaced.
 */
export class StopReason extends Error {
  override readonly name = "Stop";
  #initiator: "person" | "clock" | "expiry";
  #text: Message | string;

  constructor(by: StopReason["initiator"], text: Message | string) {
    super(formatMessage("en", text));
    this.#initiator = by;
    this.#text = text;
  }

  get text(): Message | string {
    return this.#text;
  }

  /** Returns the initiator. `clock`: the time ran out; `expiry`: a question expired. */
  get initiator(): "person" | "clock" | "expiry" {
    return this.#initiator;
  }

  /** Takes over the initiator and message of a person's cancellation, which was already acknowledged (T5). */
  replaceWith(person: StopReason): void {
    this.#initiator = person.initiator;
    this.#text = person.text;
    this.message = person.message;
  }
}

/** Aborts with a reason. If the signal is already aborted, the first reason stays, unless the new one is a person's. */
export function abortWithReason(controller: AbortController, reason: StopReason): void {
  const { signal } = controller;
  if (!signal.aborted) controller.abort(reason);
  else if (reason.initiator === "person" && signal.reason instanceof StopReason) signal.reason.replaceWith(reason);
}

/** Returns the message of an abort reason for readers; a general one if the reason is not a `StopReason`. */
export function getAbortMessage({ reason }: AbortSignal): Message | string {
  return reason instanceof StopReason ? reason.text : createMessage("task.cancelled");
}

/**
 * True if the signal is aborted and a person caused it, also after another cause; not the clock, an expired question or an error.
 */
export function isCancelledByPerson(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof StopReason && signal.reason.initiator === "person";
}
