// Turns one after the other, and both sides in turn: whatever else the machine does meets both alike.

import { setTimeout as sleep } from "node:timers/promises";
import { Caller, type Seen } from "./client.ts";
import { SIDES, type BySide } from "./figure.ts";
import type { Lab } from "./lab.ts";
import type { Server } from "./processes.ts";
import type { Wish } from "./wish.ts";

/** `cpuMs`: what the runtime's process used for all of the turns. */
export type Series = { readonly seen: readonly Seen[]; readonly cpuMs: number };

/** Turns of one new conversation, one after the other; `pauseMs` lets the object come to rest before each. */
export async function series(server: Server, wish: Wish, turns: number, pauseMs = 0): Promise<Series> {
  const caller = await Caller.open(server.url);
  try {
    const seen: Seen[] = [];
    const before = server.cpuMs();
    for (let i = 0; i < turns; i++) {
      if (pauseMs > 0) await sleep(pauseMs);
      seen.push(await caller.turn(wish));
    }
    return { seen, cpuMs: server.cpuMs() - before };
  } finally {
    caller.close();
  }
}

/** Measures each side `rounds` times, alternately. */
export async function alternate<T>(
  lab: Lab,
  rounds: number,
  measure: (server: Server) => Promise<T>,
): Promise<BySide<T[]>> {
  const found: BySide<T[]> = { orrery: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) found[side].push(await measure(lab.servers[side]));
  }
  return found;
}
