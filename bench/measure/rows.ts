import { setTimeout as sleep } from "node:timers/promises";
import { createConversation, BenchClient } from "../bench-client.ts";
import type { StorageCounts } from "../counted/storage-meter.ts";
import { withMaximum, SIDES, type BySide, type Figure, type Side } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import type { Server } from "../processes.ts";
import type { Workload } from "../workload.ts";

/** After a turn, the directory is updated and a lease expires. All writes have happened after this time. */
const IDLE_AFTER_MS = 7_000;
const MAX_ROWS = { direct: 20, plan: 60 };

type RowCase = { readonly name: string; readonly workload: Workload; readonly maxRows: number };

const LONG_DIRECT: RowCase = {
  name: "direct answer of 4,000 tokens",
  workload: { kind: "direct", tokens: 4_000, paceMs: 0 },
  maxRows: MAX_ROWS.direct,
};
const CASES: readonly RowCase[] = [
  { name: "direct answer", workload: { kind: "direct", tokens: 200, paceMs: 0 }, maxRows: MAX_ROWS.direct },
  LONG_DIRECT,
  { name: "two-task plan", workload: { kind: "plan", tokens: 200, paceMs: 0 }, maxRows: MAX_ROWS.plan },
  {
    name: "two-task plan of 4,000 tokens",
    workload: { kind: "plan", tokens: 2_000, paceMs: 0 },
    maxRows: MAX_ROWS.plan,
  },
];
const SLOW: RowCase = {
  name: "direct answer that takes 12 s",
  workload: { kind: "direct", tokens: 240, paceMs: 50 },
  maxRows: MAX_ROWS.direct,
};

/** Counts the writes of one turn, in a build that differs from the real one only by its meter. */
export async function measureRows(environment: BenchEnvironment): Promise<Figure[]> {
  const cases = environment.isQuick ? CASES : [...CASES, SLOW];
  const [orrery = [], bare = []] = await Promise.all(SIDES.map((side) => countCases(environment, side, cases)));
  const counts = { orrery, bare };
  return [...cases.flatMap((testCase, i) => buildFigures(testCase, pickCase(counts, i))), buildRateFigure(counts)];
}

async function countCases(
  environment: BenchEnvironment,
  side: Side,
  cases: readonly RowCase[],
): Promise<StorageCounts[]> {
  const server = await environment.start(side, "counted");
  const counts: StorageCounts[] = [];
  // One after the other: concurrent directory updates are batched into one write.
  for (const { workload } of cases)
    counts.push(await countTurn(server, workload, environment.isQuick ? 600 : IDLE_AFTER_MS));
  await server.stop();
  return counts;
}

function buildFigures({ name, maxRows }: RowCase, { orrery, bare }: BySide<StorageCounts>): Figure[] {
  return [
    withMaximum(maxRows, { name: `${name}: rows written`, unit: "rows", orrery: orrery.rows, bare: bare.rows }),
    { name: `${name}: alarms set or cleared`, unit: "writes", orrery: orrery.alarms, bare: bare.alarms },
    { name: `${name}: rows in the directory`, unit: "rows", orrery: orrery.directoryRows },
  ];
}

function buildRateFigure(counts: BySide<readonly StorageCounts[]>): Figure {
  const [short, long] = [pickCase(counts, 0), pickCase(counts, CASES.indexOf(LONG_DIRECT))];
  const computeRate = (shortCounts: StorageCounts, longCounts: StorageCounts) =>
    (longCounts.rows - shortCounts.rows) / 3.8;
  return {
    name: "rows per additional 1,000 tokens",
    unit: "rows",
    orrery: computeRate(short.orrery, long.orrery),
    bare: computeRate(short.bare, long.bare),
  };
}

function pickCase(counts: BySide<readonly StorageCounts[]>, i: number): BySide<StorageCounts> {
  const { orrery, bare } = { orrery: counts.orrery[i], bare: counts.bare[i] };
  if (orrery === undefined || bare === undefined) throw new Error("A turn was not counted");
  return { orrery, bare };
}

/** Counts the writes of the second turn of a new conversation. The first turn may include one-time writes. */
async function countTurn(server: Server, workload: Workload, idleMs: number): Promise<StorageCounts> {
  const address = await createConversation(server.url);
  const conversation = address.split("/").at(-2) ?? "";
  const takeCounts = async () => (await (await fetch(`${server.url}/written/${conversation}`)).json()) as StorageCounts;
  const client = await BenchClient.connect(address);
  try {
    await client.runTurn({ kind: workload.kind, tokens: 5, paceMs: 0 });
    await sleep(idleMs);
    await takeCounts();
    await client.runTurn(workload);
    await sleep(idleMs);
    return await takeCounts();
  } finally {
    client.close();
  }
}
