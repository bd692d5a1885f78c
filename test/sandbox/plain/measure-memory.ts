// Runs in a separate process with the program on its standard input. Prints the outcome, and the maximum growth of
// the process in megabytes.

import { readFileSync } from "node:fs";
import { createUncheckedProgram } from "../../../src/sandbox/check-program.ts";
import { runProgram } from "./run-in-vm.ts";

const measurePeakMb = (): number => process.resourceUsage().maxRSS / 1_024;

runProgram(createUncheckedProgram("let s = ''; for (let i = 0; i < 1000; i += 1) s += i; return s[9];", []), {});
const code = readFileSync(0, "utf8");
const before = measurePeakMb();
const outcome = runProgram(createUncheckedProgram(code, []), {});
process.stdout.write(JSON.stringify({ outcome, grown: Math.round(measurePeakMb() - before) }));
