// The Durable Object of one user: datasets and pages.
//
// Owns one SQLite database; each store creates its tables with its first row. Every operation completes synchronously
// inside the object, so calls do not interleave.
//
//   U1. The object's name is the user id. No input of a client changes it.

import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { getSettings } from "../../settings.ts";
import { withRpcMethods } from "../rpc.ts";
import { createSql } from "../sql.ts";
import { LibraryOperations } from "./operations.ts";

class LibraryObject extends DurableObject<Env> {
  readonly operations = new LibraryOperations(createSql(this.ctx.storage), getSettings(this.env).MAX_DATASETS);
}

/** Registered as a Durable Object. Its RPC methods are those of `LibraryOperations`. */
export const Library = withRpcMethods(LibraryObject, LibraryOperations);
export type Library = InstanceType<typeof Library>;
