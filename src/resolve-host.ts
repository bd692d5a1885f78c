// The addresses of host names from the DNS of the platform: Workers resolve with DNS over HTTPS.
//
// Owns a cache of answers that lives as long as the isolate. It holds values, never promises of other requests. An
// unknown name is cached as well, so that a resolver that does not answer delays only one call in a minute.

import type { HostResolver } from "./lib/urls/address-problem.ts";
import { withTimeout } from "./lib/with-timeout.ts";

const TIMEOUT_MS = 1_000;
const MAX_AGE_MS = 60_000;
const MAX_NAMES = 256;

type CachedAddresses = { readonly addresses: readonly string[]; readonly readAt: number };
const cache = new Map<string, CachedAddresses>();

/** Resolves a name with the DNS of the platform within `TIMEOUT_MS`. */
export const resolveHost: HostResolver = async (name) => {
  const known = cache.get(name);
  if (known !== undefined && Date.now() - known.readAt < MAX_AGE_MS) return known.addresses;
  const addresses = await withTimeout(TIMEOUT_MS, queryAddresses(name)).catch(() => []);
  cache.delete(name);
  cache.set(name, { addresses, readAt: Date.now() });
  const [oldest] = cache.keys();
  if (cache.size > MAX_NAMES && oldest !== undefined) cache.delete(oldest);
  return addresses;
};

async function queryAddresses(name: string): Promise<string[]> {
  const dns = findDns();
  if (dns === undefined) return [];
  const answers = await Promise.allSettled([dns.promises.resolve4(name), dns.promises.resolve6(name)]);
  // An answer may also contain the names of aliases.
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])).filter(isAddressText);
}

function isAddressText(text: string): boolean {
  return text.includes(":") || /^\d+(\.\d+){3}$/.test(text);
}

type Dns = { readonly promises: Record<"resolve4" | "resolve6", (name: string) => Promise<string[]>> };

/** Returns `node:dns`. It is not imported, because agents may run in Workers without the compatibility with Node. */
function findDns(): Dns | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  return process?.getBuiltinModule?.("node:dns") as Dns | undefined;
}
