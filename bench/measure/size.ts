import { atMost, type Figure } from "../figure.ts";
import type { Lab } from "../lab.ts";

const MOST_KB = 400;

/** What a deploy would send, in units of 1,000 bytes. */
export function size({ built }: Lab): Promise<Figure[]> {
  const figure = {
    name: "the Worker, gzipped",
    unit: "KB",
    orrery: built.orrery.gzipBytes / 1000,
    bare: built.bare.gzipBytes / 1000,
  };
  return Promise.resolve([atMost(MOST_KB, figure, `< ${MOST_KB}`)]);
}
