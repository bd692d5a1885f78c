// The schemas of names and descriptions from outside.

import * as z from "zod";
import { toVisibleLine, toVisibleText } from "./visible-text.ts";

/** The name of anything, as `toVisibleLine` returns it. */
export const visibleLineSchema = z.string().overwrite(toVisibleLine);

/** A description, as `toVisibleText` returns it. */
export const visibleTextSchema = z.string().overwrite(toVisibleText);

/** A title of 1 to 200 characters. */
export const titleSchema = visibleLineSchema.min(1).max(200);
