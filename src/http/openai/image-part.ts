// Images in the messages of clients. They are passed to the model as URLs and never fetched here.

import * as z from "zod";
import type { ImageInput } from "../../core/ports.ts";
import { parseNamedValue } from "../../protocol/wire/fault.ts";
import { OpenAiError } from "./openai-error.ts";

const imageSchema = z.looseObject({ url: z.string(), detail: z.enum(["low", "high", "auto"]).nullish() });
const IMAGE_URL = /^(?:https:\/\/[^\s/]|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/])/;

/** Parses an image with its URL and detail. Throws an `OpenAiError` or a `Fault` (400) for any other URL. */
export function parseImage(value: unknown, param: string): ImageInput {
  const { url, detail } = parseNamedValue(param, imageSchema, value);
  if (IMAGE_URL.test(url)) return { url, ...(typeof detail === "string" ? { detail } : {}) };
  const sentence = `${param}: must be an https URL, or a data URL of a PNG, JPEG, GIF or WebP image`;
  throw new OpenAiError(400, "unsupported_content", sentence, { param });
}
