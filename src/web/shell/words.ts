import type { Words } from "../language.ts";

export const WORDS = {
  en: {
    skip: "Skip to the content",
    openMenu: "Open the menu",
    closeMenu: "Close the menu",
    newConversation: "New conversation",
    agents: "Agents",
    schedules: "Schedules",
    tools: "Tools",
    pages: "Pages",
    plans: "Plans",
    areas: "Areas",
    notFound: "Nothing here",
    notFoundMore: "There is no such page",
  },
  "zh-CN": {
    skip: "跳到正文",
    openMenu: "打开菜单",
    closeMenu: "关闭菜单",
    newConversation: "新对话",
    agents: "智能体",
    schedules: "定时任务",
    tools: "工具",
    pages: "页面",
    plans: "流程",
    areas: "功能",
    notFound: "这里什么都没有",
    notFoundMore: "页面不存在",
  },
} satisfies Words<string>;
