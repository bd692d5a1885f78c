// Messages of MCP: JSON-RPC 2.0, in the stateless version 2026-07-28 and in the earlier versions with a handshake.

import { formatEnglish } from "../../language/messages.ts";
import * as z from "zod";

/** The versions that `initialize` can agree on, newest first. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
/** This version has no handshake: every request contains its version. */
export const STATELESS_VERSION = "2026-07-28";
/** All supported versions, newest first. */
export const PROTOCOL_VERSIONS = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS] as const;

/** Keys of `_meta` in requests and results. */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const IDEMPOTENCY_KEY = "orrery/idempotency-key";
export const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/**
 * Error codes of JSON-RPC 2.0 (section 5.1) and of MCP. `refused` is that of all faults except `internal` and
 * `invalid_request`. `resource` is that of unknown resources before 2026-07-28.
 */
export const RPC_CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  refused: -32_000,
  resource: -32_002,
  headers: -32_020,
  version: -32_022,
} as const;

/** The id of a request, also as the parameter of a notification. */
export const idSchema = z.union([z.string().max(1_024), z.number()]);
const metaSchema = z.looseObject({
  progressToken: idSchema.optional(),
  [VERSION_KEY]: z.string().optional(),
  [CAPABILITIES_KEY]: z.looseObject({}).optional(),
});
const paramsSchema = z.looseObject({ _meta: metaSchema.optional() });

const messageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: idSchema.optional(),
  method: z.string().max(128).optional(),
  params: paramsSchema.optional(),
});

/** The id of a request, which its response repeats. */
export type McpId = z.infer<typeof idSchema>;
export type McpParams = z.infer<typeof paramsSchema>;
/** A request, which requires a response. */
export type McpRequest = {
  readonly id: McpId;
  readonly method: string;
  readonly params: McpParams;
  /** The version in the request; undefined before 2026-07-28. */
  readonly version: string | undefined;
};

/**
 * A parsed message. `cancelled`: the notification that cancels a request. `other`: another notification or a response.
 * Neither gets a response.
 */
export type McpMessage =
  | { readonly kind: "request"; readonly request: McpRequest }
  | { readonly kind: "cancelled"; readonly params: McpParams }
  | { readonly kind: "other" }
  | { readonly kind: "malformed"; readonly id: McpId | null; readonly code: number; readonly reason: string };

/** Parses a message. Never throws. */
export function parseMcpMessage(value: unknown): McpMessage {
  const read = messageSchema.safeParse(value);
  if (!read.success) {
    const { id, inParams } = identifyMalformed(value);
    const path = read.error.issues[0]?.path.join(".") ?? "";
    const code = inParams ? RPC_CODES.params : RPC_CODES.request;
    return {
      kind: "malformed",
      id,
      code,
      reason: path === "" ? formatEnglish("mcp.invalidMessage") : formatEnglish("mcp.invalidMessageAt", { path }),
    };
  }
  const { id, method, params = {} } = read.data;
  if (method === "notifications/cancelled" && id === undefined) return { kind: "cancelled", params };
  if (method === undefined || id === undefined) {
    const isAnswer = id !== undefined && ("result" in read.data || "error" in read.data);
    if (method !== undefined || isAnswer) return { kind: "other" };
    return { kind: "malformed", id: id ?? null, code: RPC_CODES.request, reason: formatEnglish("mcp.methodMissing") };
  }
  return { kind: "request", request: { id, method, params, version: params._meta?.[VERSION_KEY] } };
}

/** Returns the id of a malformed message, if it has a valid one, and whether only its parameters are invalid. */
function identifyMalformed(value: unknown): { id: McpId | null; inParams: boolean } {
  if (typeof value !== "object" || value === null) return { id: null, inParams: false };
  const id = idSchema.safeParse("id" in value ? value.id : undefined);
  const isRequest = messageSchema.omit({ params: true }).safeParse(value).success;
  return { id: id.success ? id.data : null, inParams: isRequest };
}

/**
 * An error that ends a request, with its JSON-RPC code. `status` is the status of the HTTP response, 200 by default;
 * `data` becomes `error.data`.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, { status = 200, data }: { status?: number; data?: object } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** Returns an error response of JSON-RPC. `id` is null if the request has no valid id. */
export function createErrorBody(id: McpId | null, code: number, message: string, data?: object): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
