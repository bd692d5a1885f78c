import { DATA } from "./programs/data.ts";
import { DATES } from "./programs/dates.ts";
import { NUMBERS } from "./programs/numbers.ts";
import type { Ordinary } from "./programs/ordinary.ts";
import { TEXT } from "./programs/text.ts";

export const ORDINARY: readonly Ordinary[] = [...DATES, ...NUMBERS, ...TEXT, ...DATA];
