import { setTimeout as sleep } from "node:timers/promises";
import { BenchClient } from "../bench-client.ts";
import { quantile, type BySide, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";
import { measureModelOnly } from "../model-only.ts";
import { alternate } from "../run-turns.ts";
import type { Workload } from "../workload.ts";

type LoadResult = { readonly perSecond: number; readonly p50: number; readonly p99: number };
type RunTurn = () => Promise<number>;

const MIN_TURNS_PER_SECOND = 62;
const PLAN: Workload = { kind: "plan", tokens: 200, paceMs: 0 };
const PACED: Workload = { kind: "plan", tokens: 200, paceMs: 50 };

/** Measures concurrent conversations. Each sends its next message when the last one is answered. */
export async function measureLoad(environment: BenchEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const conversations of environment.isQuick ? [1, 4] : [1, 16, 64, 256]) {
    const turns = environment.isQuick ? 4 : Math.max(2, Math.ceil(128 / conversations));
    const rounds = environment.isQuick ? 1 : 3;
    const results = await alternate(environment, rounds, (server) =>
      withClients(server.url, conversations, PLAN, (turnRunners) => runLoad(turnRunners, turns, 0)),
    );
    figures.push(...buildFigures(conversations, results));
  }
  return [...figures, ...(await measurePacedLoad(environment))];
}

/** Measures the same with a paced model. The difference to the model alone is the time that a user notices. */
async function measurePacedLoad(environment: BenchEnvironment): Promise<Figure[]> {
  const conversations = environment.isQuick ? 2 : 256;
  const workload = environment.isQuick ? { ...PACED, tokens: 10 } : PACED;
  // Spread the starts. All conversations are active during half of the time.
  const spreadMs = (workload.tokens * workload.paceMs) / 2;
  const results = await alternate(environment, 1, (server) =>
    withClients(server.url, conversations, workload, (turnRunners) => runLoad(turnRunners, 1, spreadMs)),
  );
  const turnRunners = Array.from(
    { length: conversations },
    (): RunTurn => () => measureModelOnly(environment.modelUrl, workload),
  );
  const modelOnly = await runLoad(turnRunners, 1, spreadMs);
  const limit = 1.1 * modelOnly.p50;
  const label = `${conversations} conversations, a token every ${workload.paceMs} ms`;
  const [orrery, bare] = [pickMedian(results.orrery), pickMedian(results.bare)];
  const p50: Figure = { name: `${label}: p50`, unit: "ms", orrery: orrery.p50, bare: bare.p50 };
  return [
    { name: `${label}: the model alone, p50`, unit: "ms", orrery: modelOnly.p50 },
    { ...p50, target: { text: "≤ 1.1 × model", isMet: orrery.p50 <= limit } },
    { name: `${label}: p99`, unit: "ms", orrery: orrery.p99, bare: bare.p99 },
  ];
}

async function withClients<T>(
  url: string,
  count: number,
  workload: Workload,
  measure: (turnRunners: readonly RunTurn[]) => Promise<T>,
): Promise<T> {
  const clients: BenchClient[] = [];
  try {
    for (let i = 0; i < count; i++) clients.push(await BenchClient.openConversation(url));
    return await measure(clients.map((client) => async () => (await client.runTurn(workload)).totalMs));
  } finally {
    for (const client of clients) client.close();
  }
}

/** Runs `turns` turns in each conversation. The first messages are spread over `spreadMs`. */
async function runLoad(turnRunners: readonly RunTurn[], turns: number, spreadMs: number): Promise<LoadResult> {
  const startedAt = performance.now();
  const times: number[] = [];
  const runClient = async (runTurn: RunTurn, at: number) => {
    await sleep(at);
    for (let i = 0; i < turns; i++) times.push(await runTurn());
  };
  await Promise.all(turnRunners.map((runTurn, i) => runClient(runTurn, (i / turnRunners.length) * spreadMs)));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function buildFigures(conversations: number, results: BySide<readonly LoadResult[]>): Figure[] {
  const [orrery, bare] = [pickMedian(results.orrery), pickMedian(results.bare)];
  const label = `${conversations} conversation${conversations === 1 ? "" : "s"}`;
  const speed: Figure = {
    name: `${label}: two-task plans`,
    unit: "turns/s",
    orrery: orrery.perSecond,
    bare: bare.perSecond,
  };
  const hasTarget = conversations === 256;
  return [
    hasTarget
      ? { ...speed, target: { text: `> ${MIN_TURNS_PER_SECOND}`, isMet: orrery.perSecond > MIN_TURNS_PER_SECOND } }
      : speed,
    { name: `${label}: p50`, unit: "ms", orrery: orrery.p50, bare: bare.p50 },
    { name: `${label}: p99`, unit: "ms", orrery: orrery.p99, bare: bare.p99 },
  ];
}

/** Returns the round with the median speed. */
function pickMedian(rounds: readonly LoadResult[]): LoadResult {
  const median = rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)];
  return median ?? { perSecond: NaN, p50: NaN, p99: NaN };
}
