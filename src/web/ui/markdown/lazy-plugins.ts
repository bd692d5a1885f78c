// Markdown plugins that only some texts need. Each is loaded when the first text needs it.
// Each `LazyPlugin` owns one load at a time. A failed load is forgotten, so the next text that needs the plugin tries
// again; until then the text renders without it.

import { useEffect } from "react";
import type { Options } from "react-markdown";
import { createStore, useStore, type Store } from "../../session/store.ts";

type RehypePlugin = NonNullable<Options["rehypePlugins"]>[number];

type LazyPlugin = {
  readonly loaded: Store<RehypePlugin | null>;
  /** Resolves when the plugin is loaded or the load has failed; never rejects. */
  readonly load: () => Promise<void>;
};

function createLazyPlugin(fetch: () => Promise<RehypePlugin>): LazyPlugin {
  const loaded = createStore<RehypePlugin | null>(null);
  let loading: Promise<void> | null = null;
  const loadPlugin = async () => {
    try {
      loaded.set(await fetch());
    } catch {
      loading = null;
    }
  };
  return { loaded, load: () => (loading ??= loadPlugin()) };
}

export const mathPlugin = createLazyPlugin(() => import("./math-plugin.ts").then(({ rehypeMath }) => rehypeMath));
export const highlightPlugin = createLazyPlugin(() =>
  import("./highlight-plugin.ts").then(({ rehypeHighlightCode }) => rehypeHighlightCode),
);

/**
 * Returns the plugin; null while it is not loaded or if it is not needed. If `isNeeded`, starts loading it; the
 * component renders again when it is loaded.
 */
export function useLazyPlugin({ loaded, load }: LazyPlugin, isNeeded: boolean): RehypePlugin | null {
  const plugin = useStore(loaded);
  useEffect(() => {
    if (isNeeded) void load();
  }, [isNeeded, load]);
  return isNeeded ? plugin : null;
}
