import { readFile } from "node:fs/promises";

/** Memory of a process that is its own, MB. @param {number} pid */
export async function resident(pid) {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/RssAnon:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1000;
}
