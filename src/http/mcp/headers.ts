// What a request says of itself in its headers too, so that whatever is in between need not read bodies.

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

/** Throws an `RpcError` for a version that is not spoken here, and for headers that say something else than the body. */
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

/** Throws an `RpcError` for a version that is not spoken here, where the header alone tells which it is. */
export function checkVersion(headers: Headers): void {
  const said = headers.get("mcp-protocol-version");
  if (said !== null && !VERSIONS.some((known) => known === said)) throw unknownVersion(said);
}

/** Before 2026-07-28 a request is of the version that was agreed on, which a header repeats. */
function checkHandshake(said: string | null, method: string): void {
  if (said === null || HANDSHAKE_VERSIONS.some((known) => known === said)) return;
  if (said === STATELESS_VERSION) {
    throw new RpcError(CODES.params, `A request of ${said} needs _meta with its version.`, { status: 400 });
  }
  // Whoever shakes hands has agreed on nothing yet.
  if (method !== "initialize") throw unknownVersion(said);
}

function agree(header: string, said: string | null, meant: string): void {
  if (said === meant) return;
  const words = said === null ? "is missing" : "says something else than the body";
  throw new RpcError(CODES.headers, `The header ${header} ${words}.`, { status: 400 });
}

function unknownVersion(requested: string): RpcError {
  const words = `Version ${requested.slice(0, 64)} is not spoken here.`;
  const data = { supported: VERSIONS, requested: requested.slice(0, 64) };
  return new RpcError(CODES.version, words, { status: 400, data });
}

/** What a header cannot carry travels as base64. */
function decoded(value: string | null): string | null {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "") ?? [];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder().decode(fromBase64(base64));
  } catch {
    return value;
  }
}
