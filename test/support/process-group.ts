// A program and the processes that it starts. They are killed together and end with the test.

import { fork, type ChildProcess } from "node:child_process";

export type ProcessGroup = {
  /** Resolves with the first IPC message of the program; rejects if there is none. */
  readonly ready: Promise<void>;
  /** Kills all processes immediately (SIGKILL). */
  kill(): Promise<void>;
  /** Asks the program to exit and kills it after STOP_TIMEOUT_MS. */
  end(): Promise<void>;
};

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** Starts a TypeScript program that exits when its IPC channel closes, so it ends with this process. */
export function startProcessGroup(program: string, argument: string, onOutput: (text: string) => void): ProcessGroup {
  const child = fork(program, [argument], {
    detached: true,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => onOutput(chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    ready: waitUntilReady(child, ended),
    async kill() {
      killGroup(child);
      await ended;
    },
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
      // Kill processes that outlived the program.
      killGroup(child);
    },
  };
}

function waitUntilReady(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The program did not start in time.")), START_TIMEOUT_MS);
    const settle = (outcome: () => void) => () => {
      clearTimeout(timer);
      outcome();
    };
    child.once("message", settle(resolve));
    child.once(
      "error",
      settle(() => reject(new Error("The program could not be started."))),
    );
    void ended.then(settle(() => reject(new Error("The program exited before it was ready."))));
  });
  ready.catch(() => {});
  return ready;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group exists any more.
  }
}
