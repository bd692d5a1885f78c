import type { Words } from "../language.ts";

export const WORDS = {
  en: {
    close: "Close",
    cancel: "Cancel",
    copy: "Copy",
    copied: "Copied",
    notCopied: "The browser does not allow copying here. Select the text and copy it yourself.",
    retry: "Try again",
    loading: "Loading …",
    more: "Show more",
    moreActions: "More actions",
    failed: "This could not be loaded",
    unreachable: "The server cannot be reached.",
    gone: "This is not here",
    goneMore: "It was deleted, or it belongs to somebody else.",
  },
  "zh-CN": {
    close: "关闭",
    cancel: "取消",
    copy: "复制",
    copied: "已复制",
    notCopied: "浏览器不允许在此复制。请选中文字后自行复制。",
    retry: "重试",
    loading: "加载中…",
    more: "显示更多",
    moreActions: "更多操作",
    failed: "加载失败",
    unreachable: "无法连接到服务器。",
    gone: "这里没有内容",
    goneMore: "它可能已被删除，或者不属于你。",
  },
} satisfies Words<string>;
