// Markdown plugins that only some texts need. Each is loaded when the first text needs it.
// Each `LazyPlugin` owns one load at a time. A failed load is forgotten, so the next text that needs the plugin tries
// again; until then the text renders without it.

import { useEffect, useSyncExternalStore } from "react";
import type { Options } from "react-markdown";

type RehypePlugin = NonNullable<Options["rehypePlugins"]>[number];

type LazyPlugin = {
  readonly get: () => RehypePlugin | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves when the plugin is loaded or the load has failed; never rejects. */
  readonly load: () => Promise<void>;
};

function createLazyPlugin(fetch: () => Promise<RehypePlugin>): LazyPlugin {
  const listeners = new Set<() => void>();
  let plugin: RehypePlugin | null = null;
  let loading: Promise<void> | null = null;
  const loadPlugin = async () => {
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
    load: () => (loading ??= loadPlugin()),
  };
}

export const mathPlugin = createLazyPlugin(() => import("./math-plugin.ts").then(({ rehypeMath }) => rehypeMath));
export const highlightPlugin = createLazyPlugin(() =>
  import("./highlight-plugin.ts").then(({ rehypeHighlightCode }) => rehypeHighlightCode),
);

/**
 * Returns the plugin; null while it is not loaded or if it is not needed. If `isNeeded`, starts loading it; the
 * component renders again when it is loaded.
 */
export function useLazyPlugin({ get, subscribe, load }: LazyPlugin, isNeeded: boolean): RehypePlugin | null {
  const plugin = useSyncExternalStore(subscribe, get, get);
  useEffect(() => {
    if (isNeeded) void load();
  }, [isNeeded, load]);
  return isNeeded ? plugin : null;
}
