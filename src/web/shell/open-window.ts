import { lazily } from "../lazily.tsx";

/** What can stand over the page. Until its script is there, what is typed in haste goes nowhere. */
export const OpenWindow = lazily(() => import("./windows/open-window.tsx").then((script) => script.OpenWindow));
