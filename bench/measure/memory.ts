import { setTimeout as sleep } from "node:timers/promises";
import { BenchClient } from "../bench-client.ts";
import { SIDES, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import type { Server } from "../processes.ts";

/** Objects hibernate after ten seconds without work. */
const ASLEEP_MS = 15_000;
const CONCURRENT_OPENS = 16;

type MemoryUse = { readonly awakeKib: number; readonly asleepKib: number };

/** Measures the memory of idle conversations, each with one answered message and an open socket. */
export async function measureMemory(environment: BenchEnvironment): Promise<Figure[]> {
  const conversations = environment.isQuick ? 20 : 1_000;
  const asleepMs = environment.isQuick ? 0 : ASLEEP_MS;
  const results = { orrery: NO_RESULT, bare: NO_RESULT };
  for (const side of SIDES) {
    const server = await environment.start(side, "plain");
    results[side] = await measureServer(server, conversations, asleepMs);
    await server.stop();
  }
  const { orrery, bare } = results;
  const label = `${conversations.toLocaleString("en")} idle conversations`;
  return [
    { name: `${label}: memory each, awake`, unit: "KiB", orrery: orrery.awakeKib, bare: bare.awakeKib },
    {
      name: `${label}: memory each, after ${asleepMs / 1000} s`,
      unit: "KiB",
      orrery: orrery.asleepKib,
      bare: bare.asleepKib,
    },
  ];
}

const NO_RESULT: MemoryUse = { awakeKib: NaN, asleepKib: NaN };

async function measureServer(server: Server, count: number, asleepMs: number): Promise<MemoryUse> {
  const clients: BenchClient[] = [];
  const openUntil = async (until: number) => {
    while (clients.length < until) {
      const client = await BenchClient.openConversation(server.url);
      clients.push(client);
      await client.runTurn({ kind: "direct", tokens: 20, paceMs: 0 });
    }
  };
  const openConcurrently = (until: number) =>
    Promise.all(Array.from({ length: CONCURRENT_OPENS }, () => openUntil(until)));
  try {
    // Warm up first: compiled code and the heap of the process do not belong to the conversations.
    await openConcurrently(CONCURRENT_OPENS);
    const [before, warmUpCount] = [server.memoryKib(), clients.length];
    await openConcurrently(warmUpCount + count);
    const perConversation = () => (server.memoryKib() - before) / (clients.length - warmUpCount);
    const awakeKib = perConversation();
    await sleep(asleepMs);
    return { awakeKib, asleepKib: perConversation() };
  } finally {
    for (const client of clients) client.close();
  }
}
