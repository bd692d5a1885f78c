// Shows an error in place of a view that has thrown. The sidebar keeps working.

import { Component, type ReactNode } from "react";
import { ErrorPage } from "./error-page.tsx";
import { isMissingScriptError, claimReload, reloadIfServerResponds } from "./reload-after-deploy.ts";

type ErrorBoundaryProps = { readonly path: string; readonly children: ReactNode };
type ErrorBoundaryState = { readonly error: unknown; readonly path: string };

/**
 * A change of `path` resets the error. If the error is a script that could not be loaded, reloads the page if the
 * server responds, at most once per minute.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = { error: null, path: this.props.path };

  static getDerivedStateFromProps({ path }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState | null {
    return path === state.path ? null : { error: null, path };
  }

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingScriptError(error)) reloadIfServerResponds(() => claimReload(Date.now()));
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <ErrorPage error={this.state.error} />;
  }
}
