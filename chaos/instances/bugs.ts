// Faults that kills of instances have to find: each breaks one promise of listener plans.

import type { Bug } from "../bugs.ts";

const patchOf = (file: string) => (from: string, to: string) => ({ file, from, to });
const run = patchOf("src/core/listeners/run.ts");
const change = patchOf("src/core/listeners/change.ts");
const instances = patchOf("src/durable/instances.ts");

export const BUGS_OF_INSTANCES: readonly Bug[] = [
  {
    name: "take changes up in another order than they were journaled in",
    patches: [
      run("name: `apply:${this.#changes}`,", "name: `apply:${this.#changes}/${(life ??= Math.random())}`,"),
      run(`class Engine {`, `let life: number | undefined;\n\nclass Engine {`),
    ],
  },
  {
    name: "another key for a call that is repeated",
    patches: [
      patchOf("src/agents/kit/mcp-tool.ts")(
        "return { key: `${request.message_id}/",
        "return { key: `${request.message_id}/${Math.random()}/",
      ),
    ],
  },
  {
    name: "forget after a crash which listeners have fired",
    patches: [
      change(
        `if (this.#stateOf(id).status !== "idle" ||`,
        `const { status } = this.#stateOf(id);
    const isForgotten = status === "done" && Date.now() - this.#rest.at > 40;
    if ((status !== "idle" && !isForgotten) ||`,
      ),
    ],
  },
  {
    name: "acknowledge a resumption before it is stored",
    patches: [
      instances(
        `const { seq } = this.#threads.inbox.answer(commandId, { message, request_id: hold.request_id, ...values });`,
        `setTimeout(() => this.#threads.inbox.answer(commandId, { message, request_id: hold.request_id, ...values }), 60);
    const seq = this.#log.last + 1;`,
      ),
    ],
  },
  {
    name: "verify again after a crash",
    patches: [
      patchOf("src/core/verify/verify.ts")(
        `const spec = { name: "verification", scope,`,
        "const spec = { name: `verification/${Math.random()}`, scope,",
      ),
    ],
  },
];
