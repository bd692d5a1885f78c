// Stands in the bundle for the platform part of the MCP client, which brings a validator of JSON Schema that is not used
// here and builds all schemas of the protocol when the Worker starts (wrangler.toml, `alias`).

export const CORS_IS_POSSIBLE = false;

/** Never made: the client is given another. */
export class DefaultJsonSchemaValidator {}
