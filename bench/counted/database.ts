// A D1 database with a meter. What the meter cannot count it refuses: a silent zero would be a wrong figure.

type Count = (rows: number) => void;
type Result = D1Result<Record<string, unknown>>;

const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

export function countedDatabase(database: D1Database, count: Count): D1Database {
  const counted = (results: readonly Result[]) => count(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
  const methods = {
    prepare: (query: string) => countedStatement(database.prepare(query), counted),
    async batch(statements: readonly D1PreparedStatement[]) {
      const results = await database.batch<Record<string, unknown>>(statements.map((one) => plain.get(one) ?? one));
      counted(results);
      return results;
    },
  };
  return onlyThese(database, methods);
}

function countedStatement(
  statement: D1PreparedStatement,
  counted: (results: readonly Result[]) => void,
): D1PreparedStatement {
  const all = async () => {
    const result = await statement.all<Record<string, unknown>>();
    counted([result]);
    return result;
  };
  const methods = {
    all,
    run: all,
    bind: (...values: unknown[]) => countedStatement(statement.bind(...values), counted),
    // Its own answer says nothing of what was written, so it is taken out of one that does.
    async first(column?: string) {
      const [row] = (await all()).results;
      if (row === undefined) return null;
      return column === undefined ? row : row[column];
    },
  };
  const watched = onlyThese(statement, methods);
  plain.set(watched, statement);
  return watched;
}

/** `target` with nothing but these methods; any other use throws. */
function onlyThese<Target extends object>(target: Target, methods: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(_, name) {
      const method = typeof name === "string" ? methods[name] : undefined;
      // Asked of everything that is awaited.
      if (method !== undefined || name === "then" || typeof name === "symbol") return method;
      throw new Error(`The meter cannot count what ${name} writes`);
    },
  });
}
