// A D1 database that counts written rows. Methods whose writes cannot be counted throw: a silent zero would be wrong.

type CountRows = (rows: number) => void;
type RowsResult = D1Result<Record<string, unknown>>;

const unmetered = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

export function meterDatabase(database: D1Database, count: CountRows): D1Database {
  const countResults = (results: readonly RowsResult[]) =>
    count(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
  const methods = {
    prepare: (query: string) => meterStatement(database.prepare(query), countResults),
    async batch(statements: readonly D1PreparedStatement[]) {
      const results = await database.batch<Record<string, unknown>>(
        statements.map((statement) => unmetered.get(statement) ?? statement),
      );
      countResults(results);
      return results;
    },
  };
  return restrictMethods(database, methods);
}

function meterStatement(
  statement: D1PreparedStatement,
  countResults: (results: readonly RowsResult[]) => void,
): D1PreparedStatement {
  const all = async () => {
    const result = await statement.all<Record<string, unknown>>();
    countResults([result]);
    return result;
  };
  const methods = {
    all,
    run: all,
    bind: (...values: unknown[]) => meterStatement(statement.bind(...values), countResults),
    // `first` of D1 returns no metadata. Take the row from the result of `all`.
    async first(column?: string) {
      const [row] = (await all()).results;
      if (row === undefined) return null;
      return column === undefined ? row : row[column];
    },
  };
  const metered = restrictMethods(statement, methods);
  unmetered.set(metered, statement);
  return metered;
}

/** Returns `target` reduced to these methods. Access to any other property throws. */
function restrictMethods<Target extends object>(target: Target, methods: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(_, name) {
      const method = typeof name === "string" ? methods[name] : undefined;
      // `await` reads `then`.
      if (method !== undefined || name === "then" || typeof name === "symbol") return method;
      throw new Error(`The meter cannot count what ${name} writes`);
    },
  });
}
