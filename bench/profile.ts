export async function profile(say: (line: string) => void): Promise<string> { say("-"); return ""; }
