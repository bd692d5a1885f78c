// Programs that a test starts and that may start others: they are ended together, and they end with the test.

import { fork, type ChildProcess } from "node:child_process";

export type ProcessGroup = {
  /** Resolves with the program's first message; rejects when there is none. */
  readonly ready: Promise<void>;
  /** Ends all of it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Asks the program to end, and insists after a while. */
  end(): Promise<void>;
};

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** Starts a TypeScript program that ends itself when its IPC channel closes, which it does with this process. */
export function startGroup(program: string, argument: string, hear: (text: string) => void): ProcessGroup {
  const child = fork(program, [argument], {
    detached: true,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => hear(chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    ready: readiness(child, ended),
    async kill() {
      killGroup(child);
      await ended;
    },
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
      // Whoever of the group outlived the program.
      killGroup(child);
    },
  };
}

function readiness(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("It took too long.")), START_TIMEOUT_MS);
    const settle = (outcome: () => void) => () => {
      clearTimeout(timer);
      outcome();
    };
    child.once("message", settle(resolve));
    child.once(
      "error",
      settle(() => reject(new Error("It could not be run."))),
    );
    void ended.then(settle(() => reject(new Error("It ended before it was ready."))));
  });
  ready.catch(() => {});
  return ready;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}
