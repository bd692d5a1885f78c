// Ranges and counts of random draws.

export { parseDrawCount, parseNumberRange, type NumberRange } from "./work/read-random.ts";
