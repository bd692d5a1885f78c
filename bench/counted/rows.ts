// The same Durable Object with a meter on its storage. It writes nothing that it would not write without.

import { countedDatabase } from "./database.ts";

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
      const bindings =
        env.DB === undefined ? env : { ...env, DB: countedDatabase(env.DB, (rows) => (meter.directoryRows += rows)) };
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
  for (const name of ["setAlarm", "deleteAlarm"] as const) wrap(storage, name, () => (meter.alarms += 1));
  // Written past SQL: the meter has no count of these, and nothing here is known to use them.
  for (const name of ["put", "deleteAll", "transaction"]) replace(storage, name, refuse(name));
  replace(storage, "kv", undefined);
}

/** Calls `before` ahead of the method itself. */
function wrap(target: DurableObjectStorage, name: "setAlarm" | "deleteAlarm", before: () => void): void {
  const act = target[name].bind(target) as (...args: unknown[]) => unknown;
  replace(target, name, (...args: unknown[]) => {
    before();
    return act(...args);
  });
}

function refuse(name: string): () => never {
  return () => {
    throw new Error(`The meter cannot count what ${name} writes`);
  };
}

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
}
