// The store of the OAuth server, in which every key can be looked up. The library makes keys of the ids that a client sends,
// and the store throws for a key that is too long.

import type { Env } from "../../env.ts";

/** The limit of Workers KV for a key, in bytes of UTF-8. */
const MAX_KEY_BYTES = 512;

/** Returns the bindings with a store that has no value for a key above its limit. */
export function withBoundedKeys(env: Env): Env {
  const { OAUTH_KV: store } = env;
  return store === undefined ? env : { ...env, OAUTH_KV: new Proxy(store, { get: getMember }) };
}

function getMember(store: KVNamespace, name: string | symbol): unknown {
  const member: unknown = Reflect.get(store, name, store);
  if (typeof member !== "function") return member;
  return (...args: readonly unknown[]): unknown =>
    name === "get" && isTooLong(args[0]) ? Promise.resolve(null) : Reflect.apply(member, store, args);
}

const isTooLong = (key: unknown): boolean =>
  typeof key === "string" && new TextEncoder().encode(key).length > MAX_KEY_BYTES;
