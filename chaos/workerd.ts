// Runs the runtime as one bare workerd process: it restarts within a few hundredths of a second, and SIGKILL ends all
// of it.

import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unstable_readConfig } from "wrangler";
import { createTemporaryFolder } from "../scripts/temporary-folder.ts";
import { findFreePort } from "../test/support/net.ts";
import { ROOT } from "../test/support/workers.ts";
import { bundle } from "./bundle.ts";

export type HostOptions = {
  /** The path of the bundled Worker. */
  readonly script: string;
  /** Host and port of the directory server. */
  readonly directory: string;
  /** The settings of the Worker. Without `OPENAI_BASE_URL` among them, the embedded model runs beside it. */
  readonly vars: Readonly<Record<string, string>>;
  /** Further service bindings to entrypoints of the Worker itself, by binding name. */
  readonly entrypoints?: Readonly<Record<string, string>>;
};

export type Host = {
  /** The base URL. It does not change after a kill. */
  readonly url: string;
  /** The folder with the stored state. */
  readonly state: string;
  /**
   * Starts a process on the stored state. Resolves once it answers; rejects if it ends by itself. `more` are settings
   * of this process only.
   */
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills the process. Resolves when it has exited. */
  kill(): Promise<void>;
  /** Resolves when the current process has exited. */
  readonly gone: Promise<void>;
  /** Returns the end of the output, at most `PRINTED_CHARS` UTF-16 units. */
  printed(): string;
  /** Kills the process and deletes the stored state. */
  stop(): Promise<void>;
};

// The workerd binary that `wrangler dev` uses.
const requireFromWrangler = createRequire(import.meta.resolve("wrangler"));
const workerd = requireFromWrangler("workerd") as { readonly default: string };
const CONFIG = unstable_readConfig({ config: join(ROOT, "wrangler.toml") }) as {
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
};
const PRINTED_CHARS = 8_000;
const POLL_MS = 4;

export async function newHost(options: HostOptions): Promise<Host> {
  const folder = createTemporaryFolder("orrery-chaos-");
  const state = join(folder, "state");
  mkdirSync(state);
  copyFileSync(options.script, join(folder, "worker.js"));
  await bundle("src/embedded/worker.ts", join(folder, "embedded.js"));
  const port = await findFreePort();
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
  // The process must not outlive this program, however the program ends. It is killed before its folder is removed.
  process.prependOnceListener("exit", killChild);
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
  // This configuration lacks the rate limiter, which counts messages.
  const settings = Object.entries({ MAX_MESSAGES_PER_MINUTE: "0", ...vars }).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  );
  const services = Object.entries({ AGENT_ASSISTANT: "Assistant", ...entrypoints }).map(
    ([name, entrypoint]) => `(name = ${text(name)}, service = (name = "orrery", entrypoint = ${text(entrypoint)}))`,
  );
  if (vars["OPENAI_BASE_URL"] === undefined) services.push(`(name = "EMBEDDED_MODEL", service = "embedded")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "orrery", worker = .orrery),
    (name = "embedded", worker = .embedded),
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
const embedded :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "embedded.js")],
  compatibilityDate = ${text(date)},
);
`;
}

function text(value: string): string {
  return JSON.stringify(value);
}
