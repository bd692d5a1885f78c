// One host with its simulated clock, and the record of its sweeps, results and disturbances.

import { createApiUser, type ApiUser } from "../../test/support/api-user.ts";
import type { ScheduleRunResult } from "../../src/protocol/schedules/schedule.ts";
import type { Host } from "../workerd.ts";
import type { Subject, Sweep } from "./oracle.ts";
import type { Trouble } from "./trouble.ts";

const COUNTS = ["sweeps", "doubled", "late", "outages", "kills", "jumpsBack", "troubles", "hasty"] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;

export type Site = {
  readonly host: Host;
  readonly person: ApiUser;
  readonly trouble: Trouble;
  readonly random: () => number;
  readonly counts: Counts;
  readonly sweeps: Sweep[];
  readonly rows: Map<string, Map<number, ScheduleRunResult>>;
  subjects: readonly Subject[];
  offset: number;
  /** The latest time that the clock has shown (ms since the epoch). */
  latest: number;
  /** The time of the last disturbance, whose effects may last until `heal`. */
  disturbed: number;
  hasHealed: boolean;
  /** True if the directory may have missed updates. */
  wasTroubled: boolean;
  /** The runs of all due times up to this time have ended. */
  settled: number;
};

export function newSite(host: Host, trouble: Trouble, random: () => number, from: number): Site {
  return {
    host,
    person: createApiUser(host.url),
    trouble,
    random,
    counts: { sweeps: 0, doubled: 0, late: 0, outages: 0, kills: 0, jumpsBack: 0, troubles: 0, hasty: 0 },
    sweeps: [],
    rows: new Map(),
    subjects: [],
    offset: from - Date.now(),
    latest: from,
    disturbed: 0,
    hasHealed: true,
    wasTroubled: false,
    settled: from,
  };
}

export function now(site: Site): number {
  const at = Date.now() + site.offset;
  site.latest = Math.max(site.latest, at);
  return at;
}

export async function setClock(site: Site, at: number): Promise<void> {
  site.offset = at - Date.now();
  await request(site, `/chaos/clock?offset=${site.offset}`);
}

export async function revive(site: Site): Promise<void> {
  await site.host.start({ CLOCK_OFFSET: String(site.offset) });
}

export async function kill(site: Site): Promise<void> {
  site.counts.kills += 1;
  await site.host.kill();
  disturb(site);
  await revive(site);
}

export function disturb(site: Site): void {
  now(site);
  site.disturbed = site.latest;
  site.hasHealed = false;
}

export async function request({ host }: Site, path: string): Promise<boolean> {
  return fetch(host.url + path, { method: "POST" }).then(
    async (response) => (await response.text(), response.ok),
    () => false,
  );
}

export async function sweep(site: Site, isAlone = true): Promise<void> {
  site.counts.sweeps += 1;
  const begin = now(site);
  const hasHealed = site.hasHealed && isAlone;
  const isOk = await request(site, "/chaos/sweep");
  const end = now(site);
  const isSure = isOk && hasHealed && site.hasHealed && site.trouble.share === 0;
  site.sweeps.push({ begin: Math.min(begin, end), end: Math.max(begin, end), isSure });
}
