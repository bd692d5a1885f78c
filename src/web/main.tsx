// The entry point: loads the messages and, for at most `MAX_PRELOAD_MS`, the script of the view, then renders.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadRoute } from "./app/app.tsx";
import { followLanguage, getLanguage, loadInitialMessages } from "./session/language.ts";
import { claimReload, isMissingScriptError, reloadIfServerResponds } from "./app/reload-after-deploy.ts";
import { followTheme } from "./session/theme.ts";
import "./ui/tokens.css";

/** The first render waits this long at most for the view's script. */
const MAX_PRELOAD_MS = 250;
const MESSAGES_RETRY_MS = 3_000;

followTheme();
followLanguage();
const container = document.getElementById("app");
if (container === null) throw new Error("The page has no place for the application.");
const root = createRoot(container);
const timeout = new Promise((resolve) => setTimeout(resolve, MAX_PRELOAD_MS));
// If loading fails, the view loads again when it renders, and its error boundary shows the error.
const route = Promise.race([loadRoute(location.pathname).catch(() => {}), timeout]);
void Promise.all([waitForMessages(), route]).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** Loads the initial messages until it succeeds: without them, not even an error can be shown. */
async function waitForMessages(): Promise<void> {
  try {
    await loadInitialMessages(getLanguage());
  } catch (error) {
    if (isMissingScriptError(error)) reloadIfServerResponds(() => claimReload(Date.now()));
    await new Promise((resolve) => setTimeout(resolve, MESSAGES_RETRY_MS));
    await waitForMessages();
  }
}
