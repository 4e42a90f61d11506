/**
 * What was dropped on the page: files, or a folder with files in it.
 *
 * @param {DataTransfer} data
 * @returns {Promise<{files: File[], folder: string}>} folder: its name, empty where there is none
 */
export async function dropped(data) {
  const files = [...data.files]; // the browser takes them away when the event is over
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const [folder] = entries.filter((entry) => entry?.isDirectory);
  if (!folder) return { files, folder: "" };
  const inside = await filesIn(/** @type {FileSystemDirectoryEntry} */ (folder));
  return { files: inside, folder: folder.name };
}

/** The files that lie in a folder, not those of folders in it. @param {FileSystemDirectoryEntry} folder */
async function filesIn(folder) {
  const reader = folder.createReader();
  /** @type {File[]} */
  const files = [];
  for (;;) {
    const some = await promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return files;
    for (const entry of some) {
      if (!entry.isFile) continue;
      const { file } = /** @type {FileSystemFileEntry} */ (entry);
      files.push(await promise(file.bind(entry)));
    }
  }
}

/** @template T @param {(resolve: (value: T) => void, reject: (error: Error) => void) => void} ask @returns {Promise<T>} */
const promise = (ask) => new Promise(ask);
