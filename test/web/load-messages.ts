// Loads the messages of both languages. Import this in tests that render components or format messages.

import { loadMessages } from "../../src/web/session/language.ts";

await Promise.all([loadMessages("en"), loadMessages("zh-CN")]);
