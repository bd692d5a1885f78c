// Placeholder values for all settings, so that tests do not depend on `.dev.vars` or the shell.

import { settingsSchema } from "../../src/settings.ts";

const fillSettings = <T>(value: T) =>
  Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, value]));

/** For bindings of a Worker, where a value that is not a string counts as unset. */
export const UNSET = fillSettings(false);

/** For the environment of `npm start`, where an empty value counts as unset. */
export const EMPTY = fillSettings("");
