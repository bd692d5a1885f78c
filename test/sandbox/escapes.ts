import type { Escape } from "./programs/escape.ts";
import { GROWING } from "./programs/growing.ts";
import { LASTING } from "./programs/lasting.ts";
import { REACHING } from "./programs/reaching.ts";

export const ESCAPES: readonly Escape[] = [...REACHING, ...LASTING, ...GROWING];
