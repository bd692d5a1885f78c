// Chinese translations of failure messages. The key is the English sentence, with `{}` for variable parts. Failures
// also arrive as plain sentences from agents, so the language is applied only where they are shown.

import type { Language } from "./detect-language.ts";

const RETRY_SUFFIX = " Please try again.";

/** Translations by English sentence. Variable parts have the same order; the suffix `RETRY_SUFFIX` is omitted. */
export const FAILURE_TRANSLATIONS: Readonly<Record<string, string>> = {
  "You cancelled this.": "你已取消。",
  "You cancelled this task.": "你取消了这个任务。",
  "This message used up its {} seconds before it was done.": "这条消息用完了 {} 秒的时限，未能完成。",
  "This message used up its {} model calls before it was done.": "这条消息用完了 {} 次模型调用，未能完成。",
  "This message used up its {} tokens before it was done.": "这条消息用完了 {} 个 token，未能完成。",
  "This message kept being interrupted and was given up.": "这条消息多次被中断，已放弃。",
  "Something went wrong on our side.": "我们这边出了问题。",
  "Nobody answered in time, so this was given up. The question was: {}": "没有人及时回答，已放弃。当时的问题是：{}",
  "The question was withdrawn.": "问题已撤回。",
  "“{}”, which this depends on, failed.": "它依赖的“{}”失败了。",
  "“{}”, which this depends on, was cancelled.": "它依赖的“{}”被取消了。",
  "You have {} schedules, and no more than {} are allowed. Delete one that you no longer need.":
    "你已有 {} 个定时任务，最多 {} 个。请删除不再需要的。",
  "It failed: {}": "运行失败：{}",
  "It failed {} times in a row, at last: {}": "连续 {} 次运行失败，最后一次：{}",

  "I could not find a way to carry this out with the agents at hand.": "现有的智能体无法完成此事。",
  "The plan has {} tasks; at most {} are allowed.": "计划有 {} 个任务，最多允许 {} 个。",
  "The plan has two tasks with the id {}.": "计划中有两个任务的编号都是 {}。",
  "The agent {} cannot be used for this.": "智能体 {} 不能用于此事。",
  "The agent {} does not exist.": "没有名为 {} 的智能体。",
  "The agent {} does not exist any more.": "智能体 {} 已不存在。",
  "The agent {} is disabled.": "智能体 {} 已停用。",
  "Task {} depends on {}, which is not in the plan.": "任务 {} 依赖的 {} 不在计划中。",
  "Task {} recurs, so nothing can wait for it and it cannot wait for other tasks.":
    "任务 {} 是重复执行的，它与其他任务不能互相等待。",
  "The tasks depend on one another in a circle: {}.": "任务之间循环依赖：{}。",

  "More than {} listeners fired: the plan was stopped before {}.": "触发的监听器超过 {} 个：计划在 {} 之前停止。",
  "What {} brought makes the context of {} larger than {} bytes.": "{} 带来的内容使 {} 的上下文超过 {} 字节。",
  "The values given make the context of {} larger than {} bytes.": "所给的值使 {} 的上下文超过 {} 字节。",
  "These values are missing: {}": "缺少以下值：{}",
  "The plan ended without it.": "计划结束时它没有执行。",
  "There is nothing here that runs code.": "这里没有可以运行代码的环境。",
  "Code cannot run here: the Worker Loader binding LOADER is not configured.":
    "此处无法运行代码：没有配置 Worker Loader 绑定 LOADER。",
  "The engine that runs code failed.": "运行代码的引擎出现故障。",

  "The agent could not be run.": "智能体无法运行。",
  "The agent could not be reached.": "无法连接智能体。",
  "The connection to the agent broke.": "与智能体的连接中断了。",
  "The agent is too busy (HTTP 429).": "智能体过于繁忙（HTTP 429）。",
  "The agent is out of order (HTTP {}).": "智能体出现故障（HTTP {}）。",
  "The agent refused the request (HTTP {}).": "智能体拒绝了请求（HTTP {}）。",
  "The agent refused: {}": "智能体拒绝了：{}",
  "The agent answered with a redirect ({}), which is not followed.": "智能体返回了重定向（{}），不予跟随。",
  "The agent redirects too often.": "智能体重定向次数过多。",
  "The agent answered with something that is not A2A.": "智能体的回应不符合 A2A 协议。",
  "The agent sent an event that cannot be read.": "智能体发来的事件无法读取。",
  "Its card is not an A2A card: {}.": "智能体的名片不符合 A2A 协议：{}。",
  "The agent {} is not there.": "智能体 {} 不在。",
  "This deployment cannot run the agent {}.": "此部署无法运行智能体 {}。",
  "The agent {} must not be called at its address.": "不允许按其地址调用智能体 {}。",
  "The credentials of the agent cannot be read any more. Register it again with them.":
    "智能体的凭据已无法读取，请带上凭据重新注册。",
  "The agent asks for credentials.": "智能体要求提供凭据。",
  "The agent asks for credentials: {}": "智能体要求提供凭据：{}",
  "The agent stopped before it had finished.": "智能体没有完成就停止了。",
  "The agent stopped before it had finished, and does not say how the task stands.":
    "智能体没有完成就停止了，也没有说明任务的状态。",
  "The agent was asked for its task and told of another task.": "向智能体询问任务，它却答了另一个任务。",
  "The agent sent more than {} bytes.": "智能体发来的内容超过 {} 字节。",
  "The agent sent more than {} events.": "智能体发来的事件超过 {} 个。",
  "The agent did not finish within {} seconds.": "智能体未能在 {} 秒内完成。",
  "The agent said nothing for {} seconds.": "智能体 {} 秒没有回应。",
  "The agent failed and gave no reason.": "智能体失败了，没有说明原因。",
  "The agent declined the task.": "智能体谢绝了任务。",
  "The agent declined the task: {}": "智能体谢绝了任务：{}",
  "The agent cancelled the task.": "智能体取消了任务。",
  "The task was cancelled.": "任务已取消。",
  "The agent stopped unexpectedly.": "智能体意外停止。",
  "The agent wanted to ask something, but what it would have to remember until the answer is too large ({} characters, at most {}).":
    "智能体想要提问，但它在得到回答前需要记住的内容过大（{} 个字符，最多 {} 个）。",
  "The agent had no answer after {} seconds.": "智能体 {} 秒后仍没有答案。",
  "The agent had no answer after {} model calls.": "智能体调用模型 {} 次后仍没有答案。",
  "The agent had no answer after {} tool calls.": "智能体调用工具 {} 次后仍没有答案。",
  "The agent had no answer after {} tokens.": "智能体用了 {} 个 token 后仍没有答案。",
  "What the agent had noted for itself did not come back, so it cannot go on.":
    "智能体为自己记下的内容没有传回来，因此无法继续。",
  "The MCP server of this agent cannot be used: {}.": "此智能体的 MCP 服务器无法使用：{}。",
  "The MCP server must not be called: {}": "不允许调用该 MCP 服务器：{}",
  "The MCP server has no tool {}. It has: {}.": "MCP 服务器没有工具 {}，它有：{}。",
  "This deployment has no binding {}.": "此部署没有绑定 {}。",

  "The model could not be reached. Please try again; if that does not help, check OPENAI_BASE_URL.":
    "无法连接模型。请再试一次；若仍不行，请检查 OPENAI_BASE_URL。",
  "The model could not be called. Please check OPENAI_BASE_URL and OPENAI_API_KEY.":
    "无法调用模型。请检查 OPENAI_BASE_URL 和 OPENAI_API_KEY。",
  "The connection to the model broke off in the middle of its answer.": "与模型的连接在回答中途断开。",
  "The model said nothing for {} seconds.": "模型 {} 秒没有回应。",
  "The model broke off its answer.": "模型中断了回答。",
  "The model gave an empty answer.": "模型的回答是空的。",
  "The model's answer is far too long.": "模型的回答过长。",
  "The model's answer could not be read.": "模型的回答无法读取。",
  "The model asked for more than {} tools at once.": "模型一次要求了超过 {} 个工具。",
  "The model called a tool without naming it.": "模型调用工具却没有说明是哪个。",
  "The model reached its length limit before it said anything.": "模型还没有回答就达到了长度上限。",
  "The model reached its length limit in the middle of a tool call.": "模型在调用工具的中途达到了长度上限。",
  "The model kept giving answers that could not be used. Please try again or put it differently.":
    "模型的回答一再无法使用。请再试一次，或换个说法。",
  "The model's content filter held the answer back. Please put the request differently.":
    "模型的内容过滤器拦下了回答。请换个说法。",
  "The conversation is too long for the model. Please start a new one or make it shorter.":
    "对话对模型来说太长了。请新建对话，或缩短内容。",
  "The quota of the model's account is used up.": "模型账户的额度已用完。",
  "The model's endpoint takes no more requests at the moment. Please try again in a minute.":
    "模型服务暂时不再接受请求。请一分钟后再试。",
  "The model's endpoint has trouble (status {}). Please try again later.": "模型服务出现故障（状态 {}）。请稍后再试。",
  "The model's endpoint answered with a web page. Please check OPENAI_BASE_URL.":
    "模型服务返回的是网页。请检查 OPENAI_BASE_URL。",
  "The model's endpoint did not accept the key (status 401). Please check OPENAI_API_KEY.":
    "模型服务不接受该密钥（状态 401）。请检查 OPENAI_API_KEY。",
  'The model\'s endpoint does not allow this key to use the model "{}" (status 403). Please check OPENAI_API_KEY.':
    "模型服务不允许该密钥使用模型“{}”（状态 403）。请检查 OPENAI_API_KEY。",
  'The model\'s endpoint does not know the model "{}" (status 404). Please check its name and OPENAI_BASE_URL.':
    "模型服务没有模型“{}”（状态 404）。请检查模型名称和 OPENAI_BASE_URL。",
  'The model\'s endpoint refused the request (status {}). Please check that it serves chat completions for the model "{}".':
    "模型服务拒绝了请求（状态 {}）。请检查它是否为模型“{}”提供 chat completions。",
};

/** Longer sentences are not translated: they contain external text, which could make the search slow. */
const MAX_TRANSLATED_CHARS = 16_384;

/** Translates a failure. Returns the sentence unchanged if it is unknown, for example the text of an agent. */
export function translateFailure(language: Language, sentence: string): string {
  if (language === "en" || sentence.length > MAX_TRANSLATED_CHARS) return sentence;
  return translateToChinese(sentence) ?? sentence;
}

function translateToChinese(sentence: string): string | undefined {
  for (const [english, chinese] of Object.entries(FAILURE_TRANSLATIONS)) {
    const values = matchTemplate(sentence, english.split("{}"));
    if (values !== null) return chinese.replaceAll("{}", () => values.shift() ?? "");
  }
  if (!sentence.endsWith(RETRY_SUFFIX)) return undefined;
  const rest = translateToChinese(sentence.slice(0, -RETRY_SUFFIX.length));
  return rest === undefined ? undefined : `${rest}请再试一次。`;
}

/** Returns the texts between the pieces, or null if the sentence does not match them. */
function matchTemplate(sentence: string, pieces: readonly string[]): string[] | null {
  const pattern = pieces.map((piece) => piece.replace(/\W/g, "\\$&")).join("(.*)");
  return new RegExp(`^${pattern}$`, "s").exec(sentence)?.slice(1) ?? null;
}
