// Tests do not go by what the developer has in .dev.vars or in the shell.

import { settingsSchema } from "../../src/settings.ts";

const as = <T>(value: T) => Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, value]));

/** As bindings of a Worker: a setting that is no text is none. */
export const UNSET = as(false);

/** In the environment of `npm start`, where an empty one is none. */
export const EMPTY = as("");
