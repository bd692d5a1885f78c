// Finds the wish for verification at the end of a request: "…, and verify it" · "……，并核实结果". Work on another
// object, "verify my address", does not count.

import { normalizeCharacters } from "../../language/text-spans.ts";

type VerificationRequest = {
  /** The request without the wish. */
  readonly rest: string;
  /** The original words of the wish; empty if there is none. */
  readonly clause: string;
};

/** Only the end of the request is searched. */
const MAX_CLAUSE = 160;

const WELL_EN = String.raw`(?:that|whether|if) (?:it|this|that|they|everything|all|(?:the|your) (?:results?|work|tasks?)) [^.,;!?]{0,40}\b(?:work(?:s|ed)|done|completed?|correct(?:ly)?|right|success\w*|fine|ok|okay|well)\b[^.,;!?]{0,20}`;
const RESULT_EN = String.raw`(?:(?:the|your|all|its) ){0,2}(?:results?|outcomes?|work)`;
const EN = new RegExp(
  String.raw`(?:[,;.] {0,3}|\b(?=(?:and|then)\b))(?:(?:and|then|finally|afterwards?|please|also) {1,3}){0,4}(?:(?:verify|double[- ]?check)(?: (?:it|that|this|them|everything|all(?: of it)?|${RESULT_EN}|${WELL_EN}))?|check (?:${RESULT_EN}|${WELL_EN}))(?: (?:afterwards?|when (?:you are )?(?:done|finished)|at the end|too|as well|please)){0,2}[\s.!]{0,5}$`,
  "i",
);
const WELL_ZH = "(?:任务|工作|操作|结果)?是否(?:已经?|都)?(?:成功|完成|正确|做完|生效|无误)(?:完成)?了?";
const RESULT_ZH = "(?:任务|工作|执行|完成|最终)?(?:的)?(?:结果|完成情况)";
const ZH = new RegExp(
  `(?:[,;。、] {0,3}|(?=并|然后|再|最后|完成后|做完))(?:(?:并且?|然后|接着|再|最后|之后|(?:全部)?(?:完成|做完)后?|同时|请|帮我|还要)[, ]?){0,4}(?:(?:验证|核实|核对|复核)(?:一[下遍次])?(?:它|${RESULT_ZH}|${WELL_ZH})?|(?:检查|确认)(?:一[下遍次])?(?:${RESULT_ZH}|${WELL_ZH}))[\\s。.!]{0,5}$`,
);

/** Splits off the wish. A request that consists of it alone stays unchanged. */
export function parseVerificationRequest(request: string): VerificationRequest {
  const start = Math.max(0, request.length - MAX_CLAUSE);
  const tail = normalizeCharacters(request.slice(start));
  const at = [EN, ZH].map((pattern) => pattern.exec(tail)?.index ?? -1).find((index) => index >= 0);
  const rest = at === undefined ? request : request.slice(0, start + at).trimEnd();
  return rest.trim() === "" || at === undefined
    ? { rest: request, clause: "" }
    : { rest, clause: request.slice(rest.length) };
}
