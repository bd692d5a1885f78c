// Profiles the runtime with the V8 profiler, during turns of a model without delays.

import { readFileSync } from "node:fs";
import { startEnvironment, type EnvironmentOptions } from "./environment.ts";
import { withInspector } from "./inspector.ts";
import { runTurns } from "./run-turns.ts";
import type { Workload } from "./workload.ts";

type CallFrame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };
type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

const SAMPLE_US = 100;
/** V8 attributes the whole idle time to the first sample after it. Cap the time of a sample. */
const MAX_SAMPLE_US = 3 * SAMPLE_US;
const MAX_LINES = 25;

type ProfileJob = {
  readonly name: string;
  readonly workload: Workload;
  readonly turns: number;
  readonly conversations: number;
};

const JOBS: readonly ProfileJob[] = [
  { name: "direct answer", workload: { kind: "direct", tokens: 20, paceMs: 0 }, turns: 400, conversations: 1 },
  { name: "two-task plan", workload: { kind: "plan", tokens: 200, paceMs: 0 }, turns: 300, conversations: 1 },
  {
    name: "two tasks of 4,000 tokens",
    workload: { kind: "plan", tokens: 4_000, paceMs: 0 },
    turns: 40,
    conversations: 1,
  },
  {
    name: "two-task plan, a token every 50 ms",
    workload: { kind: "plan", tokens: 200, paceMs: 50 },
    turns: 1,
    conversations: 48,
  },
];

/**
 * Returns the self time per turn by source file and by function, as text. The order is reliable, the milliseconds are
 * not: the profiler misses work outside JavaScript and gets fewer samples on a busy core.
 */
export async function profileRuntime(options: Pick<EnvironmentOptions, "isQuick">): Promise<string> {
  const environment = await startEnvironment({ ...options, minify: false });
  try {
    const server = environment.servers.orrery;
    const getSource = mapSourceLines(readFileSync(environment.built.orrery.script, "utf8"));
    const parts: string[] = [];
    for (const { name, workload, turns, conversations } of JOBS) {
      const turnsPerConversation = options.isQuick ? 1 : turns;
      const count = turnsPerConversation * conversations;
      if (workload.paceMs === 0) await runTurns(server, workload, Math.ceil(turnsPerConversation / 4));
      const action = () =>
        Promise.all(Array.from({ length: conversations }, () => runTurns(server, workload, turnsPerConversation)));
      const profile = await recordProfile(server.inspector, action);
      parts.push(
        `${name}, ms per turn\n`,
        formatTimes(profile, count, ({ url, lineNumber }) => getSource(url, lineNumber)),
      );
      parts.push(
        formatTimes(
          profile,
          count,
          ({ functionName, url, lineNumber }) => `${functionName || "(anonymous)"}  ${getSource(url, lineNumber)}`,
        ),
      );
    }
    return parts.join("\n");
  } finally {
    await environment.close();
  }
}

/** Maps lines of the bundle to source files: the bundler writes the file name above the code of each file. */
function mapSourceLines(bundle: string): (url: string, line: number) => string {
  let file = "(bundle)";
  const files = bundle.split("\n").map((line) => (file = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? file));
  return (url, line) => {
    if (url === "") return "(native)";
    if (url.includes("-internal:")) return url;
    return (files[line] ?? url).replace(/^.*node_modules\//, "");
  };
}

function formatTimes(
  { nodes, samples, timeDeltas }: Profile,
  turns: number,
  getKey: (frame: CallFrame) => string,
): string {
  const keys = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      callFrame.functionName.startsWith("(") ? callFrame.functionName : getKey(callFrame),
    ]),
  );
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const key = keys.get(id) ?? "";
    if (key === "(idle)") return;
    times.set(key, (times.get(key) ?? 0) + Math.min(timeDeltas[i] ?? 0, MAX_SAMPLE_US));
  });
  const lines = [...times].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_LINES);
  return lines.map(([key, time]) => `${(time / 1000 / turns).toFixed(3).padStart(9)}  ${key}\n`).join("");
}

/** Records a profile while `action` runs. */
function recordProfile(inspector: string, action: () => Promise<unknown>): Promise<Profile> {
  return withInspector(inspector, async (call) => {
    await call("Profiler.enable");
    await call("Profiler.setSamplingInterval", { interval: SAMPLE_US });
    await call("Profiler.start");
    await action();
    const { profile } = (await call("Profiler.stop")) as { profile: Profile };
    return profile;
  });
}
