// Measures how long one piece of work keeps a runtime from answering other requests. It sends a small request every few
// milliseconds. Besides the time it reads the CPU time of the runtime's thread, because other processes of the machine
// delay an answer as well, but do not use the runtime's CPU time.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The longest wait for one answer, and the most CPU time that the runtime used during one wait, in ms. */
export type BusyTime = { readonly waitMs: number; readonly cpuMs: number };

const INTERVAL_MS = 5;

/** Sends requests to `url` until the returned function is called, which resolves with the measurement. */
export function startBusyProbe(url: string): () => Promise<BusyTime> {
  const pid = findWorkerd();
  let isOver = false;
  const probing = (async () => {
    let busy: BusyTime = { waitMs: 0, cpuMs: 0 };
    while (!isOver) {
      const [startedAt, cpuBefore] = [performance.now(), readCpuMs(pid)];
      await (await fetch(url)).arrayBuffer();
      const [waitMs, cpuMs] = [performance.now() - startedAt, readCpuMs(pid) - cpuBefore];
      busy = { waitMs: Math.max(busy.waitMs, waitMs), cpuMs: Math.max(busy.cpuMs, cpuMs) };
      await sleep(INTERVAL_MS);
    }
    return busy;
  })();
  return () => {
    isOver = true;
    return probing;
  };
}

/** Returns the id of the workerd below this process that has used the most CPU time. */
function findWorkerd(): number {
  const found = listDescendants(process.pid).filter(
    (pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "workerd",
  );
  const [pid] = found.toSorted((a, b) => readCpuMs(b) - readCpuMs(a));
  if (pid === undefined) throw new Error("No workerd runs below this process");
  return pid;
}

function listDescendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

/** Returns the CPU time of the main thread of a process, which runs the JavaScript of workerd. */
function readCpuMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
