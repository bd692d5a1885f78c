// Exports a conversation as a downloaded file.

import { foldFrames, EMPTY_VIEW, type ConversationView } from "../../../../protocol/wire/view.ts";
import type { Item } from "../../../../protocol/wire/items.ts";
import type { UiLanguage } from "../../../session/language.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { api } from "../../../session/initial-api.ts";
import { buildExportFileName, formatConversationJson, formatConversationMarkdown } from "./conversation-export.ts";

export type ExportFormat = "markdown" | "json";

const EVENTS_PER_PAGE = 1_000;

/**
 * Loads the whole conversation and starts the download. Rejects with a `Fault` if it cannot be loaded. `language`
 * applies to Markdown; its messages must be loaded.
 */
export async function exportConversation(id: string, format: ExportFormat, language: UiLanguage): Promise<void> {
  const view = await loadView(id);
  const title = view.conversation?.title ?? "";
  if (format === "json")
    saveFile(formatConversationJson(view), buildExportFileName(title, "json", new Date()), "application/json");
  else
    saveFile(formatConversationMarkdown(view, language), buildExportFileName(title, "md", new Date()), "text/markdown");
}

/** Folds all events. The creation times of items come from the API, since stored events do not carry them. */
async function loadView(id: string): Promise<ConversationView> {
  const [conversation, { items }, { plans }] = await Promise.all([
    api.readConversation(id),
    api.items(id),
    api.plans(id),
  ]);
  let view: ConversationView = { ...EMPTY_VIEW, conversation };
  for (let after = 0; ;) {
    const { events, next } = await api.events(id, { after, limit: EVENTS_PER_PAGE });
    if (events.length === 0) break;
    view = foldFrames(view, events);
    after = next;
  }
  const times = new Map(items.map(({ item_id, created_at }) => [item_id, created_at]));
  return {
    ...view,
    isCaughtUp: true,
    plans,
    items: new Map([...view.items].map(([key, item]) => [key, withCreationTime(item, times)])),
  };
}

function withCreationTime(item: Item, times: ReadonlyMap<string, number | undefined>): Item {
  const at = item.created_at ?? times.get(item.item_id);
  return at === undefined ? item : { ...item, created_at: at };
}
