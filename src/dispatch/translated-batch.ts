// The events of responses that arrived together.

import type { StreamResponse } from "@a2a-js/sdk";
import { waitForOtherWork } from "../lib/other-work.ts";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import type { A2ATranslator } from "./a2a-translator.ts";
import type { ExchangeWatch } from "./exchange-watch.ts";

/** The number of events after which other work runs. An agent may send thousands in one response. */
const EVENTS_AT_ONCE = 32;

/** The events of a batch, and the error that interrupted its translation. */
export type TranslatedBatch = { readonly events: readonly AgentEvent[]; readonly error?: unknown };

/**
 * Translates a batch up to the first unreadable response. One response may contain many events; they count towards
 * the limit as well.
 */
export function translateBatch(
  translation: A2ATranslator,
  portion: readonly StreamResponse[],
  watch: ExchangeWatch,
): TranslatedBatch {
  const events: AgentEvent[] = [];
  try {
    translation.translate(portion, events);
    return { events };
  } catch (error) {
    return { events, error };
  } finally {
    watch.countEvents(Math.max(0, events.length - portion.length));
  }
}

/** Yields the events of a batch; other work runs after each `EVENTS_AT_ONCE`. */
export async function* streamEvents({ events, error }: TranslatedBatch): AsyncGenerator<AgentEvent, void> {
  for (const [i, event] of events.entries()) {
    if (i > 0 && i % EVENTS_AT_ONCE === 0) await waitForOtherWork();
    yield event;
  }
  if (error !== undefined) throw error;
}
