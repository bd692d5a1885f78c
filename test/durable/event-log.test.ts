import { runInDurableObject } from "cloudflare:test";
import { createSql } from "../../src/durable/sql.ts";
import { describeEventLog } from "../support/log-contract.ts";
import { openConversation } from "./support.ts";

describeEventLog("a Durable Object's storage", async (run) => {
  await runInDurableObject(openConversation().stub, (_, { storage }) => run(createSql(storage)));
});
