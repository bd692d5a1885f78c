// The tools of one person, as the toolsmith uses them. The directory may be slow or down: then nothing is found and
// nothing is kept, and the work goes on.

import { beginTrial, endTrial } from "../../directory/tool-trials.ts";
import { keepTool, noteRun, searchTools, type ToolDraft } from "../../directory/tools.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Tool, ToolCategory } from "../../protocol/tools.ts";

/** Tools that a model chooses among. */
const MOST_CANDIDATES = 12;

/** How a use is noted: what is kept now, or why nothing is. */
export type Kept =
  | { readonly kept: true; readonly tool: string; readonly version: number; readonly uses: number }
  | { readonly kept: false; readonly reason: string };

export type Registry = {
  search(text: string, category: ToolCategory): Promise<readonly Tool[]>;
  /** After a successful run. */
  keep(draft: ToolDraft): Promise<Kept>;
  noteFailure(name: string, error: string): Promise<void>;
  /** Notes that code is about to run. Answers how many tries of it never came back. */
  begin(hash: string, run: string): Promise<number>;
  end(hash: string, run: string): Promise<void>;
};

/** `userId` is missing for callers who speak for nobody: nothing can be kept for them, and of others `most` tools. */
export function registryOf(db: D1Database | undefined, userId: string | undefined, most: number): Registry {
  if (db === undefined || userId === undefined) return NOBODYS;
  const orElse = async <T>(work: Promise<T>, fallback: T): Promise<T> =>
    work.catch((thrown: unknown) => {
      console.error("The registry of tools did not answer", thrown);
      return fallback;
    });
  return {
    search: (text, category) => orElse(searchTools(db, userId, { text, category }, MOST_CANDIDATES), []),
    async keep(draft) {
      try {
        const { name: tool, version, uses } = await keepTool(db, userId, draft, Date.now(), most);
        return { kept: true, tool, version, uses };
      } catch (thrown) {
        if (thrown instanceof Fault) return { kept: false, reason: thrown.message };
        console.error("A tool could not be kept", thrown);
        return { kept: false, reason: "The registry did not answer." };
      }
    },
    noteFailure: (name, error) =>
      orElse(noteRun(db, userId, name, { status: "failed", error, at: Date.now() }), undefined),
    begin: (hash, run) => orElse(beginTrial(db, userId, hash, run, Date.now()), 0),
    end: (hash, run) => orElse(endTrial(db, userId, hash, run), undefined),
  };
}

const NOBODYS: Registry = {
  search: () => Promise.resolve([]),
  keep: () => Promise.resolve({ kept: false, reason: "There is nobody to keep it for." }),
  noteFailure: () => Promise.resolve(),
  begin: () => Promise.resolve(0),
  end: () => Promise.resolve(),
};
