// What is loaded when it is first shown, or ahead of that.

import { lazy, useState, type ComponentType, type FunctionComponent } from "react";

export type Lazily<Props> = FunctionComponent<Props> & {
  /** Fetches it ahead. What fails is tried again when it is shown. */
  readonly load: () => Promise<unknown>;
};

/**
 * Like React's own `lazy`, but what is there already stands at once. `lazy` waits for a moment even then, shows what the
 * `Suspense` around it has for that, and keeps it for 300 ms.
 */
export function lazily<Props extends object>(fetch: () => Promise<ComponentType<Props>>): Lazily<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => (loaded = await fetch());
  const Awaited = lazy(async () => ({ default: await load() })) as ComponentType<Props>;
  function View(props: Props) {
    // As long as it stands it stays the same: another component would begin without its state.
    const [Shown] = useState(() => loaded ?? Awaited);
    return <Shown {...props} />;
  }
  return Object.assign(View, { load });
}
