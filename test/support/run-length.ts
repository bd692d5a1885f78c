// Searches at random and sweeps over large inputs have a short form, for `npm test`, and a long one, for
// `npm run test:long`.

import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly isLongRun: boolean;
  }
}

export const isLongRun: boolean = inject("isLongRun");

/** Returns the amount of the present run, such as a number of random cases. */
export function pickByLength<T>(short: T, long: T): T {
  return isLongRun ? long : short;
}
