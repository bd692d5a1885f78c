// The possible cuts of a request.

export { findJoints } from "./request/split-request.ts";
