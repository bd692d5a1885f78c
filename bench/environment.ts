// The environment of the measurements: both Workers built, a scripted model, and servers for either Worker.

import { join } from "node:path";
import { createTemporaryFolder } from "../scripts/temporary-folder.ts";
import { ROOT } from "../scripts/tools.ts";
import { BenchClient } from "./bench-client.ts";
import { sum, type BySide, type Side } from "./figure.ts";
import type { HostConfig } from "./host.ts";
import { pinClients, startModel, startServer, type Server } from "./processes.ts";
import type { Workload } from "./workload.ts";
import { createWorkerBuilder, type BuiltWorker, type Variant } from "./workers.ts";

export type EnvironmentOptions = {
  /** Few repetitions on shared cores. The figures mean little. */
  readonly isQuick: boolean;
  readonly minify?: boolean;
};

export type BenchEnvironment = {
  readonly isQuick: boolean;
  /** Whether the servers have a core to themselves. */
  readonly isPinned: boolean;
  readonly modelUrl: string;
  /** The servers that measurements share. */
  readonly servers: BySide<Server>;
  readonly built: BySide<BuiltWorker>;
  /** CPU time of all servers so far, in milliseconds. */
  readonly cpuMs: () => number;
  /** Starts another server. The caller stops it. */
  readonly start: (side: Side, variant: Variant) => Promise<Server>;
  readonly close: () => Promise<void>;
};

/** Calls and prompt sizes of the model, by role. */
type ModelCallCounts = Readonly<Record<string, { readonly calls: number; readonly promptBytes: number }>>;
type Cleanup = () => Promise<void> | void;

export async function startEnvironment(options: EnvironmentOptions): Promise<BenchEnvironment> {
  const cleanups: Cleanup[] = [];
  const close = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    return { ...(await setUpEnvironment(options, cleanups)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function setUpEnvironment(
  { isQuick, minify = true }: EnvironmentOptions,
  cleanups: Cleanup[],
): Promise<Omit<BenchEnvironment, "close">> {
  const folder = createTemporaryFolder("orrery-bench-");
  const workers = createWorkerBuilder(folder, { minify });
  const model = await startModel();
  cleanups.push(model.stop);
  const [orrery, bare] = await Promise.all([workers("orrery", "plain"), workers("bare", "plain")]);
  const pinned = !isQuick && pinClients(model.pid);
  const startedServers: Server[] = [];
  let promptBytes = "{}";
  const start: BenchEnvironment["start"] = async (side, variant) => {
    const config = createHostConfig(side, await workers(side, variant), model.url, promptBytes);
    const server = await startServer(config, { pinned });
    startedServers.push(server);
    cleanups.push(() => server.stop());
    return server;
  };
  const orreryServer = await start("orrery", "plain");
  const runtimeCalls = await countModelCalls(orreryServer, model.url);
  promptBytes = JSON.stringify(
    Object.fromEntries(Object.entries(runtimeCalls).map(([role, { promptBytes: bytes }]) => [role, bytes])),
  );
  const bareServer = await start("bare", "plain");
  assertSameCalls(runtimeCalls, await countModelCalls(bareServer, model.url));
  const servers = { orrery: orreryServer, bare: bareServer };
  const cpuMs = () => sum(startedServers.map((server) => server.totalCpuMs()));
  return { isQuick, isPinned: pinned, modelUrl: model.url, servers, built: { orrery, bare }, cpuMs, start };
}

function createHostConfig(
  side: Side,
  { config, script }: BuiltWorker,
  modelUrl: string,
  promptBytes: string,
): HostConfig {
  const vars = { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: "bench", OPENAI_MODEL: "bench" };
  if (side === "bare") return { config, script, vars: { ...vars, PROMPT_BYTES: promptBytes } };
  return {
    config,
    script,
    vars: { ...vars, MAX_MESSAGES_PER_MINUTE: "1000000" },
    migrations: join(ROOT, "migrations"),
  };
}

const DIRECT: Workload = { kind: "direct", tokens: 20, paceMs: 0 };
const PLAN: Workload = { kind: "plan", tokens: 20, paceMs: 0 };

/** Counts the model calls of a server for one direct answer and one plan. */
async function countModelCalls(server: Server, modelUrl: string): Promise<ModelCallCounts> {
  const takeCounts = async () => (await (await fetch(`${modelUrl}/calls`)).json()) as ModelCallCounts;
  await takeCounts();
  const client = await BenchClient.openConversation(server.url);
  await client.runTurn(DIRECT);
  await client.runTurn(PLAN);
  client.close();
  return takeCounts();
}

/** Throws if the two Workers make different model calls, because they would not be comparable. */
function assertSameCalls(orrery: ModelCallCounts, bare: ModelCallCounts): void {
  const [orreryCalls, bareCalls] = [orrery, bare].map((calls) =>
    JSON.stringify(Object.entries(calls).toSorted(([a], [b]) => a.localeCompare(b))),
  );
  if (orreryCalls !== bareCalls)
    throw new Error(`The model calls differ: the runtime made ${orreryCalls}, the hand-written object ${bareCalls}`);
}
