// The `Model` port over an endpoint for OpenAI chat completions: attempts, retries and timeouts.
//
// `createChatModel` returns one model per endpoint. Calls may run in parallel; they share only `rejectedParams`.
// - A call makes at most `MAX_ATTEMPTS` attempts and retries transient errors only, and only as long as no delta has
//   reached `onDelta`: text that a reader has seen is never repeated here.
// - Each attempt has its own `SilenceWatch` and connection. If an attempt fails, its signal aborts and the connection
//   is closed before the next one starts.
// - The body is read by us instead of an SDK: chunks that arrive together are passed on together, and a stream that
//   ends without an end marker is an error instead of an answer.
// - An endpoint that rejects an optional parameter is called again without it at once, which does not count as an
//   attempt. The parameter is omitted for this model from then on; a format only in this request.

import { APIError } from "openai/error";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ModelCompletion, Model, ModelDelta, ModelRequest } from "../core/ports.ts";
import { computeBackoffMs, sleep, withRetry } from "../lib/retry.ts";
import { SilenceWatch } from "../lib/silence-watch.ts";
import { readCompletion } from "./read-completion.ts";
import type { PostRequest } from "./endpoint-client.ts";
import { encodeRoleHeader, toCompletionParams } from "./completion-request.ts";
import {
  toFinalFailure,
  mapRequestError,
  isInStreamError,
  mapInStreamError,
  isTransient,
  createStalledFailure,
  MAX_RETRY_WAIT_MS,
  type ModelErrorContext,
} from "./model-errors.ts";

/** The maximum number of attempts per call, the first included. */
const MAX_ATTEMPTS = 3;
/** The delays between attempts. */
const BACKOFF = { minMs: 500, maxMs: MAX_RETRY_WAIT_MS };

/** The configuration of one model endpoint. */
export type ModelEndpoint = {
  readonly postRequest: PostRequest;
  /** Returns the name of the model for a role. */
  readonly getModelName: (role: string) => string;
  /** Returns the temperature for a role; undefined for the model's default. */
  readonly getTemperature: (role: string) => number | undefined;
  /** The maximum silence in seconds, before the response and between two batches of its text. */
  readonly silenceSeconds: number;
  /** The maximum size of the output of one call in bytes of UTF-8. */
  readonly maxAnswerBytes: number;
  /** Removes secrets from text that will be logged or quoted. */
  readonly redact: (text: string) => string;
};

/**
 * Optional parameters: some models accept only their default temperature, some endpoints no stream options. The format of
 * the text and the number of calls are checked by code all the same.
 */
const OPTIONAL_PARAMS = ["temperature", "stream_options", "response_format", "parallel_tool_calls"] as const;
type OptionalParam = (typeof OPTIONAL_PARAMS)[number];

/** An endpoint with its state: the parameters that each model has rejected, by the name of the model. */
type ModelEndpointState = ModelEndpoint & { readonly rejectedParams: Map<string, Set<OptionalParam>> };

type DeltaListener = (delta: ModelDelta) => void;

/**
 * Creates a model that sends its requests to `endpoint`. `complete` rejects with a `Failure`: `model_unavailable`
 * after the last failed attempt or if the endpoint is misconfigured, `model_refused` if it rejects the request,
 * `model_interrupted` if the stream broke or was silent, `model_malformed` for an unusable answer; or with the signal's
 * reason. A request with `attempt` > 1 first waits as if it followed a failed attempt.
 */
export function createChatModel(endpoint: ModelEndpoint): Model {
  const state: ModelEndpointState = { ...endpoint, rejectedParams: new Map() };
  return {
    async complete(request, onDelta) {
      let hasDelta = false;
      const listener: DeltaListener = (delta) => {
        hasDelta = true;
        onDelta(delta);
      };
      const { attempt: firstAttempt = 1, signal } = request;
      if (firstAttempt > 1) await sleep(getRetryDelayMs(firstAttempt - 1), signal);
      return await withRetry(
        (attempt) => runAttempt(state, request, listener, Math.max(firstAttempt, attempt)),
        (thrown, attempt) => {
          if (!isTransient(thrown)) return null;
          if (hasDelta || attempt >= MAX_ATTEMPTS) throw toFinalFailure(thrown, hasDelta);
          return getRetryDelayMs(attempt, thrown.retryAfterMs);
        },
        signal,
      );
    },
  };
}

/**
 * Returns the delay in ms after the failed attempt with this number: the delay that the endpoint asked for, otherwise
 * 250 to 500 ms, doubled with each attempt.
 */
export function getRetryDelayMs(attempt: number, retryAfterMs?: number, random = Math.random): number {
  return retryAfterMs ?? computeBackoffMs(attempt, BACKOFF, random);
}

/**
 * Runs attempt number `attempt` and returns its completion. Rejects with a `Failure`
 * or with the caller's abort reason; the connection is closed then.
 */
async function runAttempt(
  state: ModelEndpointState,
  request: ModelRequest,
  onDelta: DeltaListener,
  attempt: number,
): Promise<ModelCompletion> {
  const seconds = state.silenceSeconds;
  const errorContext = { model: request.model ?? state.getModelName(request.role), redact: state.redact };
  const watch = new SilenceWatch(request.signal, { silenceMs: seconds * 1_000 }, (end) =>
    end === "aborted" ? request.signal.reason : createStalledFailure(seconds),
  );
  watch.touch();
  try {
    const response = await sendRequest(state, request, errorContext, watch.signal);
    watch.touch();
    const completion = await readCompletion(response, request, onDelta, watch, {
      isRetry: attempt > 1,
      maxAnswerBytes: state.maxAnswerBytes,
    });
    watch.stop();
    return completion;
  } catch (thrown) {
    watch.abort(thrown);
    throw isInStreamError(thrown) ? mapInStreamError(thrown, errorContext) : thrown;
  }
}

/**
 * Sends the request without the parameters that the model has rejected, until the endpoint accepts it. Ends after at
 * most one rejection per optional parameter.
 */
async function sendRequest(
  state: ModelEndpointState,
  request: ModelRequest,
  errorContext: ModelErrorContext,
  signal: AbortSignal,
): Promise<Response> {
  const { postRequest, getTemperature, rejectedParams } = state;
  const temperature = request.temperature ?? getTemperature(request.role);
  const fullParams = toCompletionParams(request, errorContext.model, temperature);
  const rejected = rejectedParams.get(errorContext.model) ?? new Set();
  rejectedParams.set(errorContext.model, rejected);
  // A format may be rejected because of its schema, which is that of one request.
  let rejectsFormat = false;
  for (;;) {
    const params = omitParams(fullParams, rejectsFormat ? [...rejected, "response_format"] : [...rejected]);
    try {
      return await postRequest(params, encodeRoleHeader(request.role), signal);
    } catch (thrown) {
      const name = OPTIONAL_PARAMS.find((each) => params[each] !== undefined && isParamRejection(thrown, each));
      if (name === undefined) throw signal.aborted ? signal.reason : mapRequestError(thrown, errorContext);
      if (name === "response_format") rejectsFormat = true;
      else rejected.add(name);
    }
  }
}

function omitParams(
  params: ChatCompletionCreateParamsStreaming,
  names: readonly OptionalParam[],
): ChatCompletionCreateParamsStreaming {
  const kept = { ...params };
  for (const name of names) delete kept[name];
  return kept;
}

/** True if the endpoint rejected the request (400 or 422) and its message names the parameter. */
function isParamRejection(thrown: unknown, name: OptionalParam): boolean {
  return (
    thrown instanceof APIError &&
    (thrown.status === 400 || thrown.status === 422) &&
    thrown.message.toLowerCase().includes(name)
  );
}
