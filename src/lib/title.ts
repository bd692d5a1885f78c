// The schema of titles that users choose.

import * as z from "zod";

/** A title of 1 to 200 characters; surrounding white space is removed. */
export const titleSchema = z.string().trim().min(1).max(200);
