// One host that is killed repeatedly while clients use it.
//
// Owns the number of kills, the time of the next kill, and the measured start times. `torment` is called once; the
// other members may be used by all clients of the host at the same time.

import { setTimeout as sleep } from "node:timers/promises";
import { randomBetween } from "../test/support/random.ts";
import type { Host } from "./workerd.ts";

/** Work in progress. `bornAt` is the number of kills before it began. */
export type Underway = { readonly bornAt: number };

export type Lane = {
  readonly url: string;
  readonly random: () => number;
  /** The number of kills so far. */
  readonly kills: number;
  /** True once no new work must start. */
  readonly isOver: boolean;
  /** Work in progress that must not be interrupted too often. */
  readonly underway: Set<Underway>;
  /** The times in ms from each process start to the first answer, and to the first event on a socket. */
  readonly timesToReady: readonly number[];
  readonly timesToEvent: readonly number[];
  readonly noteEvent: () => void;
  /** Triggers the next kill now, to hit moments that random times seldom hit. */
  readonly hurry: () => void;
  /** Postpones kills until the work has settled. */
  readonly calmly: <T>(work: Promise<T>) => Promise<T>;
  /** Rejects when the run is over, so that clients stop waiting. */
  readonly abandoned: Promise<never>;
  readonly abandon: () => void;
  /** Kills the host `count` times and leaves it running. Stops early if `isEnough` returns true. */
  torment(count: number, isEnough: () => boolean): Promise<void>;
};

/** The setting that identifies the calling process to the model server, where it arrives as the API key. */
export const LIFE_KEY = "OPENAI_API_KEY";

/**
 * A thread resumes with a delay after ten interruptions without progress. After `PATIENCE` of them, all kills but a share
 * of `MERCILESS` wait.
 */
const PATIENCE = 4;
const MERCILESS = 0.04;
const MERCY_MS = 3_000;
const CALM_MS = 20;

/** `onKill` is called after each kill, while the host is down. */
export function newLane(name: string, host: Host, random: () => number, onKill: () => void): Lane {
  const timesToReady: number[] = [];
  const timesToEvent: number[] = [];
  const underway = new Set<Underway>();
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  abandoned.catch(() => undefined);
  let kills = 0;
  let isOver = false;
  let bornAt = 0;
  let awaitsEvent = false;
  let calm = 0;
  let hurry: () => void = () => undefined;

  async function start(): Promise<void> {
    bornAt = performance.now();
    awaitsEvent = true;
    await host.start({ [LIFE_KEY]: `${name}-${kills}` });
    timesToReady.push(performance.now() - bornAt);
  }

  return {
    url: host.url,
    random,
    get kills() {
      return kills;
    },
    get isOver() {
      return isOver;
    },
    underway,
    timesToReady,
    timesToEvent,
    noteEvent() {
      if (!awaitsEvent) return;
      awaitsEvent = false;
      timesToEvent.push(performance.now() - bornAt);
    },
    hurry: () => hurry(),
    calmly(work) {
      calm += 1;
      return work.finally(() => (calm -= 1));
    },
    abandoned,
    abandon: () => reject(new Error("The run is over.")),
    async torment(count, isEnough) {
      await start();
      while (kills < count && !isEnough()) {
        const isHurried = new Promise<void>((resolve) => (hurry = resolve));
        const pause = sleep(random() < 0.75 ? randomBetween(random, 1, 90) : randomBetween(random, 90, 350));
        const patience = random() > MERCILESS ? pause.then(mercy) : pause;
        await Promise.race([patience, isHurried]);
        while (calm > 0) await sleep(CALM_MS);
        kills += 1;
        await host.kill();
        onKill();
        await start();
      }
      isOver = true;
    },
  };

  /** Waits for work that was interrupted `PATIENCE` times, at most `MERCY_MS`. */
  async function mercy(): Promise<void> {
    const until = performance.now() + MERCY_MS;
    const isTired = (work: Underway): boolean => kills - work.bornAt >= PATIENCE;
    while (underway.values().some(isTired) && performance.now() < until) await sleep(randomBetween(random, 2, 12));
  }
}
