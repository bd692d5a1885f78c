// Runs turns sequentially and alternates between both sides, so that other load on the machine affects both equally.

import { setTimeout as sleep } from "node:timers/promises";
import { BenchClient, type TurnTiming } from "./bench-client.ts";
import { SIDES, type BySide } from "./figure.ts";
import type { BenchEnvironment } from "./environment.ts";
import type { Server } from "./processes.ts";
import type { Workload } from "./workload.ts";

/** `cpuMs`: the CPU time of the runtime process for all of the turns. */
export type TurnSeries = { readonly timings: readonly TurnTiming[]; readonly cpuMs: number };

/** Runs turns in a new conversation, one after the other. `pauseMs` lets the object become idle before each turn. */
export async function runTurns(server: Server, workload: Workload, turns: number, pauseMs = 0): Promise<TurnSeries> {
  const client = await BenchClient.openConversation(server.url);
  try {
    const timings: TurnTiming[] = [];
    const before = server.cpuMs();
    for (let i = 0; i < turns; i++) {
      if (pauseMs > 0) await sleep(pauseMs);
      timings.push(await client.runTurn(workload));
    }
    return { timings, cpuMs: server.cpuMs() - before };
  } finally {
    client.close();
  }
}

/** Measures each side `rounds` times, alternately. */
export async function alternate<T>(
  environment: BenchEnvironment,
  rounds: number,
  measure: (server: Server) => Promise<T>,
): Promise<BySide<T[]>> {
  const results: BySide<T[]> = { orrery: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) results[side].push(await measure(environment.servers[side]));
  }
  return results;
}
