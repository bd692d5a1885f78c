// Faults that the tests in `chaos.ts` and `points.ts` must find. Each fault breaks one invariant of the runtime by a
// small, plausible change of the source. `from` and `to` use identifiers of `src`: after a rename there, update them.

import type { Patch } from "./bundle.ts";

export type Bug = {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The share of conversations that the client leaves before they end (0 to 1); the default if absent. */
  readonly walks?: number;
  /** The share of conversations that use A2A (0 to 1); the default if absent. */
  readonly visits?: number;
  /** The share of conversations of a client of the Responses API (0 to 1); the default if absent. */
  readonly guests?: number;
  /** The share of conversations whose thread makes no progress (0 to 1); the default if absent. */
  readonly stalls?: number;
  /** The share of very long texts (0 to 1); the default if absent. */
  readonly longs?: number;
  /** The number of kills, for a fault that only the checks at the end of a run detect; the default if absent. */
  readonly kills?: number;
};

/** Returns a function that creates patches of one file. The path is relative to the repository. */
export const createPatcher =
  (file: string) =>
  (from: string, to: string): Patch => ({ file, from, to });

const patchConversation = createPatcher("src/durable/conversation/conversation.ts");
const patchThreadSupervisor = createPatcher("src/durable/conversation/threads/thread-supervisor.ts");
const patchAccept = createPatcher("src/durable/conversation/accept.ts");
const patchThreadRun = createPatcher("src/durable/conversation/threads/thread-run.ts");
const patchSteps = createPatcher("src/durable/conversation/threads/steps.ts");
const patchConversationStore = createPatcher("src/durable/conversation/storage/conversation-store.ts");
const patchLease = createPatcher("src/durable/conversation/threads/lease.ts");
const patchEventLog = createPatcher("src/durable/conversation/event-log.ts");
const patchPendingQuestions = createPatcher("src/durable/conversation/pending-questions.ts");
const patchPushNotifications = createPatcher("src/durable/conversation/deliveries/push-notifications.ts");
const patchDeliveryQueue = createPatcher("src/durable/conversation/deliveries/delivery-queue.ts");
const patchA2AEncoder = createPatcher("src/http/a2a/a2a-encoder.ts");

/** Returns a statement that waits for `ms` milliseconds. */
const formatDelay = (ms: number): string => `await new Promise((resolve) => setTimeout(resolve, ${ms}));`;

const FINISH_THREAD = `this.#finish(end);`;
const STORE_STEP_VALUE = `this.#journal.put(spec.name, { value: JSON.stringify(value), since: null });`;
const PUBLISH_STEP_END = `this.#log.publish(closing, this.#createHeadChange(question), () => {`;

/** Publishes the last events of a thread, waits, and stores its end in a second transaction. */
const formatSplitFinish = (ms: number): string =>
  `{ this.#log.publish(end.closing); ${formatDelay(ms)} this.#finish({ ...end, closing: [] }); }`;

/** Publishes the last events of a step, waits, and stores its value in a second transaction. */
const formatSplitStepEnd = (ms: number): string =>
  `this.#log.publish(closing, this.#createHeadChange(question)); ${formatDelay(ms)} this.#log.publish([], undefined, () => {`;

export const BUGS: readonly Bug[] = [
  {
    name: "acknowledge a command before storing it",
    patches: [
      patchAccept(
        `const threadId = createId("th");`,
        `const reserved = arguments[4];
         const threadId = reserved ?? createId("th");
         if (reserved === undefined) {
           setTimeout(() => storeThread(log, store, threads, arguments[3], threadId), 25);
           return { thread_id: threadId, seq: log.lastSeq + 1 };
         }`,
      ),
      patchThreadSupervisor(
        `this.#attempts.addNew(threadId);`,
        `this.#attempts.addNew(threadId); queueMicrotask(() => this.wake());`,
      ),
    ],
  },
  {
    name: "skip deduplication of commands",
    patches: [
      patchAccept(
        `const known = findRepeatedMessage(store, commandId, message);
    if (known !== null) return known;`,
        ``,
      ),
      patchConversationStore(`INSERT INTO command (`, `INSERT OR REPLACE INTO command (`),
    ],
  },
  {
    name: "publish events after a cancellation",
    patches: [
      patchSteps(`const isSilent = (): boolean => isOver || this.#signal.aborted;`, `const isSilent = () => false;`),
      patchThreadRun(
        `abortWithReason(this.#threadController, new StopReason("person", createMessage("turn.cancelled")));
    await this.#over.promise;`,
        `setTimeout(() => this.#threadController.abort(new StopReason("person", createMessage("turn.cancelled"))), 20);`,
      ),
    ],
  },
  {
    name: "store the end of a thread after publishing its last event",
    patches: [patchThreadRun(FINISH_THREAD, formatSplitFinish(10))],
  },
  { name: "omit finished steps from the journal", patches: [patchSteps(STORE_STEP_VALUE, ``)] },
  {
    name: "store a finished step after publishing its events",
    patches: [patchSteps(PUBLISH_STEP_END, formatSplitStepEnd(10))],
  },
  {
    name: "skip the retraction of interrupted steps",
    patches: [patchSteps(`if (startsOver) this.#publishRestart(spec, since);`, ``)],
  },
  {
    name: "assign sequence numbers without reserving them",
    patches: [patchEventLog(`{ ...changed, reserved: reserve }`, `{ ...changed, reserved: this.#sequencer.last }`)],
  },
  {
    name: "store events without broadcasting them",
    patches: [
      patchEventLog(
        `this.#broadcaster.broadcast(commit.frames);`,
        `if (!storesNothing || Math.random() > 0.02) this.#broadcaster.broadcast(commit.frames);`,
      ),
    ],
  },
  {
    name: "accept several answers to one question",
    patches: [
      patchPendingQuestions(`case "open":`, `case "open": case "answered":`),
      patchConversationStore(`if (answered === undefined) throw`, `if (false) throw`),
    ],
  },
  {
    name: "postpone the alarm while the object starts",
    patches: [
      patchConversation(`await this.lifecycle.start().catch(() => undefined);`, ``),
      patchConversation(`onStart(): void {`, `async onStart() { ${formatDelay(100)}`),
    ],
    walks: 1,
  },
  {
    name: "store a push notification after the event that it reports",
    patches: [
      patchPushNotifications(
        `if (notifiable.length === 0 || !this.#store.hasPushes) return undefined;`,
        `if (notifiable.length === 0 || !this.#store.hasPushes) return undefined;
         if (arguments[2] === undefined) {
           setTimeout(() => { Reflect.apply(this.prepareWrite, this, [notifiable, log, true])?.(); }, 25);
           return undefined;
         }`,
      ),
    ],
    visits: 1,
    kills: 60,
  },
  {
    name: "delete a delivery before the receiver confirms it",
    patches: [
      patchDeliveryQueue(
        `const outcome = await sendDelivery(receiver, delivery, {
      now,
      userId,
      settings,
      caller: this.#caller,
      resolveHost: this.#resolveHost,
    });`,
        `this.#store.removeDelivery(delivery.id);
         const outcome = await sendDelivery(receiver, delivery, { now, userId, settings, caller: this.#caller, resolveHost: this.#resolveHost });
         this.#store.addDelivery(delivery.id, delivery.schedule_id, delivery.body, now);`,
      ),
    ],
    visits: 1,
    kills: 60,
  },
  {
    name: "forget the started A2A artifacts after a reconnection",
    patches: [
      patchA2AEncoder(
        `for (const frame of frames) this.encode(frame);`,
        `for (const frame of frames) this.encode(frame); this.#items.clear();`,
      ),
    ],
    visits: 1,
  },
  {
    name: "give up a thread after three deaths of its host",
    patches: [
      patchThreadRun(
        `else if (this.#stop !== undefined) this.#threadController.abort(this.#stop);`,
        `else if (this.thread.attempts > 3) this.#threadController.abort(new StopReason("clock", createMessage("turn.cancelled")));`,
      ),
    ],
  },
  {
    name: "start work without storing a lease",
    patches: [patchLease(`return this.#pushJob(this.#expiresAt);`, `return Promise.resolve();`)],
  },
];

/** Faults that a crash at each crash point must find. */
export const BUGS_OF_POINTS: readonly Bug[] = [
  {
    name: "store a finished step in two transactions",
    patches: [patchSteps(PUBLISH_STEP_END, formatSplitStepEnd(0))],
  },
  {
    name: "end a thread in two transactions",
    patches: [patchThreadRun(FINISH_THREAD, formatSplitFinish(0))],
  },
];
