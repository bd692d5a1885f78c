import { DatabaseSync } from "node:sqlite";
import { checkRowSize } from "../../src/lib/row-size.ts";
import { Sql, type SqlRow } from "../../src/durable/sql.ts";

/** Creates an in-memory SQLite database with the interface of a Durable Object's storage. */
export function createInMemorySql(): Sql {
  const db = new DatabaseSync(":memory:");
  return new Sql({
    exec(query, ...bindings) {
      checkRowSize(bindings);
      if (bindings.length === 0 && query.includes(";")) {
        db.exec(query);
        return [];
      }
      return db.prepare(query).all(...bindings) as SqlRow[];
    },
    transaction(work) {
      db.exec("BEGIN");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (thrown) {
        db.exec("ROLLBACK");
        throw thrown;
      }
    },
  });
}
