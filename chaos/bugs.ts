// Faults that a run has to find: each breaks one promise of the runtime in the way in which it would be broken.

import type { Patch } from "./bundle.ts";

export type Bug = {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The share of conversations that have to be left alone for it to show; else as ever. */
  readonly walks?: number;
  /** The share of those over A2A. */
  readonly visits?: number;
  /** How many kills are enough for it, where it shows in the end. */
  readonly kills?: number;
};

const patchOf = (file: string) => (from: string, to: string) => ({ file: `src/durable/${file}`, from, to });
const conversation = patchOf("conversation.ts");
const threads = patchOf("threads.ts");
const inbox = patchOf("inbox.ts");
const threadRun = patchOf("thread-run.ts");
const steps = patchOf("steps.ts");
const store = patchOf("store.ts");
const lease = patchOf("lease.ts");
const log = patchOf("log.ts");
const openQuestion = patchOf("open-question.ts");
const pushes = patchOf("pushes.ts");
const webhooks = patchOf("webhooks.ts");
const wait = (ms: number): string => `await new Promise((go) => setTimeout(go, ${ms}));`;

const END = `this.#end(end);`;
const KEEP_VALUE = `this.#journal.put(spec.name, { value: JSON.stringify(value), since: null });`;
const CLOSE_STEP = `this.#log.publish(closing, this.#changeBy(asks), () => {`;

export const BUGS: readonly Bug[] = [
  {
    name: "acknowledge before store",
    patches: [
      inbox(
        `const threadId = mint("th");`,
        `const stored = arguments[6];
         const threadId = stored ?? mint("th");
         if (stored === undefined) {
           setTimeout(() => this.#open(commandId, request, draftsOf, kind, also, mark, threadId), 25);
           return { thread_id: threadId, seq: this.#log.last + 1 };
         }`,
      ),
      threads(
        `(threadId) => this.#found.set(threadId, "new"));`,
        `(threadId) => { this.#found.set(threadId, "new"); queueMicrotask(() => this.wake()); });`,
      ),
    ],
  },
  {
    name: "forget the dedupe",
    patches: [
      inbox(
        `const known = this.known(commandId);
    if (known !== null) return known;
    this.#checkRoom();`,
        `this.#checkRoom();`,
      ),
      store(`INSERT INTO command (`, `INSERT OR REPLACE INTO command (`),
    ],
  },
  {
    name: "skip the fence",
    patches: [
      steps(`const isSilent = (): boolean => isOver || this.#signal.aborted;`, `const isSilent = () => false;`),
      threadRun(
        `stop(this.#stop, new Stop("person", "You cancelled this."));
    await this.#over.promise;`,
        `setTimeout(() => this.#stop.abort(new Stop("person", "You cancelled this.")), 20);`,
      ),
    ],
  },
  {
    name: "end a thread twice",
    patches: [threadRun(END, `{ this.#log.publish(end.closing); ${wait(10)} this.#end({ ...end, closing: [] }); }`)],
  },
  { name: "forget the journal", patches: [steps(KEEP_VALUE, ``)] },
  {
    name: "journal after telling",
    patches: [
      steps(
        CLOSE_STEP,
        `this.#log.publish(closing, this.#changeBy(asks)); ${wait(10)} this.#log.publish([], undefined, () => {`,
      ),
    ],
  },
  {
    name: "do not take back",
    patches: [steps(`if (startsOver) this.#startOver(spec, since);`, ``)],
  },
  {
    name: "give out numbers without reserving them",
    patches: [log(`{ ...changed, reserved: reserve }`, `{ ...changed, reserved: this.#book.last }`)],
  },
  {
    name: "store events and never tell them",
    patches: [
      log(
        `this.#audience.tell(commit.frames);`,
        `if (!isSilent || Math.random() > 0.02) this.#audience.tell(commit.frames);`,
      ),
    ],
  },
  {
    name: "answer a question as often as somebody likes",
    patches: [
      openQuestion(`case "open":`, `case "open": case "answered":`),
      store(`if (won === undefined) throw`, `if (false) throw`),
    ],
  },
  {
    name: "put the alarm off while the object starts",
    patches: [
      conversation(`await this.lifecycle.start().catch(() => undefined);`, ``),
      conversation(`onStart(): void {`, `async onStart() { ${wait(100)}`),
    ],
    walks: 1,
  },
  {
    name: "store a notification after what it tells of",
    patches: [
      pushes(
        `if (news.length === 0 || !this.#store.hasPushes) return undefined;`,
        `if (news.length === 0 || !this.#store.hasPushes) return undefined;
         if (arguments[2] === undefined) {
           setTimeout(() => { Reflect.apply(this.writeOf, this, [news, log, true])?.(); }, 25);
           return undefined;
         }`,
      ),
    ],
    visits: 1,
    kills: 60,
  },
  {
    name: "forget a notification before it has arrived",
    patches: [
      webhooks(
        `const outcome = await this.#post(receiver, delivery, now);`,
        `this.#store.remove(delivery.id);
         const outcome = await this.#post(receiver, delivery, now);
         this.#store.add(delivery.id, delivery.schedule_id, delivery.body, now);`,
      ),
    ],
    visits: 1,
    kills: 60,
  },
  {
    name: "forget after a loss which artifacts of A2A had begun",
    patches: [
      {
        file: "src/http/a2a/telling.ts",
        from: `for (const frame of frames) this.hear(frame);`,
        to: `for (const frame of frames) this.hear(frame); this.#made.clear();`,
      },
    ],
    visits: 1,
  },
  { name: "no lease", patches: [lease(`return this.#set(this.#until);`, `return Promise.resolve();`)] },
];

/** Faults that a crash at every point has to find. */
export const BUGS_OF_POINTS: readonly Bug[] = [
  {
    name: "two transactions for one step",
    patches: [
      steps(
        CLOSE_STEP,
        `this.#log.publish(closing, this.#changeBy(asks)); ${wait(0)} this.#log.publish([], undefined, () => {`,
      ),
    ],
  },
  {
    name: "two transactions for the end",
    patches: [threadRun(END, `{ this.#log.publish(end.closing); ${wait(0)} this.#end({ ...end, closing: [] }); }`)],
  },
];
