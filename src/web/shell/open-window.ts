import { lazily } from "../lazily.tsx";

/** The open dialog. Keys that are pressed before its script is loaded are lost. */
export const OpenWindow = lazily(() => import("./windows/open-window.tsx").then((script) => script.OpenWindow));
