// The saved tools of one user, as the toolsmith uses them. The directory may be slow or unavailable: then nothing is
// found or saved, the error is logged, and the work continues. No method rejects.

import { beginTrial, endTrial } from "../../directory/tool-trials.ts";
import { keepTool, noteRun, searchTools, type ToolDraft } from "../../directory/tools.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Tool, ToolCategory } from "../../protocol/tools.ts";

/** Maximum number of tools among which the model chooses. */
const MOST_CANDIDATES = 12;

/** The result of saving a tool: its version and number of uses, or the reason why it was not saved. */
export type Kept =
  | { readonly kept: true; readonly tool: string; readonly version: number; readonly uses: number }
  | { readonly kept: false; readonly reason: string };

/** Searches and saves tools and records their runs. */
export type Registry = {
  /** Returns the user's tools that may do what the text describes, best first. */
  search(text: string, category: ToolCategory): Promise<readonly Tool[]>;
  /** Saves a tool after a successful run. */
  keep(draft: ToolDraft): Promise<Kept>;
  noteFailure(name: string, error: string): Promise<void>;
  /** Records that code is about to run. Returns how many earlier runs of it never returned. */
  begin(hash: string, run: string): Promise<number>;
  /** Records that the run has returned. */
  end(hash: string, run: string): Promise<void>;
};

/**
 * Returns the registry of a user with at most `maxTools` tools. Without a database or user it finds and saves nothing.
 */
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
