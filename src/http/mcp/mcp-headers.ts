// Validates the headers of MCP requests (version 2026-07-28). They repeat parts of the body, so that proxies can route
// requests without parsing it; a request whose headers contradict its body is refused.

import { decodeBase64 } from "../../lib/base64.ts";
import { formatEnglish } from "../../language/messages.ts";
import {
  CAPABILITIES_KEY,
  RPC_CODES,
  HANDSHAKE_VERSIONS,
  RpcError,
  STATELESS_VERSION,
  PROTOCOL_VERSIONS,
  type McpParams,
  type McpRequest,
} from "./mcp-message.ts";

/**
 * Throws an `RpcError` for an unsupported version, for missing headers, and for headers that differ from the body.
 * Requests of the handshake versions need no headers.
 */
export function checkHeaders({ method, params, version }: McpRequest, headers: Headers): void {
  const headerVersion = headers.get("mcp-protocol-version");
  if (version === undefined) return checkHandshakeVersion(headerVersion, method);
  if (headerVersion !== null) checkHeaderValue("MCP-Protocol-Version", headerVersion, version);
  if (version !== STATELESS_VERSION) throw createVersionError(version);
  if (params._meta?.[CAPABILITIES_KEY] === undefined) {
    throw new RpcError(RPC_CODES.params, `_meta: ${CAPABILITIES_KEY} is missing`, { status: 400 });
  }
  checkHeaderValue("MCP-Protocol-Version", headerVersion, version);
  checkHeaderValue("Mcp-Method", headers.get("mcp-method"), method);
  const name = getRoutedName(method, params);
  if (typeof name === "string") checkHeaderValue("Mcp-Name", decodeHeader(headers.get("mcp-name")), name);
}

/** Returns the parameter that the header `Mcp-Name` repeats; undefined for methods without one. */
function getRoutedName(method: string, params: McpParams): unknown {
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return params["name"];
    case "resources/read":
      return params["uri"];
    default:
      return undefined;
  }
}

/** Throws an `RpcError` if the version header is present and not supported. For messages whose body has no version. */
export function checkVersion(headers: Headers): void {
  const headerVersion = headers.get("mcp-protocol-version");
  if (headerVersion !== null && !PROTOCOL_VERSIONS.some((known) => known === headerVersion))
    throw createVersionError(headerVersion);
}

/** Checks the version header of the handshake versions. It repeats the version that `initialize` has agreed on. */
function checkHandshakeVersion(headerVersion: string | null, method: string): void {
  if (headerVersion === null || HANDSHAKE_VERSIONS.some((known) => known === headerVersion)) return;
  if (headerVersion === STATELESS_VERSION) {
    throw new RpcError(RPC_CODES.params, formatEnglish("mcp.versionMissing", { version: headerVersion }), {
      status: 400,
    });
  }
  // `initialize` negotiates the version, so its header may have any value.
  if (method !== "initialize") throw createVersionError(headerVersion);
}

/** Throws an `RpcError` if the header is missing or has another value than the body. */
function checkHeaderValue(header: string, value: string | null, expected: string): void {
  if (value === expected) return;
  const key = value === null ? "mcp.headerMissing" : "mcp.headerMismatch";
  throw new RpcError(RPC_CODES.headers, formatEnglish(key, { header }), { status: 400 });
}

/** Creates the error for an unsupported version, with the supported ones. */
function createVersionError(requested: string): RpcError {
  const sentence = formatEnglish("mcp.versionUnsupported", { version: requested.slice(0, 64) });
  const data = { supported: PROTOCOL_VERSIONS, requested: requested.slice(0, 64) };
  return new RpcError(RPC_CODES.version, sentence, { status: 400, data });
}

/**
 * Decodes a value that was encoded as `=?base64?…?=` because a header cannot contain it. Returns other values
 * unchanged.
 */
function decodeHeader(value: string | null): string | null {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "") ?? [];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder().decode(decodeBase64(base64));
  } catch {
    return value;
  }
}
