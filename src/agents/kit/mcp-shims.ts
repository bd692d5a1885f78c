// Replaces the platform part of the MCP client in the bundle (wrangler.toml, `alias`). The original contains an
// unused JSON Schema validator and builds all schemas of the protocol when the Worker starts.

export const CORS_IS_POSSIBLE = false;

/** Never instantiated: the client receives another validator. */
export class DefaultJsonSchemaValidator {}
