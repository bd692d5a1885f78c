// Bounds one exchange with an agent: its time, silence, bytes and events. It owns the abort signal of the exchange
// and one timer.
//
// W1. Silence counts only while we listen: our own slow reader is not the agent's fault.
// W2. The first reason wins; later ones are ignored.
//
// Every fetch and reader of the exchange uses `signal`, whose reason is the `AgentFailure` that ended it. The limits
// also end it by throwing from `countBytes` and `countEvents`. The owner must call `close`, which releases the timer
// and the listener on the outer signal.

import { createMessage } from "../language/messages.ts";
import type { Settings } from "../settings.ts";
import { AgentFailure, createCancelledFailure } from "./agent-failure.ts";

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
const EXCHANGE_OVER = new AgentFailure("agent_cancelled", "task.cancelled");

/**
 * The limits of one exchange. It fails with `agent_timeout`, `agent_silent`, `agent_too_large`, or `agent_cancelled`
 * when `outer` aborts or the owner closes it.
 */
export class ExchangeWatch {
  readonly #limits: ExchangeLimits;
  readonly #end = new AbortController();
  readonly #outer: AbortSignal;
  readonly #deadline: number;
  #listeningSince: number | undefined;
  #bytes = 0;
  #events = 0;
  #failure: AgentFailure | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: ExchangeLimits, outer: AbortSignal) {
    this.#limits = limits;
    this.#outer = outer;
    this.#deadline = Date.now() + limits.timeoutMs;
    outer.addEventListener("abort", this.#handleOuterAbort, { once: true });
    if (outer.aborted) this.#handleOuterAbort();
    else this.#startTimer();
  }

  /** Aborts when the exchange ends, with the failure as its reason. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Starts counting silence from now on, because we wait for the agent. */
  startListening(): void {
    this.#listeningSince = Date.now();
  }

  /** Stops counting silence, because we do not wait for the agent any more. */
  stopListening(): void {
    this.#listeningSince = undefined;
  }

  /** Adds to the received bytes. Above the limit it ends the exchange and throws its failure (`agent_too_large`). */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxBytes) {
      const message = createMessage("agent.tooManyBytes", { limit: this.#limits.maxBytes });
      throw this.#fail(new AgentFailure("agent_too_large", message));
    }
  }

  /** Adds to the received events. Above the limit it ends the exchange and throws its failure (`agent_too_large`). */
  countEvents(events: number): void {
    this.#events += events;
    if (this.#events > this.#limits.maxEvents) {
      const message = createMessage("agent.tooManyEvents", { limit: this.#limits.maxEvents });
      throw this.#fail(new AgentFailure("agent_too_large", message));
    }
  }

  /** The failure that ended the exchange, also by `close`; undefined while it is open. */
  get failure(): AgentFailure | undefined {
    return this.#failure;
  }

  /** Waits for some milliseconds. Rejects with the failure if the exchange ends first or has ended. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.signal.removeEventListener("abort", stop);
        resolve();
      }, ms);
      const stop = () => {
        clearTimeout(timer);
        reject(this.signal.reason);
      };
      if (this.signal.aborted) stop();
      else this.signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Ends the exchange and aborts everything that is still open. Idempotent. */
  close(): void {
    this.#fail(EXCHANGE_OVER);
  }

  #handleOuterAbort = (): void => {
    this.#fail(createCancelledFailure());
  };

  #fail(failure: AgentFailure): AgentFailure {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#handleOuterAbort);
    this.#failure ??= failure;
    this.#end.abort(failure);
    return failure;
  }

  /** One timer serves deadline and silence: setting one per event would cost more than the event. */
  #startTimer(): void {
    const now = Date.now();
    const silentAt = (this.#listeningSince ?? now) + this.#limits.idleMs;
    this.#timer = setTimeout(this.#handleTimer, Math.max(0, Math.min(silentAt, this.#deadline) - now) + 1);
  }

  #handleTimer = (): void => {
    const now = Date.now();
    const { idleMs, timeoutMs } = this.#limits;
    if (now >= this.#deadline) {
      this.#fail(new AgentFailure("agent_timeout", createMessage("agent.timedOut", { seconds: timeoutMs / 1000 })));
    } else if (this.#listeningSince !== undefined && now - this.#listeningSince >= idleMs) {
      this.#fail(new AgentFailure("agent_silent", createMessage("agent.silent", { seconds: idleMs / 1000 })));
    } else {
      this.#startTimer();
    }
  };
}
