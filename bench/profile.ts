// Where the runtime spends its time: the profiler of V8 over turns of a model that answers at once.

import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { openLab, type LabOptions } from "./lab.ts";
import { series } from "./series.ts";
import type { Wish } from "./wish.ts";

type CallFrame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };
type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};
type Target = { readonly webSocketDebuggerUrl: string };

const SAMPLE_US = 100;
/** The first sample after a rest is given the whole rest, of which nothing was spent where it was taken. */
const MOST_US = 3 * SAMPLE_US;
const MOST_LINES = 25;

type Job = { readonly name: string; readonly wish: Wish; readonly turns: number; readonly conversations: number };

const JOBS: readonly Job[] = [
  { name: "direct answer", wish: { kind: "direct", tokens: 20, paceMs: 0 }, turns: 400, conversations: 1 },
  { name: "two-task plan", wish: { kind: "plan", tokens: 200, paceMs: 0 }, turns: 300, conversations: 1 },
  { name: "two tasks of 4,000 tokens", wish: { kind: "plan", tokens: 4_000, paceMs: 0 }, turns: 40, conversations: 1 },
  {
    name: "two-task plan, a token every 50 ms",
    wish: { kind: "plan", tokens: 200, paceMs: 50 },
    turns: 1,
    conversations: 48,
  },
];

/**
 * Self time per turn by source file and by function, as text. Read the order, not the milliseconds: what the platform
 * does outside JavaScript is not seen, and a busy core gives the profiler fewer samples than it asks for.
 */
export async function profile(options: Pick<LabOptions, "isQuick">): Promise<string> {
  const lab = await openLab({ ...options, minify: false });
  try {
    const server = lab.servers.orrery;
    const sources = sourcesOf(readFileSync(lab.built.orrery.script, "utf8"));
    const parts: string[] = [];
    for (const { name, wish, turns, conversations } of JOBS) {
      const each = options.isQuick ? 1 : turns;
      const count = each * conversations;
      if (wish.paceMs === 0) await series(server, wish, Math.ceil(each / 4));
      const act = () => Promise.all(Array.from({ length: conversations }, () => series(server, wish, each)));
      const taken = await recorded(server.inspector, act);
      parts.push(
        `${name}, ms per turn\n`,
        listOf(taken, count, ({ url, lineNumber }) => sources(url, lineNumber)),
      );
      parts.push(
        listOf(
          taken,
          count,
          ({ functionName, url, lineNumber }) => `${functionName || "(anonymous)"}  ${sources(url, lineNumber)}`,
        ),
      );
    }
    return parts.join("\n");
  } finally {
    await lab.close();
  }
}

/** The bundler leaves each file's name above its code. What the runtime itself brings along has names of its own. */
function sourcesOf(bundle: string): (url: string, line: number) => string {
  let file = "(bundle)";
  const files = bundle.split("\n").map((line) => (file = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? file));
  return (url, line) => {
    if (url === "") return "(native)";
    if (url.includes("-internal:")) return url;
    return (files[line] ?? url).replace(/^.*node_modules\//, "");
  };
}

function listOf({ nodes, samples, timeDeltas }: Profile, turns: number, keyOf: (frame: CallFrame) => string): string {
  const keys = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      callFrame.functionName.startsWith("(") ? callFrame.functionName : keyOf(callFrame),
    ]),
  );
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const key = keys.get(id) ?? "";
    if (key === "(idle)") return;
    times.set(key, (times.get(key) ?? 0) + Math.min(timeDeltas[i] ?? 0, MOST_US));
  });
  const lines = [...times].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_LINES);
  return lines.map(([key, time]) => `${(time / 1000 / turns).toFixed(3).padStart(9)}  ${key}\n`).join("");
}

/** Records while `act` goes on. */
async function recorded(inspector: string, act: () => Promise<unknown>): Promise<Profile> {
  const targets = (await (await fetch(`${inspector.replace("ws:", "http:")}json`)).json()) as Target[];
  const [target] = targets;
  if (target === undefined) throw new Error("The runtime shows nothing to profile");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const call = caller(socket);
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval: SAMPLE_US });
  await call("Profiler.start");
  await act();
  const { profile: taken } = (await call("Profiler.stop")) as { profile: Profile };
  socket.terminate();
  return taken;
}

/** Calls methods of the inspector. */
function caller(socket: WebSocket): (method: string, params?: object) => Promise<unknown> {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.on("message", (data) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  return (method, params = {}) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}
