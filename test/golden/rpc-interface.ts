// Names the interface for other Workers for `rpc.test.ts`, which reads its type and never runs this file.

export type { OrreryApi as Interface } from "../../src/http/rpc-api.ts";
