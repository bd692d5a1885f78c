import { compare, sum, withinFactor, type BySide, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { alternate, series, type Series } from "../series.ts";
import type { Wish } from "../wish.ts";

/** How much later than the hand-written object the first token may come. */
const FIRST_TOKEN_MS = 1.5;

/** A person does not write again before the last word's aftermath is over. */
const PAUSE_MS = 10;

/** What the runtime adds to a model that answers at once. */
export async function turns(lab: Lab): Promise<Figure[]> {
  const short = { rounds: lab.isQuick ? 1 : 8, turns: lab.isQuick ? 10 : 60 };
  const direct: Wish = { kind: "direct", tokens: 20, paceMs: 0 };
  const plan: Wish = { kind: "plan", tokens: 200, paceMs: 0 };
  await alternate(lab, 1, (server) => series(server, plan, lab.isQuick ? 5 : 100));
  return [
    ...figuresOf(
      "direct answer",
      await alternate(lab, short.rounds, (server) => series(server, direct, short.turns, PAUSE_MS)),
    ),
    ...figuresOf(
      "two-task plan",
      await alternate(lab, short.rounds, (server) => series(server, plan, short.turns, PAUSE_MS)),
    ),
  ];
}

function figuresOf(job: string, found: BySide<readonly Series[]>): Figure[] {
  const seen = { orrery: found.orrery.flatMap((one) => one.seen), bare: found.bare.flatMap((one) => one.seen) };
  const ack = compare(`${job}: message to acknowledgement`, "ms", seen, ({ ackMs }) => ackMs);
  const first = compare(`${job}: message to first token`, "ms", seen, ({ firstMs }) => firstMs);
  const firstAim = { words: `≤ bare + ${FIRST_TOKEN_MS}`, isMet: first.orrery <= first.bare + FIRST_TOKEN_MS };
  const turn = compare(`${job}: whole turn`, "ms", seen, ({ totalMs }) => totalMs);
  const cpu = {
    name: `${job}: CPU per turn`,
    unit: "ms",
    orrery: cpuPerTurn(found.orrery),
    bare: cpuPerTurn(found.bare),
  };
  return [ack, { ...first, aim: firstAim }, withinFactor(1.3, turn), withinFactor(1.3, cpu)];
}

/** The clock of CPU time ticks every 10 ms, so only the total is told. */
function cpuPerTurn(found: readonly Series[]): number {
  return sum(found.map(({ cpuMs }) => cpuMs)) / sum(found.map(({ seen }) => seen.length));
}
