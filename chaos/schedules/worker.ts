// The runtime with a clock that the run sets, and with its sweep as an HTTP request. The tested code is the deployed
// code; only the platform objects that it receives are wrapped.

import { lookAt, setOffset } from "./clock.ts";
import { Conversation as Real } from "../../src/durable/conversation/conversation.ts";
import worker from "../../src/worker.ts";

export { Analyst, Assistant, Library, Orrery, RateLimiter, Toolsmith } from "../../src/worker.ts";

type Env = ConstructorParameters<typeof Real>[1];

export class Conversation extends Real {
  constructor(ctx: DurableObjectState, bindings: Env) {
    wrapAlarms(ctx.storage);
    super(ctx, bindings);
  }
}

// eslint-disable-next-line import/no-default-export -- the platform requires it
export default {
  async fetch(request, bindings, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/chaos/clock") {
      setOffset(Number(searchParams.get("offset")));
      return new Response("set");
    }
    if (pathname !== "/chaos/sweep") return worker.fetch(request, bindings, ctx);
    try {
      const controller = { cron: "* * * * *", scheduledTime: Date.now(), noRetry: () => undefined };
      await worker.scheduled(controller as unknown as ScheduledController, bindings);
      return new Response("swept");
    } catch (thrown) {
      return new Response(String(thrown), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;

let isWrapped = false;

function wrapAlarms(storage: DurableObjectStorage): void {
  if (isWrapped) return;
  isWrapped = true;
  const proto = Object.getPrototypeOf(storage) as { setAlarm(at: number | Date): Promise<void> };
  // eslint-disable-next-line typescript/unbound-method -- called with the storage as `this`
  const { setAlarm } = proto;
  proto.setAlarm = function (at) {
    return Reflect.apply(setAlarm, this, [lookAt(Number(at))]);
  };
}
