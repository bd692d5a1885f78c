// The only access to the database of the directory: it refuses values that the platform would refuse.

import { checkRowSize } from "../lib/row-size.ts";

/** The wrappers by database: one binding per isolate. */
const directories = new WeakMap<D1Database, D1Database>();

/** Returns the database with a check of the size of all bound values, which the local runtime does not make. */
export function openDirectory(database: D1Database): D1Database {
  let directory = directories.get(database);
  if (directory === undefined) directories.set(database, (directory = withSizeCheck(database)));
  return directory;
}

function withSizeCheck(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (query: string) => checkBindings(target.prepare(query));
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Returns the statement. Its `bind` throws for values that do not fit a row. */
function checkBindings(statement: D1PreparedStatement): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  statement.bind = (...values: unknown[]) => {
    checkRowSize(values);
    return bind(...values);
  };
  return statement;
}
