import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadAt } from "./app.tsx";
import { followTheme } from "./theme.ts";
import "./ui/tokens.css";

/** The first render waits this long at most for the view's script. */
const PATIENCE_MS = 250;

followTheme();
const place = document.getElementById("app");
if (place === null) throw new Error("The page has no place for the application.");
const root = createRoot(place);
const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
// If loading fails, the view loads again when it renders, and its error boundary shows the error.
void Promise.race([loadAt(location.pathname).catch(() => {}), late]).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
