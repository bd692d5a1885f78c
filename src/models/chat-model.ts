// The model port over chat completions: attempts, their clock, and the way from a request to an answer. The
// answer's body is read here, because what arrives together should be told together, and because a stream
// that ends without saying that it is complete must not pass for an answer.

import type { Completion, Model, ModelDelta, ModelRequest } from "../core/ports.ts";
import { pause, waitMs } from "./backoff.ts";
import { listen } from "./listen.ts";
import { Refused, type Post } from "./post.ts";
import { roleHeader, toParams, type Params } from "./request.ts";
import { faultOf, requestTrouble, SentError, sentTrouble, Setback, stalled, type Asked } from "./trouble.ts";
import { Watch } from "./watch.ts";

const MAX_ATTEMPTS = 3;

export type Endpoint = {
  readonly post: Post;
  readonly modelOf: (role: string) => string;
  /** Undefined leaves it to the model. */
  readonly temperatureOf: (role: string) => number | undefined;
  /** Longest silence before an answer counts as stalled. */
  readonly silenceSeconds: number;
  /** Takes secrets out of what will be logged. */
  readonly redact: (text: string) => string;
};

/** What an answer can do without: some models know only their own temperature, some endpoints no stream options. */
const DISPENSABLE = ["temperature", "stream_options"] as const;
type Dispensable = (typeof DISPENSABLE)[number];

/** `refused` is what each model has refused. */
type Host = Endpoint & { readonly refused: Map<string, Set<Dispensable>> };

type Hear = (delta: ModelDelta) => void;

export function chatModel(endpoint: Endpoint): Model {
  const host: Host = { ...endpoint, refused: new Map() };
  return {
    async complete(request, hear) {
      let hasHeard = false;
      const listener: Hear = (delta) => {
        hasHeard = true;
        hear(delta);
      };
      const { attempt: asked = 1, signal } = request;
      if (asked > 1) await pause(waitMs(asked - 1, undefined, Math.random()), signal);
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted();
        try {
          return await call(host, request, listener, Math.max(asked, attempt));
        } catch (thrown) {
          if (!(thrown instanceof Setback)) throw thrown;
          if (hasHeard || attempt >= MAX_ATTEMPTS) throw faultOf(thrown, hasHeard);
          await pause(waitMs(attempt, thrown.retryAfterMs, Math.random()), signal);
        }
      }
    },
  };
}

/** The attempt of that number. Rejects with a `ModelFault`, a `Setback`, or the caller's reason; its connection is closed then. */
async function call(host: Host, request: ModelRequest, hear: Hear, attempt: number): Promise<Completion> {
  const seconds = host.silenceSeconds;
  const asked = { model: request.model ?? host.modelOf(request.role), redact: host.redact };
  const watch = new Watch(request.signal, seconds * 1_000, () => stalled(seconds));
  try {
    const response = await open(host, request, asked, watch.signal);
    watch.touch();
    const completion = await listen(response, request, hear, watch, attempt > 1);
    watch.stop();
    return completion;
  } catch (thrown) {
    watch.abort(thrown);
    throw thrown instanceof SentError ? sentTrouble(thrown, asked) : thrown;
  }
}

async function open(host: Host, request: ModelRequest, asked: Asked, signal: AbortSignal): Promise<Response> {
  const { post, temperatureOf, refused } = host;
  const temperature = request.temperature ?? temperatureOf(request.role);
  const wanted = toParams(request, asked.model, temperature);
  const known = refused.get(asked.model) ?? new Set();
  refused.set(asked.model, known);
  for (;;) {
    const params = without(wanted, known);
    try {
      return await post(params, roleHeader(request.role), signal);
    } catch (thrown) {
      const name = DISPENSABLE.find((each) => params[each] !== undefined && isAbout(thrown, each));
      if (name === undefined) throw signal.aborted ? signal.reason : requestTrouble(thrown, asked);
      known.add(name);
    }
  }
}

function without({ temperature, stream_options, ...params }: Params, refused: ReadonlySet<Dispensable>): Params {
  return {
    ...params,
    ...(temperature === undefined || refused.has("temperature") ? {} : { temperature }),
    ...(stream_options === undefined || refused.has("stream_options") ? {} : { stream_options }),
  };
}

function isAbout(thrown: unknown, name: Dispensable): boolean {
  return thrown instanceof Refused && [400, 422].includes(thrown.status) && thrown.message.toLowerCase().includes(name);
}
