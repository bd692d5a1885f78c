import { serveAgent } from "../kit/serve.ts";
import { assistant } from "./assistant.ts";

export const Assistant = serveAgent(assistant);
