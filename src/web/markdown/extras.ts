// Markdown plugins that only some texts need. Each is loaded when the first text needs it.
// Each `LazyPlugin` owns one load at a time. A failed load is forgotten, so the next text that needs the plugin tries
// again; until then the text renders without it.

import { useEffect, useSyncExternalStore } from "react";
import type { Options } from "react-markdown";

type Plugin = NonNullable<Options["rehypePlugins"]>[number];

type Extra = {
  readonly get: () => Plugin | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves when the plugin is loaded or the load has failed; never rejects. */
  readonly load: () => Promise<void>;
};

function extra(fetch: () => Promise<Plugin>): Extra {
  const listeners = new Set<() => void>();
  let plugin: Plugin | null = null;
  let loading: Promise<void> | null = null;
  const begin = async () => {
    try {
      plugin = await fetch();
      for (const listener of listeners) listener();
    } catch {
      loading = null;
    }
  };
  return {
    get: () => plugin,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => (loading ??= begin()),
  };
}

export const mathExtra = extra(() => import("./math.ts").then(({ math }) => math));
export const highlightExtra = extra(() => import("./highlight.ts").then(({ highlight }) => highlight));

/** Returns the plugin once it is loaded; starts loading it if `isNeeded`. */
export function useExtra({ get, subscribe, load }: Extra, isWanted: boolean): Plugin | null {
  const plugin = useSyncExternalStore(subscribe, get, get);
  useEffect(() => {
    if (isWanted) void load();
  }, [isWanted, load]);
  return isWanted ? plugin : null;
}
