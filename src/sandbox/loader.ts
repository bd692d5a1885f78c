// The engine: a Worker Loader isolate per call, without network, bindings or anything of the host. See
// `docs/decisions/008-sandbox.md` for why this one.

import * as z from "zod";
import { Fault } from "../protocol/fault.ts";
import { ISOLATE } from "./isolate.gen.ts";
import { LIMITS } from "./limits.ts";
import type { Json, Outcome, Sandbox } from "./sandbox.ts";

const COMPATIBILITY_DATE = "2026-10-20";
/** What the host waits for an answer that should take `LIMITS.computing` and a start. */
const PATIENCE_MS = 10_000;

const MAIN = [
  'import { WorkerEntrypoint } from "cloudflare:workers";',
  // First: it takes everything away before the code is evaluated.
  'import { run } from "./isolate.js";',
  'import tool from "./tool.js";',
  "export default class extends WorkerEntrypoint { run(given) { return run(tool, given); } }",
].join("\n");

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("returned"), value: z.unknown() }),
  z.object({ kind: z.literal("failed"), reason: z.enum(["threw", "exhausted", "too_large"]), message: z.string() }),
]);

type Runner = { run(given: string): Promise<unknown> };

/** `loader` is the binding LOADER. Without it every call is refused with what to configure. */
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

/** Null if nothing came in time. Rejects when the signal aborts. */
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

/** What the engine cannot read is the code's fault. */
function refusedBy(thrown: unknown): string {
  const said = String(thrown);
  if (/SyntaxError/.test(said))
    return JSON.stringify({ kind: "failed", reason: "threw", message: said.slice(0, 300) } satisfies Outcome);
  if (/exceeded (?:its )?(?:CPU|memory|resource)/i.test(said)) return JSON.stringify(tooSlow());
  throw new Fault("unavailable", "The engine that runs code failed. Please try again.", { cause: thrown });
}

/** Where the platform counts CPU time and memory, it ends the isolate itself. */
function tooSlow(): Outcome {
  return { kind: "failed", reason: "exhausted", message: "It takes too long or too much memory" };
}

function outcomeOf(answer: unknown, ms: number): Outcome {
  const isText = typeof answer === "string";
  if (isText && answer.length > 2 * LIMITS.result)
    return { kind: "failed", reason: "too_large", message: "The result is too large" };
  const read = answerSchema.safeParse(isText ? JSON.parse(answer) : null);
  if (!read.success) throw new Fault("unavailable", "The engine that runs code failed. Please try again.");
  return read.data.kind === "returned" ? { kind: "returned", value: read.data.value as Json, ms } : read.data;
}
