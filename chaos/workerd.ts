// The runtime as one bare workerd process: it is up again within a few hundredths of a second, and SIGKILL ends all of it.

import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unstable_readConfig } from "wrangler";
import { freePort } from "../test/support/net.ts";
import { ROOT } from "../test/support/workers.ts";

export type HostOptions = {
  /** Where the bundled Worker is. */
  readonly script: string;
  /** Host and port of the directory. */
  readonly directory: string;
  /** Settings, as the environment would give them. */
  readonly vars: Readonly<Record<string, string>>;
  /** Entrypoints of the Worker itself by the names of further bindings. */
  readonly entrypoints?: Readonly<Record<string, string>>;
};

export type Host = {
  /** The same before and after a kill. */
  readonly url: string;
  /** The folder of what it stores. */
  readonly state: string;
  /** Starts it on what was stored and resolves once it answers. `more` are settings of this life alone. */
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** Ends it at once. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Resolves when the process is gone by itself. */
  readonly gone: Promise<void>;
  /** What it printed last. */
  printed(): string;
  /** Ends it and forgets what it stored. */
  stop(): Promise<void>;
};

// The one that `wrangler dev` runs, without wrangler.
const requireFromWrangler = createRequire(import.meta.resolve("wrangler"));
const workerd = requireFromWrangler("workerd") as { readonly default: string };
const CONFIG = unstable_readConfig({ config: join(ROOT, "wrangler.toml") }) as {
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
};
const PRINTED_CHARS = 8_000;
const POLL_MS = 4;

export async function newHost(options: HostOptions): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-chaos-"));
  const state = join(folder, "state");
  mkdirSync(state);
  copyFileSync(options.script, join(folder, "worker.js"));
  const port = await freePort();
  const config = join(folder, "config.capnp");
  let child: ChildProcess | null = null;
  let gone = Promise.resolve();
  let printed = "";
  const hear = (text: Buffer) => (printed = (printed + text.toString()).slice(-PRINTED_CHARS));
  const killChild = (): void => void child?.kill("SIGKILL");
  const host: Host = {
    url: `http://127.0.0.1:${port}`,
    state,
    async start(more = {}) {
      writeFileSync(config, configOf(folder, port, { ...options, vars: { ...options.vars, ...more } }));
      const born = spawn(workerd.default, ["serve", "--experimental", config], { stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [born.stdout, born.stderr]) stream.on("data", hear);
      gone = new Promise((resolve) => born.once("exit", () => resolve()));
      child = born;
      let isGone = false;
      void gone.then(() => (isGone = true));
      while (!(await answers(host.url))) {
        if (isGone) throw new Error(`The runtime ended by itself. It had printed:\n${printed}`);
        await sleep(POLL_MS);
      }
    },
    async kill() {
      killChild();
      await gone;
    },
    get gone() {
      return gone;
    },
    printed: () => printed,
    async stop() {
      process.off("exit", killChild);
      await host.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Nothing may outlive this program, however it ends.
  process.once("exit", killChild);
  return host;
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    async (response) => (await response.text()) !== "",
    () => false,
  );
}

function configOf(folder: string, port: number, { directory, vars, entrypoints = {} }: HostOptions): string {
  const { compatibility_date: date, compatibility_flags: flags } = CONFIG;
  // There is no library here to count messages in.
  const settings = Object.entries({ MAX_MESSAGES_PER_MINUTE: "0", ...vars }).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  );
  const services = Object.entries({ AGENT_ASSISTANT: "Assistant", ...entrypoints }).map(
    ([name, entrypoint]) => `(name = ${text(name)}, service = (name = "orrery", entrypoint = ${text(entrypoint)}))`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "orrery", worker = .orrery),
    (name = "state", disk = (path = ${text(join(folder, "state"))}, writable = true)),
    (name = "directory", external = (address = ${text(directory)}, http = ())),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "orrery")],
);
const orrery :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = ${text(date)},
  compatibilityFlags = [${["experimental", ...flags].map(text).join(", ")}],
  bindings = [
    (name = "CONVERSATION", durableObjectNamespace = "Conversation"),
    (name = "DB", wrapped = (
      moduleName = "cloudflare-internal:d1-api",
      innerBindings = [(name = "fetcher", service = "directory")],
    )),
    ${[...services, ...settings].join(",\n    ")}
  ],
  durableObjectNamespaces = [(className = "Conversation", uniqueKey = "conversation", enableSql = true)],
  durableObjectStorage = (localDisk = "state"),
);
`;
}

function text(value: string): string {
  return JSON.stringify(value);
}
