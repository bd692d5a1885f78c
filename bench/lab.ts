// What every measurement works with: both Workers built, a scripted model, and servers of either kind.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../scripts/tools.ts";
import { build, type Built } from "./build.ts";
import { Caller } from "./client.ts";
import type { BySide, Side } from "./figure.ts";
import { SIDES } from "./figure.ts";
import type { HostConfig } from "./host.ts";
import { startModel, startServer, type Server } from "./processes.ts";
import type { Wish } from "./wish.ts";

export type Lab = {
  /** Few repetitions: figures come out, but mean little. */
  readonly isQuick: boolean;
  readonly modelUrl: string;
  readonly gzipBytes: BySide<number>;
  /** The servers that measurements share. */
  readonly servers: BySide<Server>;
  /** A server of its own; the caller stops it. `counted`: with a meter on its storage. */
  readonly start: (side: Side, options?: { counted?: boolean }) => Promise<Server>;
  readonly close: () => Promise<void>;
};

type Seen = Readonly<Record<string, { readonly calls: number; readonly promptBytes: number }>>;

const CONFIGS: BySide<string> = { orrery: join(ROOT, "wrangler.toml"), bare: join(import.meta.dirname, "bare", "wrangler.toml") };
const PLAIN: Wish = { kind: "direct", tokens: 20, paceMs: 0 };
const PLANNED: Wish = { kind: "plan", tokens: 20, paceMs: 0 };

export async function openLab(options: { isQuick: boolean; minify: boolean }): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  const stops: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [model, built, meteredBuilt] = await Promise.all([startModel(), buildAll(folder, options.minify), buildMetered(folder)]);
    stops.push(model.stop);
    let promptBytes = "{}";
    const start: Lab["start"] = async (side, { counted = false } = {}) => {
      const { script } = counted ? meteredBuilt[side] : built[side];
      const server = await startServer(hostConfig(side, script, model.url, promptBytes));
      stops.push(() => server.stop());
      return server;
    };
    const orrery = await start("orrery");
    const seen = await askedBy(orrery, model.url);
    promptBytes = JSON.stringify(Object.fromEntries(Object.entries(seen).map(([role, { promptBytes: bytes }]) => [role, bytes])));
    const bare = await start("bare");
    expectSameCalls(seen, await askedBy(bare, model.url));
    const gzipBytes = { orrery: built.orrery.gzipBytes, bare: built.bare.gzipBytes };
    return { isQuick: options.isQuick, modelUrl: model.url, gzipBytes, servers: { orrery, bare }, start, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function buildAll(folder: string, minify: boolean): Promise<BySide<Built>> {
  const [orrery, bare] = await Promise.all(SIDES.map((side) => build(CONFIGS[side], join(folder, side), { minify })));
  if (orrery === undefined || bare === undefined) throw new Error("A Worker was not built");
  return { orrery, bare };
}

async function buildMetered(folder: string): Promise<BySide<Built>> {
  const entries = SIDES.map((side) => ({ side, entry: join(import.meta.dirname, "counted", `${side}.ts`) }));
  const [orrery, bare] = await Promise.all(
    entries.map(({ side, entry }) => build(CONFIGS[side], join(folder, `${side}-counted`), { entry, minify: true })),
  );
  if (orrery === undefined || bare === undefined) throw new Error("A Worker was not built");
  return { orrery, bare };
}

function hostConfig(side: Side, script: string, modelUrl: string, promptBytes: string): HostConfig {
  const vars = { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: "bench", OPENAI_MODEL: "bench" };
  const config = CONFIGS[side];
  if (side === "bare") return { config, script, vars: { ...vars, PROMPT_BYTES: promptBytes } };
  return { config, script, vars, migrations: join(ROOT, "migrations") };
}

/** What a server asks the model for one direct answer and one plan. */
async function askedBy(server: Server, modelUrl: string): Promise<Seen> {
  const ask = async () => (await (await fetch(`${modelUrl}/seen`)).json()) as Seen;
  await ask();
  const caller = await Caller.open(server.url);
  await caller.turn(PLAIN);
  await caller.turn(PLANNED);
  caller.close();
  return ask();
}

/** The two are comparable only while they do the same job. */
function expectSameCalls(orrery: Seen, bare: Seen): void {
  const callsOf = (seen: Seen) => JSON.stringify(Object.entries(seen).map(([role, { calls }]) => [role, calls]).toSorted());
  if (callsOf(orrery) === callsOf(bare)) return;
  throw new Error(`Not the same job: the runtime asked ${callsOf(orrery)}, the hand-written object ${callsOf(bare)}`);
}
