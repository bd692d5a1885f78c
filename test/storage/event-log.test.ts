import { describeLog } from "../support/log-contract.ts";
import { inMemory } from "../support/sqlite.ts";

describeLog("SQLite in memory", (run) => Promise.resolve(run(inMemory())));
