// npm run check: types, lint and format, without the tests.

import { FORMAT, LINT, runChecks, TYPES, WEB_TYPES } from "./checks.ts";

const failed = await runChecks([TYPES, WEB_TYPES, LINT, FORMAT]);
process.exitCode = failed.length === 0 ? 0 : 1;
