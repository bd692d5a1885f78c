// Replaces the platform part of the MCP client in the bundle (wrangler.toml, `alias`). The original contains an
// unused JSON Schema validator and builds all schemas of the protocol when the Worker starts.

export const CORS_IS_POSSIBLE = false;

/** Exists only to be imported: the client receives another validator, so nothing instantiates it. */
export class DefaultJsonSchemaValidator {}
