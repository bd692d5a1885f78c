// Counts the writes of a Durable Object. The meter itself writes nothing.

import { meterDatabase } from "./database-meter.ts";

export type StorageCounts = {
  /** Rows as the platform counts them, indexes included. */
  readonly rows: number;
  /** Alarms that were set or deleted. Each costs as much as a row. */
  readonly alarms: number;
  /** Rows in the directory (D1). */
  readonly directoryRows: number;
};

type Cursor = { readonly rowsWritten: number };
type Meter = { cursors: Cursor[]; alarms: number; directoryRows: number };
type Bindings = { readonly DB?: D1Database };
type ObjectClass = new (ctx: DurableObjectState, env: never) => object;

const meters = new Map<string, Meter>();

/** Returns a subclass proxy of `Class` that counts the writes of its objects. */
export function withStorageMeter<Class extends ObjectClass>(Class: Class): Class {
  return new Proxy(Class, {
    construct(target, [ctx, env]: [DurableObjectState, Bindings], newTarget): object {
      const meter = getMeter(ctx.id.name ?? "");
      meterStorage(ctx.storage, meter);
      const bindings =
        env.DB === undefined ? env : { ...env, DB: meterDatabase(env.DB, (rows) => (meter.directoryRows += rows)) };
      return Reflect.construct(target, [ctx, bindings], newTarget) as object;
    },
  });
}

/** Returns the writes of the object since the last call, and resets the counts. */
export function takeCounts(name: string): StorageCounts {
  const meter = getMeter(name);
  const { alarms, directoryRows } = meter;
  const rows = meter.cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
  Object.assign(meter, createMeter());
  return { rows, alarms, directoryRows };
}

const createMeter = (): Meter => ({ cursors: [], alarms: 0, directoryRows: 0 });

function getMeter(name: string): Meter {
  const meter = meters.get(name) ?? createMeter();
  meters.set(name, meter);
  return meter;
}

function meterStorage(storage: DurableObjectStorage, meter: Meter): void {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  replace(sql, "exec", (query: string, ...bindings: unknown[]) => {
    const cursor = exec(query, ...bindings);
    // The count of a cursor grows while it is read. Read it at the end.
    meter.cursors.push(cursor);
    return cursor;
  });
  for (const name of ["setAlarm", "deleteAlarm"] as const) wrap(storage, name, () => (meter.alarms += 1));
  // These write without SQL and cannot be counted. No known code uses them.
  for (const name of ["put", "deleteAll", "transaction"]) replace(storage, name, createRefusal(name));
  replace(storage, "kv", undefined);
}

/** Calls `before` and then the method. */
function wrap(target: DurableObjectStorage, name: "setAlarm" | "deleteAlarm", before: () => void): void {
  const method = target[name].bind(target) as (...args: unknown[]) => unknown;
  replace(target, name, (...args: unknown[]) => {
    before();
    return method(...args);
  });
}

function createRefusal(name: string): () => never {
  return () => {
    throw new Error(`The meter cannot count what ${name} writes`);
  };
}

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
}
