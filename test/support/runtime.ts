// Starts and controls the complete system for end-to-end tests.
//
// Miniflare in this process (`runtime-host.ts`) starts the workerd of `wrangler dev` with the bundled Worker of a
// deployment. A start costs little more than that of workerd, which makes dozens of kills affordable. There is no
// development proxy, so that a test controls exactly where a connection breaks. `npm start` has its own tests.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./net.ts";
import { startHost, type Host, type HostConfig } from "./runtime-host.ts";
import { readMigrationStatements, buildWorkerOptions, RUNTIME_ENTRY, type Deployment } from "./workers.ts";

export type SiblingWorker = Pick<Deployment, "config" | "entry"> & Partial<Pick<Deployment, "vars">>;

export type RuntimeOptions = {
  /** Settings, as environment variables. A Worker without a model endpoint among its own uses the embedded model. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Workers deployed next to the runtime, by their configured names. */
  readonly siblings?: Readonly<Record<string, SiblingWorker>>;
  /** Additional service bindings for agents and MCP servers: binding name → Worker (or `worker#Entrypoint`). */
  readonly agents?: Readonly<Record<`AGENT_${string}` | `MCP_${string}`, string>>;
  /** Omits the embedded model. */
  readonly hasNoModel?: boolean;
  /** Omits the platform's counters of requests. Messages are counted by settings. */
  readonly hasNoRequestLimit?: boolean;
  /** A migrated storage folder of `npm start` (`ORRERY_STATE`). The runtime works on a copy. */
  readonly storage?: string;
};

export type Runtime = {
  /** Stays the same after a kill. */
  readonly url: string;
  /** Returns the URL of a Worker next to the runtime. */
  getUrl(name: string): string;
  /** The storage folder. */
  readonly state: string;
  /** Kills the runtime (SIGKILL). Stored data stays. */
  kill(): Promise<void>;
  /** Restarts the runtime on its storage. Resolves once it responds. */
  restart(): Promise<void>;
  /** Stops the runtime and deletes its storage. */
  stop(): Promise<void>;
};

/** Tests send more messages per minute than a real user. */
const TEST_SETTINGS = { MAX_MESSAGES_PER_MINUTE: "1000000" };

const RUNTIME: SiblingWorker = { config: "wrangler.toml", entry: RUNTIME_ENTRY };
const EMBEDDED: SiblingWorker = { config: "src/embedded/wrangler.toml", entry: "src/embedded/worker.ts" };
const EMBEDDED_NAME = "orrery-embedded";

/** Starts the runtime, by default on empty storage. Rejects with its errors if it does not start. */
export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-e2e-"));
  try {
    return await prepareRuntime(folder, options);
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function prepareRuntime(folder: string, options: RuntimeOptions): Promise<Runtime> {
  const { vars = {}, siblings = {}, agents = {}, hasNoModel = false, hasNoRequestLimit = false, storage } = options;
  const needsEmbedded = (settings: SiblingWorker["vars"]) => !hasNoModel && !hasModelEndpoint(settings);
  const getModelService = (settings: SiblingWorker["vars"]): Readonly<Record<string, string>> =>
    needsEmbedded(settings) ? { EMBEDDED_MODEL: EMBEDDED_NAME } : {};
  const isEmbedded = [vars, ...Object.values(siblings).map((sibling) => sibling.vars)].some(needsEmbedded);
  const embedded = isEmbedded ? { [EMBEDDED_NAME]: EMBEDDED } : {};
  const state = join(folder, "state");
  mkdirSync(state);
  if (storage !== undefined) {
    cpSync(join(storage, "v3"), state, { recursive: true });
    writeFileSync(join(state, "migrated"), "");
  }
  const ports = new Map<string, number>();
  const workers: HostConfig["workers"][number][] = [];
  for (const [name, definition] of Object.entries({ orrery: RUNTIME, ...siblings, ...embedded })) {
    const port = await findFreePort();
    const bindings =
      name === "orrery"
        ? { vars: { ...TEST_SETTINGS, ...vars }, services: { ...getModelService(vars), ...agents } }
        : { vars: definition.vars ?? {}, services: name === EMBEDDED_NAME ? {} : getModelService(definition.vars) };
    const worker = await buildWorkerOptions({ name, ...definition, folder: join(folder, name), port, ...bindings });
    workers.push(hasNoRequestLimit ? { ...worker, ratelimits: {} } : worker);
    ports.set(name, port);
  }
  const getUrl = (name: string) => `http://127.0.0.1:${ports.get(name) ?? 0}`;
  return launchRuntime({ state, migrations: readMigrationStatements(), workers }, folder, getUrl);
}

function hasModelEndpoint(vars: SiblingWorker["vars"] = {}): boolean {
  return vars["OPENAI_API_KEY"] !== undefined || vars["OPENAI_BASE_URL"] !== undefined;
}

async function launchRuntime(config: HostConfig, folder: string, getUrl: (name: string) => string): Promise<Runtime> {
  let host: Promise<Host> | null = null;
  const kill = async () => {
    const running = host;
    host = null;
    await (await running)?.kill();
  };
  const runtime: Runtime = {
    url: getUrl("orrery"),
    getUrl,
    state: config.state,
    kill,
    async restart() {
      await (host ??= startHost(config));
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await runtime.restart();
  return runtime;
}
