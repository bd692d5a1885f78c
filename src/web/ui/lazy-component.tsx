// Components whose script is loaded when they are first shown, or earlier by `load`. Messages are loaded with the
// script.

import { lazy, useState, type ComponentType, type FunctionComponent } from "react";
import { getLanguage, loadInitialMessages, loadMessages } from "../session/language.ts";

type LazyComponent<Props> = FunctionComponent<Props> & {
  /** Loads script and messages in advance. Rejects if that fails; the component then tries again when it renders. */
  readonly load: () => Promise<unknown>;
};

/**
 * Like React's `lazy`, but renders synchronously if the script is loaded already. `lazy` suspends even then, so the
 * surrounding `Suspense` would show its fallback, which React keeps for 300 ms. Suspends until the script returned by
 * `fetch` and all messages are loaded; with `initialMessages`, only the messages of the first screen. Throws if a load
 * that it started itself fails, and again on every render until a later `load` succeeds.
 */
export function createLazyComponent<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
  { initialMessages = false } = {},
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadTexts = initialMessages ? loadInitialMessages : loadMessages;
  const load = async () => {
    const [component] = await Promise.all([fetch(), loadTexts(getLanguage())]);
    return (loaded = component);
  };
  const Awaited = lazy(async () => ({ default: await load() })) as ComponentType<Props>;
  function View(props: Props) {
    // Fixed for the lifetime of the instance: a different component type would lose its state.
    const [Shown] = useState(() => loaded ?? Awaited);
    return <Shown {...props} />;
  }
  return Object.assign(View, { load });
}
