// The Durable Object of one conversation: a shell that wires its parts and has the entry points of the platform.
//
// Owns the parts that outlive the loaded state. RPC methods are in `operations.ts`, sockets in `socket-handler.ts`.
//
// Invariants:
//   U1. The user id is part of the object's name. No input of a client changes it.
//   L3. A command is stored before its method resolves; the work starts afterwards.
//   - While a thread can run, an alarm is set, also during `alarm` itself.

import { DurableObject } from "cloudflare:workers";
import { Lifecycle, type LifecycleJobContext } from "agents/lifecycle";
import type { Env } from "../../env.ts";
import { ensurePresent } from "../../lib/assert.ts";
import { getSettings } from "../../settings.ts";
import { formatObjectName, parseObjectName } from "../conversation-api.ts";
import { getIsolate } from "../isolate.ts";
import { RateLimitClient } from "../rate-limit/rate-limit-client.ts";
import type { GrantHolderApi } from "../rate-limit/rate-window.ts";
import { withRpcMethods } from "../rpc.ts";
import { createSql } from "../sql.ts";
import { Inbox } from "./accept.ts";
import { Broadcaster } from "./broadcaster.ts";
import { ConversationLoader } from "./conversation-state.ts";
import { createBasePorts } from "./create-ports.ts";
import { DeliveryQueue } from "./deliveries/delivery-queue.ts";
import { PushNotifications } from "./deliveries/push-notifications.ts";
import { WebhookStore } from "./deliveries/webhook-store.ts";
import { DirectorySync, pickSooner } from "./directory-sync.ts";
import { ConversationOperations } from "./operations.ts";
import { SocketHandler } from "./socket-handler.ts";
import { restoreSessions, type ReadLastPing } from "./socket-session.ts";
import { ConversationStore } from "./storage/conversation-store.ts";
import { ScheduleStore } from "./storage/schedule-store.ts";
import { TicketStore } from "./storage/ticket-store.ts";
import { LEASE_MS } from "./threads/lease.ts";
import { ThreadRecords } from "./threads/thread-records.ts";
import { openDirectory } from "../../directory/open-directory.ts";

/** Closes sockets whose token has expired. */
const EXPIRY_JOB = "sockets";

const toRetry = (time: number | null) => (time === null ? undefined : { rescheduleAt: time });

class ConversationObject extends DurableObject<Env> implements GrantHolderApi {
  readonly #settings = getSettings(this.env);
  readonly #name = parseObjectName(ensurePresent(this.ctx.id.name, "the name of the object"));
  readonly #sql = createSql(this.ctx.storage);
  readonly #store = new ConversationStore(this.#sql);
  readonly #schedules = new ScheduleStore(this.#sql);
  readonly #records = new ThreadRecords(this.#sql);
  readonly #readLastPing: ReadLastPing = (socket) =>
    this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null;
  readonly #sockets = restoreSessions(this.ctx.getWebSockets(), this.#readLastPing);
  readonly #broadcaster = new Broadcaster(this.#sockets, this.#settings.MAX_LISTENERS);
  readonly #webhooks = new WebhookStore(this.#sql);
  readonly #tickets = new TicketStore(this.#sql);
  readonly #deliveries = new DeliveryQueue({
    userId: this.#name.userId,
    store: this.#webhooks,
    schedules: this.#schedules,
    settings: this.#settings,
    jobs: () => this.lifecycle.jobs,
    onChanged: () => this.#directorySync.markSchedulesChanged(this.#loader.get().log.head.conversation),
  });
  readonly #pushes = new PushNotifications(this.#name.userId, this.#webhooks, this.#records, this.#settings, () =>
    this.#deliveries.setJob(),
  );
  readonly #directorySync = new DirectorySync(
    openDirectory(this.env.DB),
    () => this.#schedules.list(),
    (time, removed) => this.lifecycle.jobs.push({ id: `index${removed ?? ""}`, fn: "index", time, payload: removed }),
    () => this.#loader.loaded?.log ?? null,
  );
  readonly #loader: ConversationLoader = new ConversationLoader({
    name: this.#name,
    store: this.#store,
    settings: this.#settings,
    basePorts: createBasePorts(this.env, this.#settings, this.#name, {
      list: () => this.#schedules.list(),
      get: () => this.#loader.get().schedules,
    }),
    schedules: this.#schedules,
    jobs: () => this.lifecycle.jobs,
    setAlarm: (time) => this.ctx.storage.setAlarm(time),
    isolate: getIsolate(),
    reset: (reason) => this.ctx.abort(reason),
    broadcaster: this.#broadcaster,
    directorySync: this.#directorySync,
    deliveries: this.#deliveries,
    pushes: this.#pushes,
  });
  /** The time of the job that was set last (ms since the epoch); null if unknown. */
  #expiryJobAt: number | null = null;
  readonly #rateLimit = new RateLimitClient(
    () => this.env.RATE_LIMITER.getByName(this.#name.userId),
    this.#settings.MAX_MESSAGES_PER_MINUTE,
    formatObjectName(this.#name.userId, this.#name.conversationId),
  );
  readonly #inbox = new Inbox({
    loader: this.#loader,
    store: this.#store,
    rateLimit: this.#rateLimit,
    pushes: this.#pushes,
    settings: this.#settings,
  });
  readonly operations = new ConversationOperations({
    name: this.#name,
    loader: this.#loader,
    inbox: this.#inbox,
    store: this.#store,
    records: this.#records,
    pushes: this.#pushes,
    tickets: this.#tickets,
    broadcaster: this.#broadcaster,
    directorySync: this.#directorySync,
    clear: () => [this.#store, this.#schedules, this.#webhooks, this.#tickets].forEach((stored) => stored.clear()),
    cancelAlarm: () => this.lifecycle.jobs.cancel("turns"),
  });
  readonly lifecycle = Lifecycle.install(this).use(
    new SocketHandler(this.ctx, {
      sockets: this.#sockets,
      readLastPing: this.#readLastPing,
      broadcaster: this.#broadcaster,
      settings: this.#settings,
      loader: this.#loader,
      store: this.#store,
      inbox: this.#inbox,
      onExpirySet: () => this.#setExpiryJob(),
    }),
  );

  /** T4. Resumes threads of a host that died as soon as the object is used. */
  onStart(): void {
    this.#loader.find()?.threads.wake();
  }

  /**
   * While this method runs, the lifecycle's alarm is set to 30 s from now, so that a host that dies here is replaced.
   * That is why the lifecycle starts, which takes time, under the alarm that has fired.
   */
  override async alarm(): Promise<void> {
    if ((await this.#loader.loaded?.threads.extendLease()) === true) return;
    // The lifecycle logs a failed start and tries again.
    await this.lifecycle.start().catch(() => undefined);
    await this.lifecycle.alarm();
  }

  /**
   * Runs a due job: `turns` (lease), `deliver` (deliveries), `index` (directory), `sockets` (expiry of tokens). Returns
   * the time of its next run, if any.
   */
  async onJob({ job }: LifecycleJobContext): Promise<undefined | { rescheduleAt: number }> {
    if (job.fn === EXPIRY_JOB) return toRetry(this.#broadcaster.closeExpired(Date.now()));
    const found = this.#loader.find();
    const next = job.fn === "turns" ? found?.threads.handleAlarm() : undefined;
    // The last alarm for a long time ends only after the directory has been updated.
    if (job.fn === "turns" && (found === null || found.threads.hasWork || this.#directorySync.isUpToDate)) return next;
    // The following calls wait for other services, and a new thread may need an alarm meanwhile.
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS);
    if (job.fn === "deliver") return found === null ? undefined : this.#deliver();
    return pickSooner(
      await this.#directorySync.flush(found?.log.head.conversation ?? null, this.#name, job.payload),
      next,
    );
  }

  async #deliver(): Promise<undefined | { rescheduleAt: number }> {
    return toRetry(await this.#deliveries.deliver(Date.now()));
  }

  /** S8. Sets the job that closes the next socket whose token expires: a socket that is idle receives nothing else. */
  #setExpiryJob(): void {
    const time = this.#broadcaster.closeExpired(Date.now());
    if (time === null || time === this.#expiryJobAt) return;
    this.#expiryJobAt = time;
    this.lifecycle.jobs.push({ id: EXPIRY_JOB, fn: EXPIRY_JOB, time }).catch((thrown: unknown) => {
      this.#expiryJobAt = null;
      console.error("The expiry of a socket could not be arranged", thrown);
    });
  }

  /** RPC of `GrantHolderApi`: returns the number of unused prefetched messages and forgets them. */
  giveBack(): Promise<number> {
    return Promise.resolve(this.#rateLimit.releaseUnused());
  }
}

/** Registered as a Durable Object. Its RPC methods are those of `ConversationOperations`. */
export const Conversation = withRpcMethods(ConversationObject, ConversationOperations);
export type Conversation = InstanceType<typeof Conversation>;
