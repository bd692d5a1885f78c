// Runs programs in Worker Loader isolates (see docs/decisions/008-sandbox.md).
//
// Each call loads its own unnamed isolate without bindings and without network, so no state is shared between calls,
// programs or tenants. Calls may run concurrently.
// - `isolate.js` is imported before `tool.js`: it hardens the globals before the program is evaluated.
// - Arguments and outcome cross the border as JSON text, because the isolate is not trusted. The answer is validated.
// - A call ends after `ANSWER_TIMEOUT_MS` even if the isolate does not answer. Then, and when the signal aborts, the
//   isolate is abandoned; the platform's CPU limit ends it.

import * as z from "zod";
import { Fault } from "../protocol/fault.ts";
import { ISOLATE } from "./isolate.gen.ts";
import { LIMITS } from "./limits.ts";
import type { Json, Outcome, Sandbox } from "./sandbox.ts";

const COMPATIBILITY_DATE = "2026-10-20";
/**
 * The timeout of the host for a call. It includes the start of the isolate and is much longer than `LIMITS.computing`.
 */
const PATIENCE_MS = 10_000;

const MAIN = [
  'import { WorkerEntrypoint } from "cloudflare:workers";',
  // Must be the first import of code: it hardens the globals.
  'import { run } from "./isolate.js";',
  'import tool from "./tool.js";',
  "export default class extends WorkerEntrypoint { run(given) { return run(tool, given); } }",
].join("\n");

/** The outcome as the isolate reports it, without `ms`. */
const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("returned"), value: z.unknown() }),
  z.object({ kind: z.literal("failed"), reason: z.enum(["threw", "exhausted", "too_large"]), message: z.string() }),
]);

/** The entrypoint of the loaded worker. */
type Runner = { run(given: string): Promise<unknown> };

/**
 * Returns a sandbox that uses the Worker Loader binding. Without the binding, each call rejects with an `unavailable`
 * fault that names it.
 */
export function loaderSandbox(loader: WorkerLoader | undefined): Sandbox {
  return {
    async run(call) {
      if (loader === undefined)
        throw new Fault("unavailable", "Code cannot run here: the Worker Loader binding LOADER is not configured.");
      call.signal.throwIfAborted();
      const started = Date.now();
      const answer = await within(call.signal, load(loader, call.program.module).run(JSON.stringify(call.args)));
      return answer === null ? tooSlow() : outcomeOf(answer, Date.now() - started);
    },
  };
}

/** Loads a new isolate with the module. */
function load(loader: WorkerLoader, module: string): Runner {
  const worker = loader.load({
    compatibilityDate: COMPATIBILITY_DATE,
    mainModule: "main.js",
    modules: { "main.js": { js: MAIN }, "isolate.js": { js: ISOLATE }, "tool.js": { js: module } },
    env: {},
    globalOutbound: null,
    limits: { cpuMs: 2 * LIMITS.computing, subRequests: 0 },
  });
  return worker.getEntrypoint() as unknown as Runner;
}

/** Waits for the answer of the isolate. Null after the timeout. Rejects with the signal's reason when it aborts. */
async function within(signal: AbortSignal, answer: Promise<unknown>): Promise<unknown> {
  let stop = (): void => undefined;
  const stopped = new Promise<null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
  });
  try {
    return await Promise.race([answer, stopped]);
  } catch (thrown) {
    signal.throwIfAborted();
    return refusedBy(thrown);
  } finally {
    stop();
  }
}

/**
 * Converts an error of the engine to an answer: syntax errors and exceeded limits are failures of the program. Throws
 * an `unavailable` fault for all other errors.
 */
function refusedBy(thrown: unknown): string {
  const said = String(thrown);
  if (/SyntaxError/.test(said))
    return JSON.stringify({ kind: "failed", reason: "threw", message: said.slice(0, 300) } satisfies Outcome);
  if (/exceeded (?:its )?(?:CPU|memory|resource)/i.test(said)) return JSON.stringify(tooSlow());
  throw new Fault("unavailable", "The engine that runs code failed. Please try again.", { cause: thrown });
}

/** Returns the outcome of a call that the host or the platform has ended. */
function tooSlow(): Outcome {
  return { kind: "failed", reason: "exhausted", message: "It takes too long or too much memory" };
}

/** Parses the answer of the isolate. Throws an `unavailable` fault if it is invalid. */
function outcomeOf(answer: unknown, ms: number): Outcome {
  const isText = typeof answer === "string";
  if (isText && answer.length > 2 * LIMITS.result)
    return { kind: "failed", reason: "too_large", message: "The result is too large" };
  const read = answerSchema.safeParse(isText ? JSON.parse(answer) : null);
  if (!read.success) throw new Fault("unavailable", "The engine that runs code failed. Please try again.");
  return read.data.kind === "returned" ? { kind: "returned", value: read.data.value as Json, ms } : read.data;
}
