// References to earlier results.

export { findReference } from "./work/earlier-results.ts";
