// What every measurement works with: both Workers built, a scripted model, and servers of either kind.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../scripts/tools.ts";
import { Caller } from "./client.ts";
import { sum, type BySide, type Side } from "./figure.ts";
import type { HostConfig } from "./host.ts";
import { pinClients, startModel, startServer, type Server } from "./processes.ts";
import type { Wish } from "./wish.ts";
import { workersIn, type Built, type Variant } from "./workers.ts";

export type LabOptions = {
  /** Few repetitions on shared cores: figures come out, but mean little. */
  readonly isQuick: boolean;
  readonly minify?: boolean;
};

export type Lab = {
  readonly isQuick: boolean;
  /** Whether the servers have a core to themselves. */
  readonly isPinned: boolean;
  readonly modelUrl: string;
  /** The servers that measurements share. */
  readonly servers: BySide<Server>;
  readonly built: BySide<Built>;
  /** CPU time of all servers so far, in milliseconds. */
  readonly cpuMs: () => number;
  /** A server of its own; the caller stops it. */
  readonly start: (side: Side, variant: Variant) => Promise<Server>;
  readonly close: () => Promise<void>;
};

/** What the model was asked, by role. */
type Asked = Readonly<Record<string, { readonly calls: number; readonly promptBytes: number }>>;
type Undo = () => Promise<void> | void;

export async function openLab(options: LabOptions): Promise<Lab> {
  const undo: Undo[] = [];
  const close = async () => {
    for (const act of undo.splice(0).toReversed()) await act();
  };
  try {
    return { ...(await setUp(options, undo)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function setUp({ isQuick, minify = true }: LabOptions, undo: Undo[]): Promise<Omit<Lab, "close">> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const workers = workersIn(folder, { minify });
  const model = await startModel();
  undo.push(model.stop);
  const [orrery, bare] = await Promise.all([workers("orrery", "plain"), workers("bare", "plain")]);
  const pinned = !isQuick && pinClients(model.pid);
  const started: Server[] = [];
  let promptBytes = "{}";
  const start: Lab["start"] = async (side, variant) => {
    const config = hostConfig(side, await workers(side, variant), model.url, promptBytes);
    const server = await startServer(config, { pinned });
    started.push(server);
    undo.push(() => server.stop());
    return server;
  };
  const runtime = await start("orrery", "plain");
  const asked = await askedBy(runtime, model.url);
  promptBytes = JSON.stringify(
    Object.fromEntries(Object.entries(asked).map(([role, { promptBytes: bytes }]) => [role, bytes])),
  );
  const yardstick = await start("bare", "plain");
  expectSameCalls(asked, await askedBy(yardstick, model.url));
  const servers = { orrery: runtime, bare: yardstick };
  const cpuMs = () => sum(started.map((server) => server.wholeCpuMs()));
  return { isQuick, isPinned: pinned, modelUrl: model.url, servers, built: { orrery, bare }, cpuMs, start };
}

function hostConfig(side: Side, { config, script }: Built, modelUrl: string, promptBytes: string): HostConfig {
  const vars = { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: "bench", OPENAI_MODEL: "bench" };
  if (side === "bare") return { config, script, vars: { ...vars, PROMPT_BYTES: promptBytes } };
  return {
    config,
    script,
    vars: { ...vars, MAX_MESSAGES_PER_MINUTE: "1000000" },
    migrations: join(ROOT, "migrations"),
  };
}

const DIRECT: Wish = { kind: "direct", tokens: 20, paceMs: 0 };
const PLAN: Wish = { kind: "plan", tokens: 20, paceMs: 0 };

/** What a server asks the model for one direct answer and one plan. */
async function askedBy(server: Server, modelUrl: string): Promise<Asked> {
  const read = async () => (await (await fetch(`${modelUrl}/asked`)).json()) as Asked;
  await read();
  const caller = await Caller.open(server.url);
  await caller.turn(DIRECT);
  await caller.turn(PLAN);
  caller.close();
  return read();
}

/** The two are comparable only while they do the same job. */
function expectSameCalls(orrery: Asked, bare: Asked): void {
  const [ours, theirs] = [orrery, bare].map((asked) =>
    JSON.stringify(Object.entries(asked).toSorted(([a], [b]) => a.localeCompare(b))),
  );
  if (ours !== theirs)
    throw new Error(`Not the same job: the runtime asked ${ours}, the hand-written object ${theirs}`);
}
