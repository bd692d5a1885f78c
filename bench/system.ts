// What Linux tells of processes and cores. Elsewhere every figure is NaN.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** CPU time that a process has used so far, in milliseconds, in steps of a clock tick (10 ms on most machines). */
export function cpuMsOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? NaN) + Number(fields[12] ?? NaN)) * MS_PER_TICK;
}

/** The memory that a process holds, in KiB. */
export function memoryKibOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? NaN);
}

/** How long a core has been busy since the machine started, whoever with, in milliseconds. */
export function coreBusyMs(core: string): number {
  const line = read("/proc/stat")
    .split("\n")
    .find((candidate) => candidate.startsWith(`cpu${core} `));
  const [user = NaN, nice = NaN, system = NaN, , , irq = NaN, softIrq = NaN, stolen = NaN] = (line ?? "")
    .split(" ")
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + stolen) * MS_PER_TICK;
}

export function works(command: string, args: readonly string[]): boolean {
  try {
    output(command, args);
    return true;
  } catch {
    return false;
  }
}

const MS_PER_TICK = 1000 / (works("getconf", ["CLK_TCK"]) ? Number(output("getconf", ["CLK_TCK"])) : NaN);

function output(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Empty where there is no such file. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
