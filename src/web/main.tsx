import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadRoute } from "./app.tsx";
import { followTheme } from "./theme.ts";
import "./ui/tokens.css";

/** The first render waits this long at most for the view's script. */
const MAX_PRELOAD_MS = 250;

followTheme();
const container = document.getElementById("app");
if (container === null) throw new Error("The page has no place for the application.");
const root = createRoot(container);
const timeout = new Promise((resolve) => setTimeout(resolve, MAX_PRELOAD_MS));
// If loading fails, the view loads again when it renders, and its error boundary shows the error.
void Promise.race([loadRoute(location.pathname).catch(() => {}), timeout]).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
