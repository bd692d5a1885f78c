import { lazily } from "../lazily.tsx";

/** What renders Markdown. */
export const Rendered = lazily(() => import("./rendered.tsx").then((script) => script.Rendered));
