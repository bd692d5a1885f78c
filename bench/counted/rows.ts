// The same Durable Object with a meter on its storage. It writes nothing that it would not write without.

export type Written = {
  /** Rows as the platform counts them, indexes included. */
  readonly rows: number;
  /** Alarms set or cleared: each costs as much as a row. */
  readonly alarms: number;
  /** Rows in the database that crosses conversations. */
  readonly directoryRows: number;
};

type Cursor = { readonly rowsWritten: number };
type Meter = { cursors: Cursor[]; alarms: number; directoryRows: number };
type Bindings = { readonly DB?: D1Database };
type ObjectClass = new (ctx: DurableObjectState, env: never) => object;

const meters = new Map<string, Meter>();

/** `Class` with a meter on what its objects write. */
export function counted<Class extends ObjectClass>(Class: Class): Class {
  return new Proxy(Class, {
    construct(target, [ctx, env]: [DurableObjectState, Bindings], newTarget): object {
      const meter = meterOf(ctx.id.name ?? "");
      watchStorage(ctx.storage, meter);
      const bindings = env.DB === undefined ? env : { ...env, DB: watched(env.DB, meter) };
      return Reflect.construct(target, [ctx, bindings], newTarget) as object;
    },
  });
}

/** What the object of this name has written since it was last asked. */
export function written(name: string): Written {
  const meter = meterOf(name);
  const { alarms, directoryRows } = meter;
  const rows = meter.cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
  Object.assign(meter, EMPTY());
  return { rows, alarms, directoryRows };
}

const EMPTY = (): Meter => ({ cursors: [], alarms: 0, directoryRows: 0 });

function meterOf(name: string): Meter {
  const known = meters.get(name) ?? EMPTY();
  meters.set(name, known);
  return known;
}

function watchStorage(storage: DurableObjectStorage, meter: Meter): void {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  replace(sql, "exec", (query: string, ...bindings: unknown[]) => {
    const cursor = exec(query, ...bindings);
    // A cursor counts while it is read, so it is asked at the end.
    meter.cursors.push(cursor);
    return cursor;
  });
  const [set, clear] = [storage.setAlarm.bind(storage), storage.deleteAlarm.bind(storage)];
  replace(storage, "setAlarm", (at: number | Date) => {
    meter.alarms += 1;
    return set(at);
  });
  replace(storage, "deleteAlarm", () => {
    meter.alarms += 1;
    return clear();
  });
}

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

function watched(database: D1Database, meter: Meter): D1Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "batch") {
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements);
          for (const { meta } of results) meter.directoryRows += meta.rows_written;
          return results;
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
