// The single alarm of a conversation's threads.
//
// Owns the expiry of the lease. While a thread can run, the alarm is a lease: it finds the thread if its host dies.
// While all threads are paused, it is set to the next expiry of a question. Writing an alarm costs a commit, so a valid
// lease is reused, and extended only shortly before it expires.
//
// Invariants:
//   I26. Work starts only after `acquire` has resolved: an alarm within `LEASE_MS` is stored by then.
//   - Writes of the job are serialized; the last one wins. A failed write counts as no lease.

import type { LifecycleJobs } from "agents/lifecycle";

/** The time after which threads resume by themselves if their host died and no client uses the object. */
export const LEASE_MS = 5_000;
/** A lease that expires sooner than this is extended by the next stored event. */
const WANING_MS = 2_000;

const JOB = "turns";

/** Sets the object's alarm to a time in ms since the epoch. */
export type SetAlarm = (time: number) => Promise<void>;

/** One instance per loaded conversation. Methods may be called concurrently. */
export class Lease {
  readonly #jobs: () => LifecycleJobs;
  readonly #setAlarm: SetAlarm;
  /** The expiry of the stored lease (ms since the epoch); 0 if there is none. */
  #until = 0;
  #setting: Promise<unknown> = Promise.resolve();

  constructor(jobs: () => LifecycleJobs, setAlarm: SetAlarm) {
    this.#jobs = jobs;
    this.#setAlarm = setAlarm;
  }

  /** Resolves when a lease is stored. A valid lease is reused. Rejects if the alarm cannot be written. */
  take(): Promise<unknown> {
    const now = Date.now();
    if (this.#until > now) return Promise.resolve();
    this.#until = now + LEASE_MS;
    return this.#set(this.#until);
  }

  /** Ensures an alarm at `time` or earlier: the current lease if it expires before, otherwise an alarm of its own. */
  rest(time: number): Promise<unknown> {
    if (this.#until > Date.now() && this.#until <= time) return Promise.resolve();
    this.#until = 0;
    return this.#set(time);
  }

  /**
   * Called by the alarm. Returns the expiry of the new lease, which the caller must store; null if there is no work.
   */
  renew(hasWork: boolean): number | null {
    this.#until = hasWork ? Date.now() + LEASE_MS : 0;
    return hasWork ? this.#until : null;
  }

  /** True if the lease is valid but about to expire. */
  get isWaning(): boolean {
    const left = this.#until - Date.now();
    return left > 0 && left < WANING_MS;
  }

  /**
   * Extends the lease of running threads by writing only the alarm. The job keeps its old due time in the queue and is
   * found when the alarm fires; pushing the job would cost a dozen queries and three alarms.
   * Returns false and does nothing if another job is due. `next` is the next due time of anything else.
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

  /** Serializes the writes of the job: the last call wins, whatever the outcome of the others. */
  #set(time: number): Promise<unknown> {
    const set = () => this.#jobs().push({ id: JOB, fn: JOB, time });
    return (this.#setting = this.#stored(this.#setting.then(set, set)));
  }

  /** Forgets the lease if it could not be stored. */
  async #stored(setting: Promise<unknown>): Promise<void> {
    try {
      await setting;
    } catch (thrown) {
      this.#until = 0;
      throw thrown;
    }
  }
}
