// Runtimes and a scripted model that all files of a test process share. The files of a process run one after the other,
// so a file may also kill a shared runtime; the next file restarts it. Nothing else may be shared: each file uses its
// own users or conversations.

import { startModelServer, type ModelServer } from "./model-server.ts";
import { startRuntime, type Runtime, type RuntimeOptions } from "./runtime.ts";

/** A runtime that ends with the process. */
export type SharedRuntime = Omit<Runtime, "stop">;

const runtimes = new Map<string, Promise<Runtime>>();
let model: Promise<ModelServer> | null = null;

/** Returns the scripted model of this process. It ends with the process. */
export function shareModel(): Promise<ModelServer> {
  return (model ??= startModelServer());
}

/** Returns the runtime of this process with these options, and starts it if it does not run. */
export async function shareRuntime(options: RuntimeOptions = {}): Promise<SharedRuntime> {
  const key = JSON.stringify(options);
  const starting = runtimes.get(key) ?? startRuntime(options);
  runtimes.set(key, starting);
  const runtime = await starting;
  await runtime.restart();
  return runtime;
}
