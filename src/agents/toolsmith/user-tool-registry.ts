// The saved tools of one user, as the toolsmith uses them. The directory may be slow or unavailable: then nothing is
// found or saved, the error is logged, and the work continues. No method rejects.

import { openDirectory } from "../../directory/open-directory.ts";
import { beginTrial, endTrial } from "../../directory/tool-trials.ts";
import { saveTool, recordToolRun, searchTools, type ToolDraft } from "../../directory/tool-directory.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { StoredTool, ToolCategory } from "../../protocol/tools/stored-tool.ts";

const MAX_CANDIDATES = 12;

/** The result of saving a tool: its version and number of uses, or the reason why it was not saved. */
export type SaveResult =
  | { readonly kept: true; readonly tool: string; readonly version: number; readonly uses: number }
  | { readonly kept: false; readonly reason: Message | string };

/** Searches and saves tools and records their runs. */
export type UserToolRegistry = {
  /** Returns at most twelve of the user's tools that may do what the text describes, best first. */
  search(text: string, category: ToolCategory): Promise<readonly StoredTool[]>;
  /** Saves a tool after a successful run. Equal code counts a use, other code becomes the next version of that name. */
  save(draft: ToolDraft): Promise<SaveResult>;
  recordFailure(name: string, error: string): Promise<void>;
  /** Records that code is about to run. Returns how many of its runs were lost: they began and never returned. */
  beginRun(hash: string, runId: string): Promise<number>;
  /** Records that the run has returned, with any result. */
  endRun(hash: string, runId: string): Promise<void>;
};

/**
 * Returns the registry of a user with at most `maxTools` tools. Without a database or user it finds and saves nothing.
 */
export function createUserToolRegistry(
  database: D1Database | undefined,
  userId: string | undefined,
  maxTools: number,
): UserToolRegistry {
  if (database === undefined || userId === undefined) return EMPTY_REGISTRY;
  const db = openDirectory(database);
  const withFallback = async <T>(work: Promise<T>, fallback: T): Promise<T> =>
    work.catch((thrown: unknown) => {
      console.error("The registry of tools did not answer", thrown);
      return fallback;
    });
  return {
    search: (text, category) => withFallback(searchTools(db, userId, { text, category }, MAX_CANDIDATES), []),
    async save(draft) {
      try {
        const { name: tool, version, uses } = await saveTool(db, userId, draft, Date.now(), maxTools);
        return { kept: true, tool, version, uses };
      } catch (thrown) {
        if (thrown instanceof Fault) return { kept: false, reason: thrown.text ?? thrown.message };
        console.error("A tool could not be kept", thrown);
        return { kept: false, reason: createMessage("toolsmith.toolNotSaved") };
      }
    },
    recordFailure: (name, error) =>
      withFallback(recordToolRun(db, userId, name, { status: "failed", error, at: Date.now() }), undefined),
    beginRun: (hash, runId) => withFallback(beginTrial(db, userId, hash, runId, Date.now()), 0),
    endRun: (hash, runId) => withFallback(endTrial(db, userId, hash, runId), undefined),
  };
}

const EMPTY_REGISTRY: UserToolRegistry = {
  search: () => Promise.resolve([]),
  save: () => Promise.resolve({ kept: false, reason: createMessage("toolsmith.noToolOwner") }),
  recordFailure: () => Promise.resolve(),
  beginRun: () => Promise.resolve(0),
  endRun: () => Promise.resolve(),
};
