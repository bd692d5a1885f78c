import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadAt } from "./app.tsx";
import { followTheme } from "./theme.ts";
import "./ui/tokens.css";

/** Where the line is slow, the frame is there before what stands in it. */
const PATIENCE_MS = 250;

followTheme();
const place = document.getElementById("app");
if (place === null) throw new Error("The page has no place for the application.");
const root = createRoot(place);
const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
// What fails here is said where it stands.
void Promise.race([loadAt(location.pathname).catch(() => {}), late]).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
