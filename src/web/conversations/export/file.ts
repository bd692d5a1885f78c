// Exports a conversation as a downloaded file.

import { foldAll, EMPTY_VIEW, type View } from "../../../protocol/view.ts";
import type { Item } from "../../../protocol/items.ts";
import type { Language } from "../../language.ts";
import { api } from "../../first.ts";
import { fileName, jsonOf, markdownOf } from "../export.ts";

export type ExportFormat = "markdown" | "json";

const PAGE = 1_000;

/** Loads the whole conversation and starts the download. Rejects with a `Fault`. */
export async function saveConversation(id: string, format: ExportFormat, language: Language): Promise<void> {
  const view = await readView(id);
  const title = view.conversation?.title ?? "";
  if (format === "json") download(jsonOf(view), fileName(title, "json", new Date()), "application/json");
  else download(markdownOf(view, language), fileName(title, "md", new Date()), "text/markdown");
}

/** Folds all events. The creation times of items come from the API, since stored events do not carry them. */
async function readView(id: string): Promise<View> {
  const [conversation, items, plans] = await Promise.all([api.conversation(id), api.items(id), api.plans(id)]);
  let view: View = { ...EMPTY_VIEW, conversation };
  for (let after = 0; ;) {
    const { events, next } = await api.events(id, { after, limit: PAGE });
    if (events.length === 0) break;
    view = foldAll(view, events);
    after = next;
  }
  const times = new Map(items.map(({ item_id, created_at }) => [item_id, created_at]));
  return {
    ...view,
    isCaughtUp: true,
    plans,
    items: new Map([...view.items].map(([key, item]) => [key, timed(item, times)])),
  };
}

function timed(item: Item, times: ReadonlyMap<string, number | undefined>): Item {
  const at = item.created_at ?? times.get(item.item_id);
  return at === undefined ? item : { ...item, created_at: at };
}

function download(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
