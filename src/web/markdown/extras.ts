// The parts that only some texts need, each loaded when the first of them is shown.

import { useEffect, useSyncExternalStore } from "react";
import type { Options } from "react-markdown";

type Plugin = NonNullable<Options["rehypePlugins"]>[number];

type Extra = {
  readonly get: () => Plugin | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Ends when the plugin is there, or cannot be had now. */
  readonly load: () => Promise<void>;
};

/** What could not be loaded is asked for again by the next text that wants it; until then there is none. */
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

/** The plugin once it is there; `isWanted` sets out to fetch it. */
export function useExtra({ get, subscribe, load }: Extra, isWanted: boolean): Plugin | null {
  const plugin = useSyncExternalStore(subscribe, get, get);
  useEffect(() => {
    if (isWanted) void load();
  }, [isWanted, load]);
  return isWanted ? plugin : null;
}
