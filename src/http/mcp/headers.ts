// Validates the headers of MCP requests (version 2026-07-28). They repeat parts of the body, so that proxies can route
// requests without parsing it; a request whose headers contradict its body is refused.

import { fromBase64 } from "../../protocol/base64.ts";
import {
  CAPABILITIES_KEY,
  CODES,
  HANDSHAKE_VERSIONS,
  RpcError,
  STATELESS_VERSION,
  VERSIONS,
  type Request,
} from "./message.ts";

/** Throws an `RpcError` for an unsupported version, for missing headers, and for headers that differ from the body. */
export function checkHeaders({ method, params, version }: Request, headers: Headers): void {
  const said = headers.get("mcp-protocol-version");
  if (version === undefined) return checkHandshake(said, method);
  if (said !== null) agree("MCP-Protocol-Version", said, version);
  if (version !== STATELESS_VERSION) throw unknownVersion(version);
  if (params._meta?.[CAPABILITIES_KEY] === undefined) {
    throw new RpcError(CODES.params, `_meta: ${CAPABILITIES_KEY} is missing`, { status: 400 });
  }
  agree("MCP-Protocol-Version", said, version);
  agree("Mcp-Method", headers.get("mcp-method"), method);
  const { name } = params;
  if (method === "tools/call" && typeof name === "string") agree("Mcp-Name", decoded(headers.get("mcp-name")), name);
}

/** Throws an `RpcError` if the version header is present and not supported. For messages whose body has no version. */
export function checkVersion(headers: Headers): void {
  const said = headers.get("mcp-protocol-version");
  if (said !== null && !VERSIONS.some((known) => known === said)) throw unknownVersion(said);
}

/** Checks the version header of the handshake versions. It repeats the version that `initialize` has agreed on. */
function checkHandshake(said: string | null, method: string): void {
  if (said === null || HANDSHAKE_VERSIONS.some((known) => known === said)) return;
  if (said === STATELESS_VERSION) {
    throw new RpcError(CODES.params, `A request of ${said} needs _meta with its version.`, { status: 400 });
  }
  // `initialize` negotiates the version, so its header may have any value.
  if (method !== "initialize") throw unknownVersion(said);
}

/** Throws an `RpcError` if the header is missing or has another value than the body. */
function agree(header: string, said: string | null, meant: string): void {
  if (said === meant) return;
  const words = said === null ? "is missing" : "says something else than the body";
  throw new RpcError(CODES.headers, `The header ${header} ${words}.`, { status: 400 });
}

/** Creates the error for an unsupported version, with the supported ones. */
function unknownVersion(requested: string): RpcError {
  const words = `Version ${requested.slice(0, 64)} is not spoken here.`;
  const data = { supported: VERSIONS, requested: requested.slice(0, 64) };
  return new RpcError(CODES.version, words, { status: 400, data });
}

/**
 * Decodes a value that was encoded as `=?base64?…?=` because a header cannot contain it. Returns other values
 * unchanged.
 */
function decoded(value: string | null): string | null {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "") ?? [];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder().decode(fromBase64(base64));
  } catch {
    return value;
  }
}
