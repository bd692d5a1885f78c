// Creates the model from the settings and the bindings: the endpoint, and the names and temperatures of each role.
//
// A configured key or base URL selects that endpoint; otherwise the binding of the embedded model, if it is present,
// answers; otherwise there is no model, and every call is rejected with the reason.

import type { Model } from "../core/ports.ts";
import { createMessage } from "../language/messages.ts";
import { redactSecretInText } from "../lib/redact-secret.ts";
import type { Settings } from "../settings.ts";
import { createChatModel } from "./chat-model.ts";
import { createPostRequest, type PostRequest } from "./endpoint-client.ts";
import { Failure } from "../protocol/wire/message-error.ts";

/** The model in use, for the health check and the UI. The name is empty if there is none. */
export type ModelInfo = { readonly name: string; readonly kind: "openai" | "embedded" | "none" };

/** The part of an environment that may contain the embedded model (`src/embedded/worker.ts`). */
export type ModelBindings = { readonly EMBEDDED_MODEL?: { readonly fetch: typeof fetch } };

const OPENAI_URL = "https://api.openai.com/v1";
/** Never resolved: the binding receives the requests. `.invalid` is reserved (RFC 2606). */
const EMBEDDED_URL = "https://embedded.invalid/v1";
const EMBEDDED_NAME = "orrery-embedded";
/** Local endpoints need no key, but some require the header. */
const NO_KEY = "none";

/** Temperatures by role; other roles use the model's default. */
const ROLE_TEMPERATURES: Readonly<Record<string, number | undefined>> = {
  router: 0.1,
  blueprint: 0.2,
  page_chat: 0.5,
  chat: 0.7,
};

/**
 * One model per settings object, so that callers share what it has learned about its endpoint. `Settings` objects are
 * cached per isolate and never mutated.
 */
const modelsBySettings = new WeakMap<Settings, Model>();

/** Returns the model of an environment; the same object for the same settings. */
export function createModel(settings: Settings, bindings: ModelBindings): Model {
  const known = modelsBySettings.get(settings);
  if (known !== undefined) return known;
  const model = createModelOfKind(settings, bindings);
  modelsBySettings.set(settings, model);
  return model;
}

function createModelOfKind(settings: Settings, bindings: ModelBindings): Model {
  const postRequest = createRequestSender(settings, bindings);
  if (postRequest === null) return { complete: rejectWithoutModel };
  const key = settings.OPENAI_API_KEY;
  return createChatModel({
    postRequest,
    getModelName: (role) => resolveModelName(settings, bindings, role),
    getTemperature: (role) => ROLE_TEMPERATURES[role],
    silenceSeconds: settings.MODEL_TIMEOUT_SECONDS,
    maxAnswerBytes: settings.MAX_ANSWER_BYTES,
    redact: (text) => (key === undefined ? text : redactSecretInText(text, key)),
  });
}

/** Returns the sender of requests to the model; null if there is no model. */
function createRequestSender(settings: Settings, { EMBEDDED_MODEL }: ModelBindings): PostRequest | null {
  if (hasEndpoint(settings)) {
    const { OPENAI_BASE_URL: baseUrl = OPENAI_URL, OPENAI_API_KEY: key = NO_KEY } = settings;
    return createPostRequest({ baseUrl, key }, (input, init) => fetch(input, init));
  }
  if (EMBEDDED_MODEL === undefined) return null;
  return createPostRequest({ baseUrl: EMBEDDED_URL, key: NO_KEY }, (input, init) => EMBEDDED_MODEL.fetch(input, init));
}

function rejectWithoutModel(): Promise<never> {
  return Promise.reject(
    new Failure("model_not_configured", createMessage("model.notConfigured"), { retryable: false }),
  );
}

/** Returns the default model, which answers all roles without a model of their own. */
export function getModelInfo(settings: Settings, { EMBEDDED_MODEL }: ModelBindings): ModelInfo {
  if (hasEndpoint(settings)) return { name: settings.OPENAI_MODEL, kind: "openai" };
  return EMBEDDED_MODEL === undefined ? { name: "", kind: "none" } : { name: EMBEDDED_NAME, kind: "embedded" };
}

/** Returns the name of the model for a role: its own setting, else the default model. */
export function resolveModelName(settings: Settings, bindings: ModelBindings, role: string): string {
  const { name, kind } = getModelInfo(settings, bindings);
  return kind === "openai" ? (getRoleModelName(settings, role) ?? name) : name;
}

function hasEndpoint({ OPENAI_API_KEY, OPENAI_BASE_URL }: Settings): boolean {
  return OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined;
}

function getRoleModelName(settings: Settings, role: string): string | undefined {
  if (role.startsWith("agent:")) return settings.AGENT_MODEL;
  switch (role) {
    case "triage":
      return settings.TRIAGE_MODEL;
    case "planner":
      return settings.PLANNER_MODEL;
    case "synthesis":
      return settings.SYNTHESIS_MODEL;
    case "router":
      return settings.ROUTER_MODEL;
    case "blueprint":
      return settings.BLUEPRINT_MODEL;
    case "chat":
      return settings.CHAT_MODEL;
    case "page_chat":
      return settings.PAGE_CHAT_MODEL;
    case "compose":
      return settings.COMPOSE_MODEL;
    default:
      return undefined;
  }
}
