// One system and what it has stored. A call is carried out once, however often it is asked for with the same key.

import { DurableObject } from "cloudflare:workers";
import { toolsOf, type Entry, type Records, type SystemName } from "./tools.ts";

/** A call that was carried out, or failed. */
export type Call = {
  readonly system: string;
  readonly tool: string;
  readonly args: Entry;
  readonly success: boolean;
  readonly at: number;
};

/** What can be asked of a system from elsewhere. */
export type SystemCalls = {
  call(tool: string, args: Entry, key: string | undefined): Promise<Entry>;
  calls(): Promise<Call[]>;
  fail(tool: string, times: number): Promise<void>;
  forget(id: string): Promise<boolean>;
};

export class System extends DurableObject {
  readonly #kv = this.ctx.storage.kv;
  readonly #name = (this.ctx.id.name ?? "") as SystemName;

  /** Throws when the system is out of order, as `fail` may have made it. */
  call(tool: string, args: Entry, key: string | undefined): Entry {
    const known = key === undefined ? undefined : this.#kv.get<Entry>(`done:${key}`);
    if (known !== undefined) return known;
    const broken = this.#kv.get<number>(`broken:${tool}`) ?? 0;
    this.#log(tool, args, broken === 0);
    if (broken > 0) {
      this.#kv.put(`broken:${tool}`, broken - 1);
      throw new Error(`${tool}: the system is out of order`);
    }
    const result = toolsOf(this.#name)[tool]?.run(args, this.#records) ?? { success: false };
    if (key !== undefined) this.#kv.put(`done:${key}`, result);
    return result;
  }

  calls(): Call[] {
    return [...this.#kv.list<Call>({ prefix: "call:" })].map(([, call]) => call);
  }

  /** Lets the next calls of a tool fail. */
  fail(tool: string, times: number): void {
    this.#kv.put(`broken:${tool}`, times);
  }

  /** Makes a record disappear, as somebody might behind everybody's back. */
  forget(id: string): boolean {
    return this.#kv.delete(`record:${id}`);
  }

  #log(tool: string, args: Entry, success: boolean): void {
    const call: Call = { system: this.#name, tool, args, success, at: Date.now() };
    this.#kv.put(`call:${String(this.#count("calls")).padStart(9, "0")}`, call);
  }

  #count(what: string): number {
    const next = (this.#kv.get<number>(`count:${what}`) ?? 0) + 1;
    this.#kv.put(`count:${what}`, next);
    return next;
  }

  get #records(): Records {
    return {
      get: (id) => this.#kv.get<Entry>(`record:${id}`),
      put: (id, entry) => this.#kv.put(`record:${id}`, entry),
      all: () => [...this.#kv.list<Entry>({ prefix: "record:" })].map(([, entry]) => entry),
      next: () => this.#count("records"),
    };
  }
}
