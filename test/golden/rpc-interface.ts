// Exports the RPC interface under the name that `rpc.test.ts` reads. This file is never run.

export type { OrreryApi as Interface } from "../../src/http/api/rpc.ts";
