// Entrypoints whose implementation is loaded by the first call.

import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "./env.ts";

type EntrypointClass = new (ctx: ExecutionContext, env: Env) => object;
type Method = (...args: readonly unknown[]) => unknown;

/**
 * Returns the class of an entrypoint whose implementation is loaded by the first call. `methods` are the names of
 * its RPC methods; `fetch` is always one of them.
 */
export function deferEntrypoint(load: () => Promise<unknown>, methods: readonly string[] = []) {
  class DeferredEntrypoint extends WorkerEntrypoint<Env> {}
  for (const name of ["fetch", ...methods]) {
    const value = async function (this: { ctx: ExecutionContext; env: Env }, ...args: readonly unknown[]) {
      const Loaded = (await load()) as EntrypointClass;
      const target = new Loaded(this.ctx, this.env) as Readonly<Record<string, Method | undefined>>;
      return target[name]?.(...args);
    };
    Object.defineProperty(DeferredEntrypoint.prototype, name, { value });
  }
  return DeferredEntrypoint;
}
