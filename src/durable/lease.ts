import type { LifecycleJobs } from "agents/lifecycle";

/** How soon work goes on by itself after the host died and nobody has come back to look. */
export const LEASE_MS = 5_000;

/**
 * The one alarm of a conversation's threads. While they can go on it is a lease: it finds them if nobody else
 * does. While they wait for the person it is set for the end of their time.
 */
export class Lease {
  readonly #jobs: () => LifecycleJobs;
  /** Until when the lease stands that is stored. */
  #until = 0;
  #setting: Promise<unknown> = Promise.resolve();

  constructor(jobs: () => LifecycleJobs) {
    this.#jobs = jobs;
  }

  /**
   * Resolves once a lease is stored. One that is still standing from the message before is as good as a new one:
   * setting an alarm costs a commit.
   */
  take(): Promise<unknown> {
    const now = Date.now();
    if (this.#until > now) return Promise.resolve();
    this.#until = now + LEASE_MS;
    return this.#set(this.#until);
  }

  /** Sees to it that an alarm comes by `time`: the lease that still stands, which then sees further, or one of its own. */
  rest(time: number): Promise<unknown> {
    if (this.#until > Date.now() && this.#until <= time) return Promise.resolve();
    this.#until = 0;
    return this.#set(time);
  }

  /** For the alarm that has come: the lease anew while there is work, or else none. Answers until when. */
  renew(hasWork: boolean): number | null {
    this.#until = hasWork ? Date.now() + LEASE_MS : 0;
    return hasWork ? this.#until : null;
  }

  /** Whoever sets it last is right. */
  #set(time: number): Promise<unknown> {
    const set = () => this.#jobs().push({ id: "turns", fn: "turns", time });
    return (this.#setting = this.#setting.then(set, set));
  }
}
