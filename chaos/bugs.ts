// Faults that a run has to find: each breaks one promise of the runtime in the way in which it would be broken.

import type { Patch } from "./bundle.ts";

export type Bug = { readonly name: string; readonly patches: readonly Patch[] };

const threads = (from: string, to: string): Patch => ({ file: "src/durable/threads.ts", from, to });
const threadRun = (from: string, to: string): Patch => ({ file: "src/durable/thread-run.ts", from, to });
const store = (from: string, to: string): Patch => ({ file: "src/durable/store.ts", from, to });
const log = (from: string, to: string): Patch => ({ file: "src/durable/log.ts", from, to });
const wait = (ms: number): string => `await new Promise((go) => setTimeout(go, ${ms}));`;

export const BUGS: readonly Bug[] = [
  {
    name: "acknowledge before store",
    patches: [
      threads(
        `const threadId = mint("th");`,
        `const stored = arguments[3];
         const threadId = stored ?? mint("th");
         if (stored === undefined) {
           setTimeout(() => { this.accept(commandId, request, before, threadId); this.wake(); }, 25);
           return { thread_id: threadId, seq: this.#log.last + 1 };
         }`,
      ),
    ],
  },
  {
    name: "forget the dedupe",
    patches: [
      threads(`const known = store.command(commandId);`, `const known = null;`),
      store(`INSERT INTO command (`, `INSERT OR REPLACE INTO command (`),
    ],
  },
  {
    name: "skip the fence",
    patches: [
      threadRun(`if (!isOver && !this.#stop.signal.aborted) this.#log.publish(drafts);`, `this.#log.publish(drafts);`),
      threadRun(
        `this.#stop.abort(new Stop("person", "You cancelled this."));`,
        `setTimeout(() => this.#stop.abort(new Stop("person", "You cancelled this.")), 20);`,
      ),
    ],
  },
  {
    name: "forget a cancellation",
    patches: [threadRun(`if (isCancelled === true) this.cancel();`, `if (false) this.cancel();`)],
  },
  {
    name: "end a thread twice",
    patches: [
      threadRun(
        `this.#end(end.status, end.closing);`,
        `this.#log.publish(end.closing); ${wait(10)} this.#end(end.status, []);`,
      ),
    ],
  },
  {
    name: "forget the journal",
    patches: [threadRun(`() => this.#store.putStep(threadId, spec.name, JSON.stringify(value))`, `() => {}`)],
  },
  {
    name: "journal after telling",
    patches: [
      threadRun(
        `this.#log.publish(closing, undefined, () => this.#store.putStep(threadId, spec.name, JSON.stringify(value)));`,
        `this.#log.publish(closing); ${wait(10)} this.#store.putStep(threadId, spec.name, JSON.stringify(value));`,
      ),
    ],
  },
  {
    name: "do not take back",
    patches: [threadRun(`if (this.#isCatchingUp) this.#startOver(spec);`, ``)],
  },
  {
    name: "give out numbers without reserving them",
    patches: [log(`{ ...changed, reserved: reserve }`, `{ ...changed, reserved: this.#book.last }`)],
  },
  {
    name: "store chunks and never tell them",
    patches: [
      log(
        `this.#audience.tell(commit.frames);`,
        `if (!isSilent || Math.random() > 0.02) this.#audience.tell(commit.frames);`,
      ),
    ],
  },
  {
    name: "no lease",
    patches: [
      threads(
        `return this.#around.jobs().push({ id: "turns", fn: "turns", time: this.#leasedUntil });`,
        `return Promise.resolve();`,
      ),
    ],
  },
];
