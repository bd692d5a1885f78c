import { setTimeout as sleep } from "node:timers/promises";
import { Caller } from "../client.ts";
import { SIDES, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import type { Server } from "../processes.ts";

/** Objects go to sleep after ten seconds without work. */
const ASLEEP_MS = 15_000;
const OPENERS = 16;

type Memory = { readonly awakeKib: number; readonly asleepKib: number };

/** What conversations that nobody talks in cost, each with one answered message and an open socket. */
export async function memory(lab: Lab): Promise<Figure[]> {
  const conversations = lab.isQuick ? 20 : 1_000;
  const asleepMs = lab.isQuick ? 0 : ASLEEP_MS;
  const found = { orrery: NONE, bare: NONE };
  for (const side of SIDES) {
    const server = await lab.start(side, "plain");
    found[side] = await grown(server, conversations, asleepMs);
    await server.stop();
  }
  const { orrery, bare } = found;
  const job = `${conversations.toLocaleString("en")} idle conversations`;
  return [
    { name: `${job}: memory each, awake`, unit: "KiB", orrery: orrery.awakeKib, bare: bare.awakeKib },
    {
      name: `${job}: memory each, after ${asleepMs / 1000} s`,
      unit: "KiB",
      orrery: orrery.asleepKib,
      bare: bare.asleepKib,
    },
  ];
}

const NONE: Memory = { awakeKib: NaN, asleepKib: NaN };

async function grown(server: Server, count: number, asleepMs: number): Promise<Memory> {
  const callers: Caller[] = [];
  const open = async (until: number) => {
    while (callers.length < until) {
      const caller = await Caller.open(server.url);
      callers.push(caller);
      await caller.turn({ kind: "direct", tokens: 20, paceMs: 0 });
    }
  };
  const openTogether = (until: number) => Promise.all(Array.from({ length: OPENERS }, () => open(until)));
  try {
    // What the process takes for itself, code compiled and heap warm, is not the conversations'.
    await openTogether(OPENERS);
    const [before, already] = [server.memoryKib(), callers.length];
    await openTogether(already + count);
    const each = () => (server.memoryKib() - before) / (callers.length - already);
    const awakeKib = each();
    await sleep(asleepMs);
    return { awakeKib, asleepKib: each() };
  } finally {
    for (const caller of callers) caller.close();
  }
}
