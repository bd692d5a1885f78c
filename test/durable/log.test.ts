import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { objectName } from "../../src/durable/api.ts";
import { sqlOf } from "../../src/durable/sql.ts";
import type { Env } from "../../src/env.ts";
import { mint } from "../../src/protocol/ids.ts";
import { describeLog } from "../support/log-contract.ts";

const { CONVERSATION } = env as unknown as Env;

describeLog("a Durable Object's storage", async (run) => {
  const stub = CONVERSATION.getByName(objectName("log", mint("conv")));
  await runInDurableObject(stub, (_, { storage }) => run(sqlOf(storage)));
});
