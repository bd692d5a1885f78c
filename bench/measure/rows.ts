import { setTimeout as sleep } from "node:timers/promises";
import { begin, Caller } from "../client.ts";
import type { Written } from "../counted/rows.ts";
import { atMost, SIDES, type BySide, type Figure, type Side } from "../figure.ts";
import type { Lab } from "../lab.ts";
import type { Server } from "../processes.ts";
import type { Wish } from "../wish.ts";

/** After a turn's last word the directory is told, and a lease runs out: so much later all is quiet. */
const SETTLE_MS = 7_000;
const MOST = { direct: 20, plan: 60 };

type Case = { readonly name: string; readonly wish: Wish; readonly most: number };

const LONG_DIRECT: Case = {
  name: "direct answer of 4,000 tokens",
  wish: { kind: "direct", tokens: 4_000, paceMs: 0 },
  most: MOST.direct,
};
const CASES: readonly Case[] = [
  { name: "direct answer", wish: { kind: "direct", tokens: 200, paceMs: 0 }, most: MOST.direct },
  LONG_DIRECT,
  { name: "two-task plan", wish: { kind: "plan", tokens: 200, paceMs: 0 }, most: MOST.plan },
  { name: "two-task plan of 4,000 tokens", wish: { kind: "plan", tokens: 2_000, paceMs: 0 }, most: MOST.plan },
];
const SLOW: Case = {
  name: "direct answer that takes 12 s",
  wish: { kind: "direct", tokens: 240, paceMs: 50 },
  most: MOST.direct,
};

/** What one turn writes, counted in a build that differs from the real one in its meter alone. */
export async function rows(lab: Lab): Promise<Figure[]> {
  const cases = lab.isQuick ? CASES : [...CASES, SLOW];
  const [orrery = [], bare = []] = await Promise.all(SIDES.map((side) => countAll(lab, side, cases)));
  const counted = { orrery, bare };
  return [...cases.flatMap((one, i) => figuresOf(one, pick(counted, i))), perThousand(counted)];
}

async function countAll(lab: Lab, side: Side, cases: readonly Case[]): Promise<Written[]> {
  const server = await lab.start(side, "counted");
  const found: Written[] = [];
  // One after the other: what many tell the directory at once is written by one of them.
  for (const { wish } of cases) found.push(await count(server, wish, lab.isQuick ? 600 : SETTLE_MS));
  await server.stop();
  return found;
}

function figuresOf({ name, most }: Case, { orrery, bare }: BySide<Written>): Figure[] {
  return [
    atMost(most, { name: `${name}: rows written`, unit: "rows", orrery: orrery.rows, bare: bare.rows }),
    { name: `${name}: alarms set or cleared`, unit: "writes", orrery: orrery.alarms, bare: bare.alarms },
    { name: `${name}: rows in the directory`, unit: "rows", orrery: orrery.directoryRows },
  ];
}

function perThousand(counted: BySide<readonly Written[]>): Figure {
  const [short, long] = [pick(counted, 0), pick(counted, CASES.indexOf(LONG_DIRECT))];
  const rate = (few: Written, many: Written) => (many.rows - few.rows) / 3.8;
  return {
    name: "rows per further 1,000 tokens",
    unit: "rows",
    orrery: rate(short.orrery, long.orrery),
    bare: rate(short.bare, long.bare),
  };
}

function pick(counted: BySide<readonly Written[]>, i: number): BySide<Written> {
  const { orrery, bare } = { orrery: counted.orrery[i], bare: counted.bare[i] };
  if (orrery === undefined || bare === undefined) throw new Error("A turn was not counted");
  return { orrery, bare };
}

/** What the second turn of a new conversation writes until all is quiet; the first one may still set things up. */
async function count(server: Server, wish: Wish, settleMs: number): Promise<Written> {
  const address = await begin(server.url);
  const conversation = address.split("/").at(-2) ?? "";
  const read = async () => (await (await fetch(`${server.url}/written/${conversation}`)).json()) as Written;
  const caller = await Caller.at(address);
  try {
    await caller.turn({ kind: wish.kind, tokens: 5, paceMs: 0 });
    await sleep(settleMs);
    await read();
    await caller.turn(wish);
    await sleep(settleMs);
    return await read();
  } finally {
    caller.close();
  }
}
