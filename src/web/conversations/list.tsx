export function ConversationList() {
  return null;
}
