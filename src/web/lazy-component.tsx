// Components whose script is loaded when they are first shown, or earlier by `load`.

import { lazy, useState, type ComponentType, type FunctionComponent } from "react";

export type LazyComponent<Props> = FunctionComponent<Props> & {
  /** Loads the script in advance. After a failure, the next render tries again. */
  readonly load: () => Promise<unknown>;
};

/**
 * Like React's `lazy`, but renders synchronously if the script is loaded already. `lazy` suspends even then, so the
 * surrounding `Suspense` would show its fallback, which React keeps for 300 ms.
 */
export function createLazyComponent<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => (loaded = await fetch());
  const Awaited = lazy(async () => ({ default: await load() })) as ComponentType<Props>;
  function View(props: Props) {
    // Fixed for the lifetime of the instance: a different component type would lose its state.
    const [Shown] = useState(() => loaded ?? Awaited);
    return <Shown {...props} />;
  }
  return Object.assign(View, { load });
}
