import type { LifecycleJobs } from "agents/lifecycle";

/** How soon work goes on by itself after the host died and nobody has come back to look. */
export const LEASE_MS = 5_000;
/** A lease with less than this left is made longer by whoever passes by. */
const WANING_MS = 2_000;

const JOB = "turns";

/** Sets the object's one alarm, at a time in epoch milliseconds. */
export type SetAlarm = (time: number) => Promise<void>;

/**
 * The one alarm of a conversation's threads. While they can go on it is a lease: it finds them if nobody else
 * does. While they wait for the person it is set for the end of their time.
 */
export class Lease {
  readonly #jobs: () => LifecycleJobs;
  readonly #setAlarm: SetAlarm;
  /** Until when the lease stands that is stored. */
  #until = 0;
  #setting: Promise<unknown> = Promise.resolve();

  constructor(jobs: () => LifecycleJobs, setAlarm: SetAlarm) {
    this.#jobs = jobs;
    this.#setAlarm = setAlarm;
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

  get isWaning(): boolean {
    const left = this.#until - Date.now();
    return left > 0 && left < WANING_MS;
  }

  /**
   * Sets the alarm anew for threads that are at work, without the round of all jobs, which takes a dozen queries and
   * three alarms: in the queue the lease stays due, and is found there when the alarm comes. False, and nothing is
   * done, when something else is due by now; `next` is when more than the jobs will be.
   */
  async prolong(next: number): Promise<boolean> {
    const others = this.#jobs()
      .list()
      .filter(({ id }) => id !== JOB);
    const due = Math.min(next, ...others.map(({ time }) => time));
    const now = Date.now();
    if (due <= now) return false;
    this.#until = now + LEASE_MS;
    await this.#stored(this.#setAlarm(Math.min(this.#until, due)));
    return true;
  }

  /** Whoever sets it last is right. */
  #set(time: number): Promise<unknown> {
    const set = () => this.#jobs().push({ id: JOB, fn: JOB, time });
    return (this.#setting = this.#stored(this.#setting.then(set, set)));
  }

  /** What could not be stored does not stand. */
  async #stored(setting: Promise<unknown>): Promise<void> {
    try {
      await setting;
    } catch (thrown) {
      this.#until = 0;
      throw thrown;
    }
  }
}
