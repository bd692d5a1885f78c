// The `Model` port over an endpoint for OpenAI chat completions: attempts, retries and timeouts.
//
// `createChatModel` returns one model per endpoint. Calls may run in parallel; they share only `rejectedParams`.
// - A call makes at most `MAX_ATTEMPTS` attempts and retries transient errors only, and only as long as no delta has
//   reached `onDelta`: text that a reader has seen is never repeated here.
// - Each attempt has its own `AttemptWatch` and connection. If an attempt fails, its signal aborts and the connection
//   is closed before the next one starts.
// - The body is read by us instead of an SDK: chunks that arrive together are passed on together, and a stream that
//   ends without an end marker is an error instead of an answer.
// - An endpoint that rejects an optional parameter is called again without it at once, which does not count as an
//   attempt. The parameter is omitted for this model from then on.

import type { Completion, Model, ModelDelta, ModelRequest } from "../core/ports.ts";
import { pause, waitMs } from "./backoff.ts";
import { listen } from "./listen.ts";
import { Refused, type Post } from "./post.ts";
import { roleHeader, toParams, type Params } from "./request.ts";
import { faultOf, requestTrouble, SentError, sentTrouble, Setback, stalled, type Asked } from "./trouble.ts";
import { Watch } from "./watch.ts";

/** The maximum number of attempts per call, the first included. */
const MAX_ATTEMPTS = 3;

/** The configuration of one model endpoint. */
export type Endpoint = {
  readonly post: Post;
  /** Returns the name of the model for a role. */
  readonly modelOf: (role: string) => string;
  /** Returns the temperature for a role; undefined for the model's default. */
  readonly temperatureOf: (role: string) => number | undefined;
  /** The maximum silence in seconds, before the response and between two batches of its text. */
  readonly silenceSeconds: number;
  /** Removes secrets from text that will be logged. */
  readonly redact: (text: string) => string;
};

/** Optional parameters: some models accept only their default temperature, some endpoints no stream options. */
const DISPENSABLE = ["temperature", "stream_options"] as const;
type Dispensable = (typeof DISPENSABLE)[number];

/** An endpoint with its state: the parameters that each model has rejected, by the name of the model. */
type Host = Endpoint & { readonly refused: Map<string, Set<Dispensable>> };

type Hear = (delta: ModelDelta) => void;

/**
 * Creates a model that sends its requests to `endpoint`. `complete` rejects with a `ModelFault`: `model_unavailable`
 * after the last failed attempt, `model_interrupted` if the stream broke after the first delta; or with the signal's
 * reason. A request with `attempt` > 1 first waits as if it followed a failed attempt.
 */
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

/**
 * Runs attempt number `attempt` and returns its completion. Rejects with a `ModelFault`, with a `TransientModelError`,
 * or with the caller's abort reason; the connection is closed then.
 */
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

/**
 * Sends the request without the parameters that the model has rejected, until the endpoint accepts it. Ends after at
 * most one rejection per optional parameter.
 */
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

/** True if the endpoint rejected the request (400 or 422) and its message names the parameter. */
function isAbout(thrown: unknown, name: Dispensable): boolean {
  return thrown instanceof Refused && [400, 422].includes(thrown.status) && thrown.message.toLowerCase().includes(name);
}
