// One system and its storage. A call runs once per idempotency key; repeated calls return the stored result.

import { DurableObject } from "cloudflare:workers";
import { getTools, type ToolData, type Records, type SystemName } from "./tools.ts";

/** A call that succeeded or failed. */
export type SystemCall = {
  readonly system: string;
  readonly tool: string;
  readonly args: ToolData;
  readonly success: boolean;
  readonly at: number;
};

/** The RPC methods of a system. */
export type SystemApi = {
  call(tool: string, args: ToolData, key: string | undefined): Promise<ToolData>;
  calls(): Promise<SystemCall[]>;
  fail(tool: string, times: number): Promise<void>;
  forget(id: string): Promise<boolean>;
};

export class System extends DurableObject {
  readonly #kv = this.ctx.storage.kv;
  readonly #name = (this.ctx.id.name ?? "") as SystemName;

  /** Runs a tool. Throws while `fail` simulates failures of this tool. */
  call(tool: string, args: ToolData, key: string | undefined): ToolData {
    const storedResult = key === undefined ? undefined : this.#kv.get<ToolData>(`done:${key}`);
    if (storedResult !== undefined) return storedResult;
    const remainingFailures = this.#kv.get<number>(`broken:${tool}`) ?? 0;
    this.#log(tool, args, remainingFailures === 0);
    if (remainingFailures > 0) {
      this.#kv.put(`broken:${tool}`, remainingFailures - 1);
      throw new Error(`${tool}: the system is out of order`);
    }
    const result = getTools(this.#name)[tool]?.run(args, this.#records) ?? { success: false };
    if (key !== undefined) this.#kv.put(`done:${key}`, result);
    return result;
  }

  calls(): SystemCall[] {
    return [...this.#kv.list<SystemCall>({ prefix: "call:" })].map(([, call]) => call);
  }

  /** Makes the next `times` calls of a tool fail. */
  fail(tool: string, times: number): void {
    this.#kv.put(`broken:${tool}`, times);
  }

  /** Deletes a record, to simulate a change outside of the workflow. Returns false if it did not exist. */
  forget(id: string): boolean {
    return this.#kv.delete(`record:${id}`);
  }

  #log(tool: string, args: ToolData, success: boolean): void {
    const call: SystemCall = { system: this.#name, tool, args, success, at: Date.now() };
    this.#kv.put(`call:${String(this.#count("calls")).padStart(9, "0")}`, call);
  }

  #count(name: string): number {
    const next = (this.#kv.get<number>(`count:${name}`) ?? 0) + 1;
    this.#kv.put(`count:${name}`, next);
    return next;
  }

  get #records(): Records {
    return {
      get: (id) => this.#kv.get<ToolData>(`record:${id}`),
      put: (id, entry) => this.#kv.put(`record:${id}`, entry),
      all: () => [...this.#kv.list<ToolData>({ prefix: "record:" })].map(([, entry]) => entry),
      next: () => this.#count("records"),
    };
  }
}
