import { serveAgent } from "../kit/serve.ts";
import { withModel } from "../kit/with-model.ts";
import { assistant } from "./assistant.ts";

export const Assistant = serveAgent(withModel(assistant));
