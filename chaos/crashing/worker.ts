// The runtime with a crash at a requested point: before or after its n-th write or external call since it was armed.
// The tested code is the deployed code; only the platform objects that it receives are wrapped.
//
// Owns the armed crash point and the names of the passed points. All objects of the isolate share them; a request to
// `/chaos/arm` sets the point and clears the names.

import { abortIsolate, env } from "cloudflare:workers";
import { Conversation as RealConversation } from "../../src/durable/conversation/conversation.ts";
import { Library as RealLibrary } from "../../src/durable/library/library.ts";
import worker from "../../src/worker.ts";

export { Analyst, Assistant, Orrery, RateLimiter, Toolsmith } from "../../src/worker.ts";

type Env = ConstructorParameters<typeof RealConversation>[1];
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The armed crash point; null before the first request to `/chaos/arm`. */
let armed: { readonly point: number; readonly when: string } | null = null;
/** The names of the points that were passed since the last request to `/chaos/arm`. */
let passed: string[] = [];
/** The states of the Durable Objects, by their storage objects. */
const objects = new WeakMap<object, DurableObjectState>();
/** The nesting depth of transactions. A transaction counts as one write, so there are no points inside it. */
let depth = 0;

export class Conversation extends RealConversation {
  constructor(ctx: DurableObjectState, bindings: Env) {
    instrument(ctx);
    super(ctx, bindings);
  }
}

export class Library extends RealLibrary {
  constructor(...given: ConstructorParameters<typeof RealLibrary>) {
    instrument(given[0]);
    super(...given);
  }
}

export default {
  fetch(request, bindings, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/chaos/")) return worker.fetch(request, bindings, ctx);
    if (pathname === "/chaos/arm") {
      armed = { point: Number(searchParams.get("point")), when: searchParams.get("when") ?? "before" };
      passed = [];
    }
    return Response.json(passed);
  },
} satisfies ExportedHandler<Env>;

/** Passes one point. Returns true if the crash must follow the operation. */
function pass(name: string): boolean {
  if (armed === null || depth > 0) return false;
  passed.push(name);
  if (passed.length !== armed.point) return false;
  if (armed.when === "before") abortIsolate(name);
  return true;
}

function wrap(holder: object, method: string, wrapped: (inner: Method) => Method): void {
  const proto = Object.getPrototypeOf(holder) as Record<string, Method>;
  const inner = proto[method];
  if (inner === undefined) throw new Error(`There is no ${method} to wrap`);
  proto[method] = wrapped(inner);
}

/** Wraps an external call: crashes before it, or once it has been answered. */
function outside(name: string): (inner: Method) => Method {
  return (inner) =>
    async function (...args) {
      const isLast = pass(name);
      const answer = await Reflect.apply(inner, this, args);
      if (isLast) abortIsolate(name);
      return answer;
    };
}

let isInstrumented = false;

/** Wraps writes: crashes before a write, right after it but before its commit, or once it is committed. */
function instrument(ctx: DurableObjectState): void {
  objects.set(ctx.storage, ctx);
  objects.set(ctx.storage.sql, ctx);
  if (isInstrumented) return;
  isInstrumented = true;
  const { storage } = ctx;
  const crash = (written: object, name: string): void => {
    if (armed?.when !== "committed") abortIsolate(name);
    const doomed = objects.get(written);
    if (doomed === undefined) throw new Error("There is no object with this storage");
    // Block all further events of the object: no later code may run before the commit.
    void doomed.blockConcurrencyWhile(async () => {
      await doomed.storage.sync();
      abortIsolate(name);
    });
  };
  wrap(
    storage,
    "transactionSync",
    (inner) =>
      function (...args) {
        const isLast = pass("transaction");
        depth += 1;
        try {
          return Reflect.apply(inner, this, args);
        } finally {
          depth -= 1;
          if (isLast) crash(this as object, "transaction");
        }
      },
  );
  wrap(
    storage.sql,
    "exec",
    (inner) =>
      function (...args) {
        const isLast = !/^\s*SELECT/i.test(String(args[0])) && pass(String(args[0]).trim().slice(0, 40));
        const cursor = Reflect.apply(inner, this, args);
        if (isLast) crash(this as object, "statement");
        return cursor;
      },
  );
  for (const method of ["setAlarm", "deleteAlarm", "put", "delete"]) {
    wrap(
      storage,
      method,
      (inner) =>
        function (...args) {
          const isLast = pass(method);
          const answer = Reflect.apply(inner, this, args);
          if (isLast) crash(this as object, method);
          return answer;
        },
    );
  }
}

const bound = env as unknown as { readonly DB: D1Database; readonly AGENT_ASSISTANT: Fetcher };
for (const method of ["all", "first", "run"]) wrap(bound.DB.prepare("SELECT 1"), method, outside("directory"));
wrap(bound.AGENT_ASSISTANT, "fetch", outside("agent"));
const { fetch: realFetch } = globalThis;
globalThis.fetch = outside("fetch")(realFetch as Method) as typeof fetch;
