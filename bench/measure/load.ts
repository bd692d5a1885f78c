import { setTimeout as sleep } from "node:timers/promises";
import { Caller } from "../client.ts";
import { quantile, type BySide, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { aloneTurn } from "../alone.ts";
import { alternate } from "../series.ts";
import type { Wish } from "../wish.ts";

type Load = { readonly perSecond: number; readonly p50: number; readonly p99: number };
type Talk = () => Promise<number>;

const LEAST_PER_SECOND = 62;
const PLAN: Wish = { kind: "plan", tokens: 200, paceMs: 0 };
const PACED: Wish = { kind: "plan", tokens: 200, paceMs: 50 };

/** Many conversations at once, each saying its next message when the last one is answered. */
export async function load(lab: Lab): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const conversations of lab.isQuick ? [1, 4] : [1, 16, 64, 256]) {
    const turns = lab.isQuick ? 4 : Math.max(2, Math.ceil(128 / conversations));
    const rounds = lab.isQuick ? 1 : 3;
    const found = await alternate(lab, rounds, (server) =>
      withCallers(server.url, conversations, PLAN, (talks) => under(talks, turns, 0)),
    );
    figures.push(...figuresOf(conversations, found));
  }
  return [...figures, ...(await paced(lab))];
}

/** The same with a model that takes its time: what is left of the runtime is what its reader notices. */
async function paced(lab: Lab): Promise<Figure[]> {
  const conversations = lab.isQuick ? 2 : 256;
  const wish = lab.isQuick ? { ...PACED, tokens: 10 } : PACED;
  // Nobody begins at the same moment; for half of the time all of them talk at once.
  const spreadMs = (wish.tokens * wish.paceMs) / 2;
  const found = await alternate(lab, 1, (server) =>
    withCallers(server.url, conversations, wish, (talks) => under(talks, 1, spreadMs)),
  );
  const talks = Array.from({ length: conversations }, (): Talk => () => aloneTurn(lab.modelUrl, wish));
  const alone = await under(talks, 1, spreadMs);
  const limit = 1.1 * alone.p50;
  const job = `${conversations} conversations, a token every ${wish.paceMs} ms`;
  const [orrery, bare] = [middleOf(found.orrery), middleOf(found.bare)];
  const p50: Figure = { name: `${job}: p50`, unit: "ms", orrery: orrery.p50, bare: bare.p50 };
  return [
    { name: `${job}: the model alone, p50`, unit: "ms", orrery: alone.p50 },
    { ...p50, aim: { words: "≤ 1.1 × model", isMet: orrery.p50 <= limit } },
    { name: `${job}: p99`, unit: "ms", orrery: orrery.p99, bare: bare.p99 },
  ];
}

async function withCallers<T>(
  url: string,
  count: number,
  wish: Wish,
  measure: (talks: readonly Talk[]) => Promise<T>,
): Promise<T> {
  const callers: Caller[] = [];
  try {
    for (let i = 0; i < count; i++) callers.push(await Caller.open(url));
    return await measure(callers.map((caller) => async () => (await caller.turn(wish)).totalMs));
  } finally {
    for (const caller of callers) caller.close();
  }
}

/** Lets everybody talk `turns` times; the first words are spread over `spreadMs`. */
async function under(talks: readonly Talk[], turns: number, spreadMs: number): Promise<Load> {
  const startedAt = performance.now();
  const times: number[] = [];
  const speak = async (talk: Talk, at: number) => {
    await sleep(at);
    for (let i = 0; i < turns; i++) times.push(await talk());
  };
  await Promise.all(talks.map((talk, i) => speak(talk, (i / talks.length) * spreadMs)));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function figuresOf(conversations: number, found: BySide<readonly Load[]>): Figure[] {
  const [orrery, bare] = [middleOf(found.orrery), middleOf(found.bare)];
  const job = `${conversations} conversation${conversations === 1 ? "" : "s"}`;
  const speed: Figure = {
    name: `${job}: two-task plans`,
    unit: "turns/s",
    orrery: orrery.perSecond,
    bare: bare.perSecond,
  };
  const isAimed = conversations === 256;
  return [
    isAimed ? { ...speed, aim: { words: `> ${LEAST_PER_SECOND}`, isMet: orrery.perSecond > LEAST_PER_SECOND } } : speed,
    { name: `${job}: p50`, unit: "ms", orrery: orrery.p50, bare: bare.p50 },
    { name: `${job}: p99`, unit: "ms", orrery: orrery.p99, bare: bare.p99 },
  ];
}

/** The middle one of several rounds, by speed. */
function middleOf(rounds: readonly Load[]): Load {
  const middle = rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)];
  return middle ?? { perSecond: NaN, p50: NaN, p99: NaN };
}
