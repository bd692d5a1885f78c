// The heap of the runtime may not grow with the number of turns or of idle conversations.
//
// The test measures the heap after a garbage collection, not the memory of the process: workerd itself keeps about 3 KB
// for each message of a socket and 12 KB for each streamed request, even of a Worker that only echoes.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BenchClient, createConversation } from "../../bench/bench-client.ts";
import { startEnvironment, type BenchEnvironment } from "../../bench/environment.ts";
import { readHeapBytes } from "../../bench/inspector.ts";
import { isLongRun } from "../support/run-length.ts";

const DIRECT = { kind: "direct", tokens: 20, paceMs: 0 } as const;
/** Objects hibernate after ten seconds without work. */
const ASLEEP_MS = 20_000;
/** A socket accepts a limited number of commands in some seconds. */
const TURNS_PER_SOCKET = 100;
const MAX_GROWTH = 1.1;

async function withEnvironment(action: (environment: BenchEnvironment) => Promise<void>): Promise<void> {
  const environment = await startEnvironment({ isQuick: true });
  try {
    await action(environment);
  } finally {
    await environment.close();
  }
}

async function runTurns(address: string, turns: number): Promise<void> {
  let seq = 0;
  for (let done = 0; done < turns; done += TURNS_PER_SOCKET) {
    const client = await BenchClient.connect(`${address}?after=${seq}`);
    for (let i = done; i < Math.min(turns, done + TURNS_PER_SOCKET); i++) await client.runTurn(DIRECT);
    seq = client.seq;
    client.close();
  }
}

async function runConversations(url: string, count: number): Promise<void> {
  let opened = 0;
  const openInTurn = async () => {
    while (opened++ < count) await runTurns(await createConversation(url), 1);
  };
  await Promise.all(Array.from({ length: 8 }, openInTurn));
  await sleep(ASLEEP_MS);
}

test.runIf(isLongRun)("10,000 turns in one conversation do not let the heap grow by a tenth", ({ annotate }) =>
  withEnvironment(async ({ servers: { orrery } }) => {
    const address = await createConversation(orrery.url);
    await runTurns(address, 1_000);
    const before = await readHeapBytes(orrery);
    await runTurns(address, 10_000);
    const after = await readHeapBytes(orrery);
    await annotate(`heap ${before} bytes after 1,000 turns, ${after} after 10,000 more`);
    expect(after / before).toBeLessThan(MAX_GROWTH);
  }),
);

test.runIf(isLongRun)("2,000 idle conversations do not let the heap grow by a tenth", ({ annotate }) =>
  withEnvironment(async ({ servers: { orrery } }) => {
    await runConversations(orrery.url, 500);
    const before = await readHeapBytes(orrery);
    await runConversations(orrery.url, 2_000);
    const after = await readHeapBytes(orrery);
    await annotate(`heap ${before} bytes with 500 conversations, ${after} with 2,000 more`);
    expect(after / before).toBeLessThan(MAX_GROWTH);
  }),
);
