// Shows an error in place of a view that has thrown. The sidebar keeps working.

import { Component, type ReactNode } from "react";
import { Crash } from "./crash.tsx";
import { isMissingScript, mayReload, reloadFromServer } from "./stale.ts";

type Props = { readonly place: string; readonly children: ReactNode };
type State = { readonly error: unknown; readonly place: string };

/** A navigation resets the error. */
export class Boundary extends Component<Props, State> {
  override readonly state: State = { error: null, place: this.props.place };

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { error: null, place };
  }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingScript(error)) reloadFromServer(() => mayReload(Date.now()));
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Crash error={this.state.error} />;
  }
}
