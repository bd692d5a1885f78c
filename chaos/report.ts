// Formats the results of runs as text.

import type { CrashReport } from "./points.ts";
import { ENDS } from "./tally.ts";
import { KINDS } from "./scripts.ts";
import type { Outcome, Violation } from "./torment.ts";

export function summary({ kills, seconds, tally, timesToReady, timesToEvent }: Outcome): string {
  const rows: [string, string][] = [
    ["kills", `${kills} in ${seconds.toFixed(0)} s`],
    ["conversations", String(tally.conversations)],
    ...KINDS.map((kind): [string, string] => [
      `turns: ${kind}`,
      ENDS.map((end) => `${tally.turns[kind][end]} ${end}`).join(", "),
    ]),
    ["tasks cancelled", String(tally.taskCancels)],
    ["tasks over A2A", String(tally.visits)],
    ["responses of the OpenAI API", String(tally.responses)],
    ["tickets used", String(tally.tickets)],
    ["threads that had to wait", String(tally.stalls)],
    ["notifications", `${tally.notices}, ${tally.repeatedNotices} of them more than once`],
    ["questions answered", String(tally.answers)],
    ["finished with nobody there", String(tally.walks)],
    ["steps begun again", String(tally.restarts)],
    ["acknowledgements checked", String(tally.acks)],
    ["commands sent twice", String(tally.repeats)],
    ["frames checked", String(tally.frames)],
    ["model calls checked", String(tally.calls)],
    ["restart to first answer", quantiles(timesToReady)],
    ["restart to first event", quantiles(timesToEvent)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n");
}

export function describe({ rule, words, lane, kill, conversationId, frames }: Violation, seed: number): string {
  const place = `seed ${seed}, host ${lane}, after kill ${kill}, ${conversationId}`;
  return [`\nVIOLATION of ${rule} (${place}):`, `  ${words}`, ...frames.map((frame) => `    ${frame}`)].join("\n");
}

export function crashReport({ points, crashes, unreached, seconds, breaches }: CrashReport): string {
  const done = `  ${points} points, ${crashes} crashes in ${seconds.toFixed(0)} s, ${unreached} not reached, ${breaches.length} breaches`;
  return [done, ...breaches.map((words) => `  ${words}`)].join("\n");
}

function quantiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
