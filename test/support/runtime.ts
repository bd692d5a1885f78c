// The running system, from outside.
//
// It runs under Miniflare in a process group of its own (`host.ts`): the Worker is the one that a deploy
// bundles, and workerd the one that `wrangler dev` runs, but a start takes half a second instead of several,
// which is what makes dozens of kills affordable, and requests reach the Worker without a development proxy in
// between, so that a cut connection is cut where the test cuts it. `npm start` itself has tests of its own.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostConfig } from "./host.ts";
import { startGroup, type ProcessGroup } from "./process-group.ts";
import { freePort } from "./net.ts";
import { migrationStatements, workerOptions, type Deployment } from "./workers.ts";

export type Beside = Pick<Deployment, "config" | "entry"> & Partial<Pick<Deployment, "vars">>;

export type RuntimeOptions = {
  /** Settings, as the environment would give them. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Workers deployed beside the runtime, by the name that each has in its configuration. */
  readonly beside?: Readonly<Record<string, Beside>>;
  /** Agents and MCP servers among them: the binding that the runtime gets besides those of its wrangler.toml, and the place. */
  readonly agents?: Readonly<Record<`AGENT_${string}` | `MCP_${string}`, string>>;
  /** A folder of local storage as `npm start` leaves it (`ORRERY_STATE`), migrated: the runtime works on a copy. */
  readonly storage?: string;
};

export type Runtime = {
  /** The same before and after a kill. */
  readonly url: string;
  /** Where a Worker beside the runtime listens. */
  urlOf(name: string): string;
  /** Where its storage lies. */
  readonly state: string;
  /** Ends every process of the runtime at once. What was stored stays. */
  kill(): Promise<void>;
  /** Starts it again on what was stored. Resolves once it answers. */
  restart(): Promise<void>;
  /** Ends it and forgets what it stored. */
  stop(): Promise<void>;
};

/** One person does in seconds what takes others hours. */
const BUSY = { MAX_MESSAGES_PER_MINUTE: "1000000" };

const RUNTIME: Beside = { config: "wrangler.toml", entry: "src/worker.ts" };

/** Starts the runtime, on new storage if none is given. Rejects with what it printed if it does not come up. */
export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-e2e-"));
  try {
    return await runtimeIn(folder, options);
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function runtimeIn(folder: string, options: RuntimeOptions): Promise<Runtime> {
  const { vars = {}, beside = {}, agents = {}, storage } = options;
  const state = join(folder, "state");
  mkdirSync(state);
  if (storage !== undefined) {
    cpSync(join(storage, "v3"), state, { recursive: true });
    writeFileSync(join(state, "migrated"), "");
  }
  const ports = new Map<string, number>();
  const workers: HostConfig["workers"][number][] = [];
  for (const [name, place] of Object.entries({ orrery: RUNTIME, ...beside })) {
    const port = await freePort();
    const mine =
      name === "orrery" ? { vars: { ...BUSY, ...vars }, services: agents } : { vars: place.vars ?? {}, services: {} };
    workers.push(await workerOptions({ name, ...place, folder: join(folder, name), port, ...mine }));
    ports.set(name, port);
  }
  const urlOf = (name: string) => `http://127.0.0.1:${ports.get(name) ?? 0}`;
  return started({ state, migrations: migrationStatements(), workers }, folder, urlOf);
}

async function started(config: HostConfig, folder: string, urlOf: (name: string) => string): Promise<Runtime> {
  let printed = "";
  let group: ProcessGroup | null = null;
  const program = join(import.meta.dirname, "host.ts");
  const runtime: Runtime = {
    url: urlOf("orrery"),
    urlOf,
    state: config.state,
    async kill() {
      await group?.kill();
      group = null;
    },
    async restart() {
      group ??= startGroup(program, JSON.stringify(config), (text) => (printed += text));
      await group.ready.catch((cause: unknown) => {
        throw new Error(`The runtime did not start:\n${printed}`, { cause });
      });
    },
    async stop() {
      await group?.end();
      group = null;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await runtime.restart().catch(async (thrown: unknown) => {
    await runtime.stop();
    throw thrown;
  });
  return runtime;
}
