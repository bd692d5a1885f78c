// The pages and conversation states of one person, as the analyst uses them.

import type { KeptPage, PageDraft, PagesApi, PageSummary, Standing } from "../../protocol/pages.ts";
import { valueOf } from "../../protocol/result.ts";

/** Storage of pages and conversation states. `key` is the digest of a conversation. */
export type Library = {
  /** Returns the stored state; an empty object for a new conversation. */
  standing(key: string): Promise<Standing>;
  keepStanding(key: string, standing: Standing): Promise<void>;
  /** Returns null if the page does not exist. */
  page(pageId: string): Promise<KeptPage | null>;
  /** Throws a `Fault` if the page is too large. */
  keepPage(draft: PageDraft): Promise<PageSummary>;
};

/**
 * Adapts the RPC interface of the library object. Failures become thrown `Fault`s, except that a missing page is
 * null.
 */
export function libraryOf(remote: PagesApi): Library {
  return {
    standing: async (key) => valueOf(await remote.standing(key)),
    keepStanding: async (key, standing) => void valueOf(await remote.keepStanding(key, standing)),
    async page(pageId) {
      const result = await remote.page(pageId);
      return !result.ok && result.failure.code === "not_found" ? null : valueOf(result);
    },
    keepPage: async (draft) => valueOf(await remote.keepPage(draft)),
  };
}
