import { DATA } from "./programs/data.ts";
import { DATES } from "./programs/dates.ts";
import { NUMBERS } from "./programs/numbers.ts";
import type { OrdinaryProgram } from "./programs/ordinary-program.ts";
import { TEXT } from "./programs/text.ts";

export const ORDINARY: readonly OrdinaryProgram[] = [...DATES, ...NUMBERS, ...TEXT, ...DATA];
