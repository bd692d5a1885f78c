import type { Words } from "../../language.ts";

export const WORDS = {
  en: {
    signInTitle: "Sign in to Orrery",
    signInMore: "This server wants to know who you are. Whoever runs it gives you a token.",
    tokenExpired: "You have been signed out: your token is no longer accepted. Sign in with a new one to go on.",
    token: "Token",
    tokenHint: "It stays in this browser until you sign out.",
    tokenMissing: "Paste your token here.",
    tokenRefused: "The server does not accept this token. Check that it was copied whole and has not expired.",
    signIn: "Sign in",
    signingIn: "Signing in …",
  },
  "zh-CN": {
    signInTitle: "登录 Orrery",
    signInMore: "此服务器需要确认你的身份。请向服务器的管理者索取令牌。",
    tokenExpired: "你已退出登录：原来的令牌不再有效。请用新的令牌登录后继续。",
    token: "令牌",
    tokenHint: "令牌保存在此浏览器中，直到你退出登录。",
    tokenMissing: "请在此粘贴令牌。",
    tokenRefused: "服务器不接受这个令牌。请检查是否复制完整、是否已过期。",
    signIn: "登录",
    signingIn: "正在登录…",
  },
} satisfies Words<string>;
