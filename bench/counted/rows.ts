// The same Durable Object with a meter on its storage: every row that its SQL writes, as the platform counts
// them (indexes included), and every alarm that is set or cleared.

import type { DurableObject } from "cloudflare:workers";

export type Written = {
  /** Rows that SQL wrote. */
  readonly rows: number;
  /** Alarms set or cleared: each costs as much as a row. */
  readonly alarms: number;
};

type Meter = { readonly cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[]; alarms: number };
type ObjectClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

const meters = new Map<string, Meter>();

/** `Class` with a meter. Its objects write nothing they would not write without it. */
export function counted<Env, Class extends ObjectClass<Env>>(Class: Class) {
  // A mixin's constructor must take anything, in TypeScript; the runtime passes these two.
  return class extends (Class as ObjectClass<Env>) {
    constructor(ctx: DurableObjectState, env: Env) {
      meter(ctx);
      super(ctx, env);
    }
  };
}

/** What the object of this name has written since it was last asked. */
export function written(name: string): Written {
  const found = meters.get(name);
  if (found === undefined) return { rows: 0, alarms: 0 };
  const rows = found.cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
  const { alarms } = found;
  found.cursors.length = 0;
  found.alarms = 0;
  return { rows, alarms };
}

function meter(ctx: DurableObjectState): void {
  const name = ctx.id.name ?? "";
  const found = meters.get(name) ?? { cursors: [], alarms: 0 };
  meters.set(name, found);
  const { storage } = ctx;
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  Object.defineProperty(sql, "exec", {
    value: (query: string, ...bindings: unknown[]) => {
      const cursor = exec(query, ...bindings);
      found.cursors.push(cursor);
      return cursor;
    },
  });
  for (const verb of ["setAlarm", "deleteAlarm"] as const) {
    const act = storage[verb].bind(storage) as (...args: unknown[]) => Promise<void>;
    Object.defineProperty(storage, verb, {
      value: (...args: unknown[]) => {
        found.alarms += 1;
        return act(...args);
      },
    });
  }
}
