import { createConversation, BenchClient, timeReplay, type ReplayTiming } from "../bench-client.ts";
import { compareMedians, SIDES, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";

/** Measures the time to reconnect to a conversation and read its whole log. */
export async function measureReplay(environment: BenchEnvironment): Promise<Figure[]> {
  const lengths = environment.isQuick ? [100] : [1_000, 10_000];
  const results = lengths.map((events) => ({ events, orrery: [] as ReplayTiming[], bare: [] as ReplayTiming[] }));
  for (const side of SIDES) {
    const address = await createConversation(environment.servers[side].url);
    for (const result of results) {
      await fillConversation(address, result.events);
      for (let i = 0; i < (environment.isQuick ? 2 : 15); i++) result[side].push(await timeReplay(address));
    }
  }
  return results.flatMap(({ events, ...samples }) => [
    compareMedians(`replay of ${events.toLocaleString("en")} events`, "ms", samples, ({ ms }) => ms),
    compareMedians(
      `replay of ${events.toLocaleString("en")} events: frames`,
      "frames",
      samples,
      ({ frames }) => frames,
    ),
  ]);
}

async function fillConversation(address: string, events: number): Promise<void> {
  const client = await BenchClient.connect(address);
  while (client.seq < events) await client.runTurn({ kind: "plan", tokens: 20, paceMs: 0 });
  client.close();
}
