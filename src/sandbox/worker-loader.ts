// Runs programs in Worker Loader isolates (see docs/decisions/008-sandbox.md).
//
// Each call loads its own unnamed isolate without bindings and without network, so no state is shared between calls,
// programs or tenants. Calls may run concurrently.
// - `isolate.js` is imported before `tool.js`: it hardens the globals before the program is evaluated.
// - Arguments and outcome cross the border as JSON text, because the isolate is not trusted. The answer is validated.
// - A call ends after `ANSWER_TIMEOUT_MS` even if the isolate does not answer. Then, and when the signal aborts, the
//   isolate is abandoned; the platform's CPU limit ends it.

import * as z from "zod";
import { createFault } from "../protocol/wire/message-error.ts";
import { ISOLATE } from "./isolate.gen.ts";
import { LIMITS } from "./sandbox-limits.ts";
import type { SandboxValue, SandboxOutcome, Sandbox } from "./sandbox.ts";

const COMPATIBILITY_DATE = "2026-10-20";
/**
 * The timeout of the host for a call. It includes the start of the isolate and is much longer than `LIMITS.computing`.
 */
const ANSWER_TIMEOUT_MS = 10_000;

const MAIN_MODULE = [
  'import { WorkerEntrypoint } from "cloudflare:workers";',
  // Must be the first import of code: it hardens the globals.
  'import { run } from "./isolate.js";',
  'import tool from "./tool.js";',
  "export default class extends WorkerEntrypoint { run(given) { return run(tool, given); } }",
].join("\n");

/** The outcome as the isolate reports it, without `ms`. */
const isolateAnswerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("returned"), value: z.unknown() }),
  z.object({ kind: z.literal("failed"), reason: z.enum(["threw", "exhausted", "too_large"]), message: z.string() }),
]);

/** The entrypoint of the loaded worker. */
type IsolateEntrypoint = { run(given: string): Promise<unknown> };

/**
 * Returns a sandbox that uses the Worker Loader binding. Without the binding, each call rejects with an `unavailable`
 * fault that names it. A call without an answer in `ANSWER_TIMEOUT_MS` is `exhausted`.
 */
export function createLoaderSandbox(loader: WorkerLoader | undefined): Sandbox {
  return {
    async run(call) {
      if (loader === undefined) throw createFault("unavailable", "sandbox.loaderMissing");
      call.signal.throwIfAborted();
      const started = Date.now();
      const answer = await waitForAnswer(
        call.signal,
        loadIsolate(loader, call.program.module).run(JSON.stringify(call.args)),
      );
      return answer === null ? createExhaustedOutcome() : parseOutcome(answer, Date.now() - started);
    },
  };
}

/** Loads a new isolate with the module. */
function loadIsolate(loader: WorkerLoader, module: string): IsolateEntrypoint {
  const worker = loader.load({
    compatibilityDate: COMPATIBILITY_DATE,
    mainModule: "main.js",
    modules: { "main.js": { js: MAIN_MODULE }, "isolate.js": { js: ISOLATE }, "tool.js": { js: module } },
    env: {},
    globalOutbound: null,
    limits: { cpuMs: 2 * LIMITS.computing, subRequests: 0 },
  });
  return worker.getEntrypoint() as unknown as IsolateEntrypoint;
}

/** Waits for the answer of the isolate. Null after the timeout. Rejects with the signal's reason when it aborts. */
async function waitForAnswer(signal: AbortSignal, answer: Promise<unknown>): Promise<unknown> {
  let cleanUp = (): void => undefined;
  const timeout = new Promise<null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ANSWER_TIMEOUT_MS);
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
  });
  try {
    return await Promise.race([answer, timeout]);
  } catch (thrown) {
    signal.throwIfAborted();
    return toEngineFailure(thrown);
  } finally {
    cleanUp();
  }
}

/**
 * Converts an error of the engine to an answer: syntax errors and exceeded limits are failures of the program. Throws
 * an `unavailable` fault for all other errors.
 */
function toEngineFailure(thrown: unknown): string {
  const errorText = String(thrown);
  if (/SyntaxError/.test(errorText))
    return JSON.stringify({
      kind: "failed",
      reason: "threw",
      message: errorText.slice(0, 300),
    } satisfies SandboxOutcome);
  if (/exceeded (?:its )?(?:CPU|memory|resource)/i.test(errorText)) return JSON.stringify(createExhaustedOutcome());
  throw createFault("unavailable", "sandbox.engineFailed", { cause: thrown });
}

/** Returns the outcome of a call that the host or the platform has ended. */
function createExhaustedOutcome(): SandboxOutcome {
  return { kind: "failed", reason: "exhausted", message: "It takes too long or too much memory" };
}

/** Parses the answer of the isolate. Throws an `unavailable` fault if it is invalid. */
function parseOutcome(answer: unknown, ms: number): SandboxOutcome {
  const isText = typeof answer === "string";
  if (isText && answer.length > 2 * LIMITS.result)
    return { kind: "failed", reason: "too_large", message: "The result is too large" };
  const read = isolateAnswerSchema.safeParse(isText ? JSON.parse(answer) : null);
  if (!read.success) throw createFault("unavailable", "sandbox.engineFailed");
  return read.data.kind === "returned" ? { kind: "returned", value: read.data.value as SandboxValue, ms } : read.data;
}
