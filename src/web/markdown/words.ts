import type { Words } from "../language.ts";

export const WORDS = {
  en: {
    code: "Code",
    copyCode: "Copy the code",
    table: "Table",
    picture: "Image: {name}",
    done: "Done",
    open: "Open",
    rest: "Show the rest: {count, plural, one {# character} other {# characters}}",
    plain: "Shown as it was written: it is too long or too nested to be laid out.",
  },
  "zh-CN": {
    code: "代码",
    copyCode: "复制代码",
    table: "表格",
    picture: "图片：{name}",
    done: "已完成",
    open: "未完成",
    rest: "显示其余 {count, number} 个字符",
    plain: "内容过长或嵌套过深，按原文显示。",
  },
} satisfies Words<string>;
