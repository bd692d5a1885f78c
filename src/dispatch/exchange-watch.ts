// Bounds one exchange with an agent: its time, silence, bytes and events.
//
// W1. Silence counts only while we listen: our own slow reader is not the agent's fault.
// W2. The first reason wins; later ones are ignored.
//
// Every fetch and reader of the exchange uses `signal`, whose reason is the `Failure` that ended it. The limits
// also end it by throwing from `countBytes` and `countEvents`. The owner must call `close`, which releases the timer
// and the listener on the outer signal.

import { createMessage } from "../language/messages.ts";
import { SilenceWatch } from "../lib/silence-watch.ts";
import type { Settings } from "../settings.ts";
import { createCancelledFailure, createAgentFailure } from "./agent-failure.ts";
import type { Failure } from "../protocol/wire/message-error.ts";

/** Limits of an exchange: total milliseconds, milliseconds of silence, bytes and events. */
export type ExchangeLimits = {
  readonly timeoutMs: number;
  readonly idleMs: number;
  readonly maxBytes: number;
  readonly maxEvents: number;
};

/** Reads the limits from the settings. */
export function getExchangeLimits(settings: Settings): ExchangeLimits {
  return {
    timeoutMs: settings.AGENT_TIMEOUT_SECONDS * 1000,
    idleMs: settings.AGENT_IDLE_SECONDS * 1000,
    maxBytes: settings.AGENT_MAX_BYTES,
    maxEvents: settings.AGENT_MAX_EVENTS,
  };
}

/** Created once: capturing a stack trace costs more than an event. */
const EXCHANGE_OVER = createAgentFailure("agent_cancelled", "task.cancelled");

/**
 * The limits of one exchange. It fails with `agent_timeout`, `agent_silent`, `agent_too_large`, or `agent_cancelled`
 * when `outer` aborts or the owner closes it.
 */
export class ExchangeWatch {
  readonly #limits: ExchangeLimits;
  readonly #watch: SilenceWatch;
  #bytes = 0;
  #events = 0;

  constructor(limits: ExchangeLimits, outer: AbortSignal) {
    this.#limits = limits;
    const { timeoutMs, idleMs: silenceMs } = limits;
    this.#watch = new SilenceWatch(outer, { timeoutMs, silenceMs }, (end) => {
      switch (end) {
        case "aborted":
          return createCancelledFailure();
        case "timeout":
          return createAgentFailure("agent_timeout", createMessage("agent.timedOut", { seconds: timeoutMs / 1000 }));
        case "silent":
          return createAgentFailure("agent_silent", createMessage("agent.silent", { seconds: silenceMs / 1000 }));
      }
    });
  }

  /** Aborts when the exchange ends, with the failure as its reason. */
  get signal(): AbortSignal {
    return this.#watch.signal;
  }

  /** The failure that ended the exchange, also by `close`; undefined while it is open. */
  get failure(): Failure | undefined {
    return this.signal.aborted ? (this.signal.reason as Failure) : undefined;
  }

  /** Starts counting silence from now on, because we wait for the agent. */
  startListening(): void {
    this.#watch.touch();
  }

  /** Stops counting silence, because we do not wait for the agent any more. */
  stopListening(): void {
    this.#watch.suspend();
  }

  /** Adds to the received bytes. Above the limit it ends the exchange and throws its failure (`agent_too_large`). */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxBytes) this.#refuse("agent.tooManyBytes", this.#limits.maxBytes);
  }

  /** Adds to the received events. Above the limit it ends the exchange and throws its failure (`agent_too_large`). */
  countEvents(events: number): void {
    this.#events += events;
    if (this.#events > this.#limits.maxEvents) this.#refuse("agent.tooManyEvents", this.#limits.maxEvents);
  }

  /** Ends the exchange and aborts everything that is still open. Idempotent. */
  close(): void {
    this.#watch.abort(EXCHANGE_OVER);
  }

  #refuse(key: "agent.tooManyBytes" | "agent.tooManyEvents", limit: number): never {
    const failure = createAgentFailure("agent_too_large", createMessage(key, { limit }));
    this.#watch.abort(failure);
    throw failure;
  }
}
