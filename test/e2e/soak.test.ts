// Two hundred sockets with a paced model for ten minutes: no turn fails, nothing stalls, and the heap stays flat. A stall
// is judged by the CPU time of the runtime while one request waited, because other processes of the machine delay an
// answer as well.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BenchClient } from "../../bench/bench-client.ts";
import { startEnvironment } from "../../bench/environment.ts";
import { readHeapBytes } from "../../bench/inspector.ts";
import { startBusyProbe, type BusyTime } from "../support/busy-probe.ts";
import { isLongRun } from "../support/run-length.ts";

const SOCKETS = 200;
const RUN_MS = 10 * 60_000;
/** Compiled code and caches fill first. */
const WARM_UP_MS = 60_000;
const TURN = { kind: "direct", tokens: 40, paceMs: 50 } as const;
/** Between two turns of one socket. */
const PAUSE_MS = 3_000;
const MAX_STALL_MS = 100;
const MAX_GROWTH = 1.1;

test.runIf(isLongRun)(
  "200 sockets with a paced model for ten minutes cause no failure, no stall and no growth",
  async ({ annotate }) => {
    const environment = await startEnvironment({ isQuick: true });
    const server = environment.servers.orrery;
    const endsAt = Date.now() + WARM_UP_MS + RUN_MS;
    const counts = { turns: 0, longestWaitMs: 0 };
    const runSocket = async (index: number) => {
      await sleep((index * PAUSE_MS) / SOCKETS);
      const client = await BenchClient.openConversation(server.url);
      while (Date.now() < endsAt) {
        const { longestWaitMs } = await client.runTurn(TURN);
        counts.turns += 1;
        counts.longestWaitMs = Math.max(counts.longestWaitMs, longestWaitMs);
        await sleep(PAUSE_MS);
      }
      client.close();
    };
    try {
      const sockets = Promise.all(Array.from({ length: SOCKETS }, (_, index) => runSocket(index)));
      await Promise.race([sockets, sleep(WARM_UP_MS)]);
      const [before, residentBefore] = [await readHeapBytes(server), server.memoryKib()];
      const endProbe = startBusyProbe(`${server.url}/health`);
      let busy: BusyTime;
      try {
        await sockets;
      } finally {
        busy = await endProbe();
      }
      const growth = (await readHeapBytes(server)) / before;
      await annotate(JSON.stringify({ ...counts, busy, growth, residentKib: [residentBefore, server.memoryKib()] }));
      expect(growth).toBeLessThan(MAX_GROWTH);
      expect(busy.cpuMs).toBeLessThan(MAX_STALL_MS);
      expect(counts.turns).toBeGreaterThan(SOCKETS * 50);
    } finally {
      await environment.close();
    }
  },
);
