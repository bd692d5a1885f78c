// The check of a URL together with the addresses of its host name.
//
// A public name may have a loopback or private address. Such a URL is refused like one that contains the address. If
// the addresses are unknown, the call proceeds. The connection resolves the name again, so the check does not protect
// from a name whose answer changes in between.

import { createMessage, type Message } from "../../language/messages.ts";
import { findUrlProblem, isPublicHost } from "./public-url.ts";

/** Returns the IPv4 and IPv6 addresses of a host name; an empty list if they are unknown. Never rejects. */
export type HostResolver = (name: string) => Promise<readonly string[]>;

type UrlOptions = { readonly allowPrivate: boolean; readonly resolveHost: HostResolver };

/** Returns the problem that `findUrlProblem` finds, or that the name of the host has an address that is not public. */
export async function findAddressProblem(
  url: URL,
  { allowPrivate, resolveHost }: UrlOptions,
): Promise<Message | undefined> {
  const problem = findUrlProblem(url, { allowPrivate });
  if (problem !== undefined || allowPrivate || isAddress(url.hostname)) return problem;
  const addresses = await resolveHost(url.hostname);
  return addresses.every(isPublicAddress) ? undefined : createMessage("url.notPublic");
}

/** True for the hosts of the URL parser that are addresses. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}

/** True for a globally reachable address, in any notation of a resolver. */
function isPublicAddress(address: string): boolean {
  const url = `https://${address.includes(":") ? `[${address}]` : address}/`;
  // The URL parser normalizes addresses, as `isPublicHost` expects.
  return URL.canParse(url) && isPublicHost(new URL(url).hostname);
}
