import { quantile, SIDES, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";
import { series, type Series } from "../series.ts";
import type { Wish } from "../wish.ts";

/** How much dearer late turns may be before they count as such: noise stays below it. */
const TOLERANCE = 1.1;

/** Whether turns get slower in a conversation that gets longer. */
export async function growth(lab: Lab): Promise<Figure[]> {
  const wish: Wish = { kind: "plan", tokens: 20, paceMs: 0 };
  const [conversations, early, late] = lab.isQuick ? [1, 3, 6] : [8, 10, 100];
  const found = { orrery: { early: NaN, late: NaN }, bare: { early: NaN, late: NaN } };
  for (const side of SIDES) {
    const all: Series[] = [];
    for (let i = 0; i < conversations; i++) all.push(await series(lab.servers[side], wish, late + 2));
    // The neighbours of the turn count too: a single one tells more of the machine than of us.
    const around = (turn: number) =>
      all.flatMap(({ seen }) => seen.slice(turn - 3, turn + 2).map(({ totalMs }) => totalMs));
    found[side] = { early: quantile(around(early), 0.5), late: quantile(around(late), 0.5) };
  }
  const { orrery, bare } = found;
  const ratio = orrery.late / orrery.early;
  return [
    { name: `turn ${early} of a conversation`, unit: "ms", orrery: orrery.early, bare: bare.early },
    { name: `turn ${late} of a conversation`, unit: "ms", orrery: orrery.late, bare: bare.late },
    {
      name: `turn ${late} against turn ${early}`,
      unit: "×",
      orrery: ratio,
      bare: bare.late / bare.early,
      aim: { words: `≤ ${TOLERANCE}`, isMet: ratio <= TOLERANCE },
    },
  ];
}
