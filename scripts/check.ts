// npm run check: types, lint and format, without the tests.

import { FORMAT, LINT, runChecks, TYPE_CHECK, WEB_TYPE_CHECK } from "./checks.ts";

const failed = await runChecks([TYPE_CHECK, WEB_TYPE_CHECK, LINT, FORMAT]);
process.exitCode = failed.length === 0 ? 0 : 1;
