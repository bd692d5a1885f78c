import { describeEventLog } from "../support/log-contract.ts";
import { createInMemorySql } from "../support/sqlite.ts";

describeEventLog("SQLite in memory", (run) => Promise.resolve(run(createInMemorySql())));
