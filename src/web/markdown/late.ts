import { lazily } from "../lazily.tsx";

/** The Markdown renderer, as a separate script. */
export const Rendered = lazily(() => import("./rendered.tsx").then((script) => script.Rendered));
