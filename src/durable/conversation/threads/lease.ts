// The single alarm of a conversation's threads.
//
// Owns the expiry of the lease. While a thread can run, the alarm is a lease: it finds the thread if its host dies.
// While all threads are paused, it is set to the next expiry of a question. Writing an alarm costs a commit, so a valid
// lease is reused, and extended only shortly before it expires.
//
// Invariants:
//   - Work starts only after `acquire` has resolved: an alarm within `LEASE_MS` is stored by then.
//   - Writes of the job are serialized; the last one wins. A failed write counts as no lease.

import type { LifecycleJobs } from "agents/lifecycle";

/** The time after which threads resume by themselves if their host died and no client uses the object. */
export const LEASE_MS = 5_000;
/** A lease that expires sooner than this is extended by the next stored event. */
const EXTEND_BELOW_MS = 2_000;

const TURNS_JOB = "turns";

/** Sets the object's alarm to a time in ms since the epoch. */
export type SetAlarm = (time: number) => Promise<void>;

/** One instance per loaded conversation. Methods may be called concurrently. */
export class Lease {
  readonly #jobs: () => LifecycleJobs;
  readonly #setAlarm: SetAlarm;
  /** The expiry of the stored lease (ms since the epoch); 0 if there is none. */
  #expiresAt = 0;
  #setting: Promise<unknown> = Promise.resolve();

  constructor(jobs: () => LifecycleJobs, setAlarm: SetAlarm) {
    this.#jobs = jobs;
    this.#setAlarm = setAlarm;
  }

  /**
   * Resolves when a lease is stored. A lease that is valid, or still being written, is reused: then it resolves at
   * once. Rejects if the alarm cannot be written.
   */
  acquire(): Promise<unknown> {
    const now = Date.now();
    if (this.#expiresAt > now) return Promise.resolve();
    this.#expiresAt = now + LEASE_MS;
    return this.#pushJob(this.#expiresAt);
  }

  /** Ensures an alarm at `time` or earlier: the current lease if it expires before, otherwise an alarm of its own. */
  ensureAlarm(time: number): Promise<unknown> {
    if (this.#expiresAt > Date.now() && this.#expiresAt <= time) return Promise.resolve();
    this.#expiresAt = 0;
    return this.#pushJob(time);
  }

  /**
   * Sets the expiry of the lease after the alarm has fired and returns it (ms since the epoch): the caller must store
   * the alarm. Null, and no lease, if there is no work.
   */
  renew(hasWork: boolean): number | null {
    this.#expiresAt = hasWork ? Date.now() + LEASE_MS : 0;
    return hasWork ? this.#expiresAt : null;
  }

  /** True if the lease is valid but expires within `EXTEND_BELOW_MS`. */
  get isExpiring(): boolean {
    const left = this.#expiresAt - Date.now();
    return left > 0 && left < EXTEND_BELOW_MS;
  }

  /**
   * Extends the lease of running threads by writing only the alarm. The job keeps its old due time in the queue and is
   * found when the alarm fires; pushing the job would cost a dozen queries and three alarms.
   * Returns false and does nothing if another job is due. `next` is the next due time of anything else.
   */
  async extend(next: number): Promise<boolean> {
    const others = this.#jobs()
      .list()
      .filter(({ id }) => id !== TURNS_JOB);
    const due = Math.min(next, ...others.map(({ time }) => time));
    const now = Date.now();
    if (due <= now) return false;
    this.#expiresAt = now + LEASE_MS;
    await this.#resetOnFailure(this.#setAlarm(Math.min(this.#expiresAt, due)));
    return true;
  }

  /** Serializes the writes of the job: the last call wins, whatever the outcome of the others. */
  #pushJob(time: number): Promise<unknown> {
    const set = () => this.#jobs().push({ id: TURNS_JOB, fn: TURNS_JOB, time });
    return (this.#setting = this.#resetOnFailure(this.#setting.then(set, set)));
  }

  /** Forgets the lease if it could not be stored. */
  async #resetOnFailure(setting: Promise<unknown>): Promise<void> {
    try {
      await setting;
    } catch (thrown) {
      this.#expiresAt = 0;
      throw thrown;
    }
  }
}
