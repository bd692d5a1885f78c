// The check of user-supplied URLs before the server calls them. Registered URLs are untrusted (server-side request
// forgery), so every URL that is not clearly public is rejected.

import { createMessage, type Message } from "../../language/messages.ts";

/**
 * Returns the reason why the server must not call this URL; undefined for https on port 443 or 8443 of a public host,
 * without credentials. `allowPrivate` also accepts http, private hosts and all ports. The name is not resolved.
 */
export function findUrlProblem(url: URL, options: { readonly allowPrivate: boolean }): Message | undefined {
  if (url.protocol !== "https:" && !(options.allowPrivate && url.protocol === "http:"))
    return createMessage("url.httpsRequired");
  if (url.username !== "" || url.password !== "") return createMessage("url.containsCredentials");
  if (options.allowPrivate) return undefined;
  if (url.port !== "" && url.port !== "8443") return createMessage("url.portNotAllowed");
  return isPublicHost(url.hostname) ? undefined : createMessage("url.notPublic");
}

/**
 * True if the host is a public name or a globally reachable address. `hostname` must come from the URL parser, which
 * normalizes decimal, octal and hexadecimal IPv4 addresses.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, "");
  if (host.startsWith("[")) return isPublicIpv6(host.slice(1, -1));
  const ipv4 = parseIpv4(host);
  if (ipv4 !== undefined) return isPublicIpv4(ipv4);
  return isPublicName(host);
}

const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "onion",
  "test",
  "invalid",
  "example",
  // Public names that resolve to an address contained in the name, or to loopback.
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
];

function isPublicName(host: string): boolean {
  if (!host.includes(".") || !/^[a-z0-9.-]+$/.test(host)) return false;
  return !PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Ranges that the IANA registries mark as not globally reachable: [first address, prefix length]. */
const RESERVED_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

function isPublicIpv4(address: number): boolean {
  return !RESERVED_IPV4.some(([first, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((parseIpv4(first) ?? 0) / size);
  });
}

function parseIpv4(host: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return undefined;
  return host.split(".").reduce((address, part) => address * 256 + Number(part), 0);
}

/**
 * True for global unicast (2000::/3) except its reserved ranges and ranges that embed an IPv4 address: documentation,
 * Teredo, 6to4, ORCHID.
 */
function isPublicIpv6(host: string): boolean {
  const groups = parseIpv6(host);
  if (groups === undefined) return false;
  const [first = 0, second = 0] = groups;
  if (first < 0x2000 || first > 0x3fff) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

/** Parses the eight groups of an address in the form of the URL parser: no dotted tail, at most one `::`. */
function parseIpv6(host: string): number[] | undefined {
  const [head = "", tail] = host.split("::");
  const parseGroups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const before = parseGroups(head);
  const after = tail === undefined ? [] : parseGroups(tail);
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 0) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => 0), ...after];
  return groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}
