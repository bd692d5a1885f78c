// The pages and conversation states of one person, as the analyst uses them.

import type { StoredPage, PageDraft, PagesApi, PageSummary, AnalysisState } from "../../protocol/pages/stored-page.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";

/** Storage of pages and conversation states. `key` is the digest of a conversation. */
export type PageLibrary = {
  /** Returns the stored state; an empty object for a new conversation. */
  loadState(key: string): Promise<AnalysisState>;
  /** Replaces the stored state. Rejects with a `Fault` (`too_large`). */
  saveState(key: string, state: AnalysisState): Promise<void>;
  /** Returns null if the page does not exist. */
  loadPage(pageId: string): Promise<StoredPage | null>;
  /** Rejects with a `Fault`: `too_large`, or `not_found` if a rerun refers to a deleted page. */
  savePage(draft: PageDraft): Promise<PageSummary>;
};

/** Adapts the RPC interface of the library object. The methods reject with the `Fault` of a failure. */
export function createPageLibrary(remote: PagesApi): PageLibrary {
  return {
    loadState: async (key) => unwrapResult(await remote.standing(key)),
    saveState: async (key, state) => void unwrapResult(await remote.keepStanding(key, state)),
    async loadPage(pageId) {
      const result = await remote.page(pageId);
      return !result.ok && result.failure.code === "not_found" ? null : unwrapResult(result);
    },
    savePage: async (draft) => unwrapResult(await remote.keepPage(draft)),
  };
}
