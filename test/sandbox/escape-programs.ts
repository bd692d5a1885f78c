import type { EscapeProgram } from "./programs/escape-program.ts";
import { GROWING } from "./programs/growing.ts";
import { LASTING } from "./programs/lasting.ts";
import { REACHING } from "./programs/reaching.ts";

export const ESCAPES: readonly EscapeProgram[] = [...REACHING, ...LASTING, ...GROWING];
