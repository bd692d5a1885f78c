// Detects the A2A version of a request and the extensions that it activates.

import { A2A_VERSION_HEADER, Extensions, HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod, LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import { VersionNotSupportedError } from "@a2a-js/sdk/errors";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import { createUnknownMethodError } from "./json-rpc.ts";

export type A2AVersion = "1.0" | "0.3";

/**
 * Returns the version of a request. The version comes from the header or the query; without one, the method name
 * decides. (The specification would assume 0.3.) Throws `VersionNotSupportedError` for any other version, and
 * `JsonRpcRequestMalformedError` (method not found) if the method belongs to the other version.
 */
export function detectA2AVersion(request: Request, method: string): A2AVersion {
  const methodVersion = isLegacyJsonRpcMethod(method) ? "0.3" : "1.0";
  const requested =
    request.headers.get(A2A_VERSION_HEADER) ?? new URL(request.url).searchParams.get(A2A_VERSION_HEADER);
  if (requested === null || requested.trim() === "") return methodVersion;
  const [, version] = /^\s*(1(?:\.0)?|0\.3)(?:(?<=\.\d)\.\d+)?\s*$/.exec(requested) ?? [];
  if (version === undefined) {
    const metadata = { requestedVersion: requested.slice(0, 20), supportedVersions: "1.0, 0.3" };
    const message = `A2A 1.0 and 0.3 are spoken here, not ${metadata.requestedVersion}.`;
    throw new VersionNotSupportedError({ message, metadata });
  }
  if ((version === "0.3") !== (methodVersion === "0.3")) throw createUnknownMethodError();
  return methodVersion;
}

/** Returns the response headers that confirm our extension; empty if the client did not request it. */
export function buildExtensionHeaders(request: Request): Readonly<Record<string, string>> {
  const requested = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER].filter((name) =>
    Extensions.parseServiceParameter(request.headers.get(name) ?? undefined).includes(EVENTS_EXTENSION),
  );
  return Object.fromEntries(requested.map((name) => [name, EVENTS_EXTENSION]));
}
