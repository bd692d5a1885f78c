// One host that is killed again and again while people talk to it.

import { setTimeout as sleep } from "node:timers/promises";
import { between } from "../test/support/random.ts";
import type { Host } from "./workerd.ts";

/** Something that is under way and has survived so many kills. */
export type Underway = { readonly bornAt: number };

export type Lane = {
  readonly url: string;
  readonly random: () => number;
  /** How often the host has been killed. */
  readonly kills: number;
  /** True once no more work should be begun. */
  readonly isOver: boolean;
  /** Work that the next kill should not interrupt too often. */
  readonly underway: Set<Underway>;
  /** Milliseconds from each start of the process to the first answer, and to the first event on a socket. */
  readonly timesToReady: readonly number[];
  readonly timesToEvent: readonly number[];
  readonly noteEvent: () => void;
  /** Makes the next kill come now: there are moments that chance would seldom hit. */
  readonly hurry: () => void;
  /** Kills nothing until the work has settled. */
  readonly calmly: <T>(work: Promise<T>) => Promise<T>;
  /** Rejects once nobody is interested any more: whoever waits for something may go. */
  readonly abandoned: Promise<never>;
  readonly abandon: () => void;
  /** Kills the host `count` times and leaves it running. Stops early when `isEnough` holds. */
  torment(count: number, isEnough: () => boolean): Promise<void>;
};

/** The setting that tells the model server which life of the host is asking: it comes as the key. */
export const LIFE_KEY = "OPENAI_API_KEY";

/** A thread is given up after three deaths: most are spared the third, some are not. */
const PATIENCE = 2;
const MERCILESS = 0.04;
const MERCY_MS = 3_000;
const CALM_MS = 20;

/** `onKill` hears of each kill while the host is dead. */
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
        const pause = sleep(random() < 0.75 ? between(random, 1, 90) : between(random, 90, 350));
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

  /** Waits for what has been interrupted often enough. */
  async function mercy(): Promise<void> {
    const until = performance.now() + MERCY_MS;
    const isTired = (work: Underway): boolean => kills - work.bornAt >= PATIENCE;
    while (underway.values().some(isTired) && performance.now() < until) await sleep(between(random, 2, 12));
  }
}
