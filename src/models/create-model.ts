// Creates the model from the settings: the endpoint, the names and temperatures of each role, and the embedded model if
// neither a key nor a base URL is configured.

import type { Model } from "../core/ports.ts";
import type { Settings } from "../settings.ts";
import { createChatModel } from "./chat-model.ts";
import { EMBEDDED_MODEL, fetchEmbedded } from "../embedded/embedded-fetch.ts";
import { createPostRequest } from "./endpoint-client.ts";

/** The model in use, for the health check and the UI. */
export type ModelInfo = { readonly name: string; readonly kind: "openai" | "embedded" };

const OPENAI_URL = "https://api.openai.com/v1";
/** Never requested: the embedded model answers in-process. `.invalid` is reserved (RFC 2606). */
const EMBEDDED_URL = "https://embedded.invalid/v1";
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

/** Returns the model of these settings; the same object for the same settings. */
export function createModel(settings: Settings): Model {
  const known = modelsBySettings.get(settings);
  if (known !== undefined) return known;
  const key = settings.OPENAI_API_KEY;
  const model = createChatModel({
    postRequest: createPostRequest(
      getEndpointAddress(settings),
      usesEmbeddedModel(settings) ? fetchEmbedded : (input, init) => fetch(input, init),
    ),
    getModelName: (role) => resolveModelName(settings, role),
    getTemperature: (role) => ROLE_TEMPERATURES[role],
    silenceSeconds: settings.MODEL_TIMEOUT_SECONDS,
    redact: (text) => (key === undefined ? text : text.replaceAll(key, "[key]")),
  });
  modelsBySettings.set(settings, model);
  return model;
}

/** Returns the default model, which answers all roles without a model of their own. */
export function getModelInfo(settings: Settings): ModelInfo {
  if (usesEmbeddedModel(settings)) return { name: EMBEDDED_MODEL, kind: "embedded" };
  return { name: settings.OPENAI_MODEL, kind: "openai" };
}

function usesEmbeddedModel({ OPENAI_API_KEY, OPENAI_BASE_URL }: Settings): boolean {
  return OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined;
}

/** Returns the name of the model for a role: its own setting, else the default model. */
export function resolveModelName(settings: Settings, role: string): string {
  if (usesEmbeddedModel(settings)) return EMBEDDED_MODEL;
  return getRoleModelName(settings, role) ?? settings.OPENAI_MODEL;
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

function getEndpointAddress(settings: Settings): { baseUrl: string; key: string } {
  const baseUrl = usesEmbeddedModel(settings) ? EMBEDDED_URL : (settings.OPENAI_BASE_URL ?? OPENAI_URL);
  return { baseUrl, key: settings.OPENAI_API_KEY ?? NO_KEY };
}
