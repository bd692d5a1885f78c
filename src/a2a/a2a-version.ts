// Detects the A2A version of a request and the extensions that it activates.

import { A2A_VERSION_HEADER, Extensions, HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod, LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import { VersionNotSupportedError } from "@a2a-js/sdk/errors";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import { createUnknownMethodError } from "./json-rpc.ts";

export type A2AVersion = "1.0" | "0.3";

/**
 * Returns the version of a JSON-RPC request. The version comes from the header or the query; without one, the method name
 * decides. (The specification would assume 0.3.) Throws `VersionNotSupportedError` for any other version, and
 * `JsonRpcRequestMalformedError` (method not found) if the method belongs to the other version.
 */
export function detectA2AVersion(request: Request, method: string): A2AVersion {
  const methodVersion = isLegacyJsonRpcMethod(method) ? "0.3" : "1.0";
  const requested = parseRequestedVersion(request, ["1.0", "0.3"]);
  if (requested !== undefined && requested !== methodVersion) throw createUnknownMethodError();
  return methodVersion;
}

/**
 * Returns the version in the header or the query of a request; undefined without one. Throws a
 * `VersionNotSupportedError` if it is not one of the supported versions.
 */
export function parseRequestedVersion(request: Request, supported: readonly A2AVersion[]): A2AVersion | undefined {
  const requested =
    request.headers.get(A2A_VERSION_HEADER) ?? new URL(request.url).searchParams.get(A2A_VERSION_HEADER);
  if (requested === null || requested.trim() === "") return undefined;
  const [, number] = /^\s*(1(?:\.0)?|0\.3)(?:(?<=\.\d)\.\d+)?\s*$/.exec(requested) ?? [];
  const version = number === "1" ? "1.0" : (number as A2AVersion | undefined);
  if (version !== undefined && supported.includes(version)) return version;
  const metadata = { requestedVersion: requested.slice(0, 20), supportedVersions: supported.join(", ") };
  const message = `This interface supports A2A ${supported.join(" and ")}, not ${metadata.requestedVersion}.`;
  throw new VersionNotSupportedError({ message, metadata });
}

/** Returns the response headers that confirm our extension; empty if the client did not request it. */
export function buildExtensionHeaders(request: Request): Readonly<Record<string, string>> {
  const requested = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER].filter((name) =>
    Extensions.parseServiceParameter(request.headers.get(name) ?? undefined).includes(EVENTS_EXTENSION),
  );
  return Object.fromEntries(requested.map((name) => [name, EVENTS_EXTENSION]));
}
