// Run by itself: the program on its standard input, in a process that has done nothing else. Answers how it ended and
// by how many megabytes the process grew at most.

import { readFileSync } from "node:fs";
import { createUncheckedProgram } from "../../../src/sandbox/check-program.ts";
import { runProgram } from "./vm.ts";

const peak = (): number => process.resourceUsage().maxRSS / 1_024;

runProgram(createUncheckedProgram("let s = ''; for (let i = 0; i < 1000; i += 1) s += i; return s[9];", []), {});
const code = readFileSync(0, "utf8");
const before = peak();
const outcome = runProgram(createUncheckedProgram(code, []), {});
process.stdout.write(JSON.stringify({ outcome, grown: Math.round(peak() - before) }));
