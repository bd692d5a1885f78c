// Pages and the standing of conversations, kept for one person.

import type { KeptPage, PageDraft, PagesApi, PageSummary, Standing } from "../../protocol/pages.ts";
import { valueOf } from "../../protocol/result.ts";

export type Library = {
  standing(key: string): Promise<Standing>;
  keepStanding(key: string, standing: Standing): Promise<void>;
  /** Null for one that is gone. */
  page(pageId: string): Promise<KeptPage | null>;
  /** Throws a `Fault` for one that is too large. */
  keepPage(draft: PageDraft): Promise<PageSummary>;
};

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
