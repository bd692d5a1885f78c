import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { followTheme } from "./theme.ts";
import "./ui/tokens.css";

followTheme();
const place = document.getElementById("app");
if (place === null) throw new Error("The page has no place for the application.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
