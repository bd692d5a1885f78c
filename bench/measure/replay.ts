import { begin, Caller, replay as read, type Replay } from "../client.ts";
import { compare, SIDES, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";

/** How long it takes to come back to a conversation and read all of it. */
export async function replay(lab: Lab): Promise<Figure[]> {
  const lengths = lab.isQuick ? [100] : [1_000, 10_000];
  const found = lengths.map((events) => ({ events, orrery: [] as Replay[], bare: [] as Replay[] }));
  for (const side of SIDES) {
    const address = await begin(lab.servers[side].url);
    for (const one of found) {
      await talkUntil(address, one.events);
      for (let i = 0; i < (lab.isQuick ? 2 : 15); i++) one[side].push(await read(address));
    }
  }
  return found.flatMap(({ events, ...samples }) => [
    compare(`replay of ${events.toLocaleString("en")} events`, "ms", samples, ({ ms }) => ms),
    compare(`replay of ${events.toLocaleString("en")} events: frames`, "frames", samples, ({ frames }) => frames),
  ]);
}

async function talkUntil(address: string, events: number): Promise<void> {
  const caller = await Caller.at(address);
  while (caller.seq < events) await caller.turn({ kind: "plan", tokens: 20, paceMs: 0 });
  caller.close();
}
