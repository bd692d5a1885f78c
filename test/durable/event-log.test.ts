import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { formatObjectName } from "../../src/durable/conversation-api.ts";
import { createSql } from "../../src/durable/sql.ts";
import type { Env } from "../../src/env.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { describeEventLog } from "../support/log-contract.ts";

const { CONVERSATION } = env as unknown as Env;

describeEventLog("a Durable Object's storage", async (run) => {
  const stub = CONVERSATION.getByName(formatObjectName("log", createId("conv")));
  await runInDurableObject(stub, (_, { storage }) => run(createSql(storage)));
});
