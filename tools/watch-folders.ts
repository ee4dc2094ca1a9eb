import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/**
 * Calls `saved` for each file that is saved, made or removed in a folder or below it. Each folder has a watch of its own. With `recursive`,
 * Node on Linux would go on watching the old file when an editor saves by replacing the file, and would see only the first of such saves.
 */
export function watchFolder(folder: string, saved: (file: string) => void): void {
  const watches = new Map<string, FSWatcher>()
  const begin = (at: string, found: (file: string) => void) => {
    watches.get(at)?.close()
    watches.set(
      at,
      watch(at, (_event, name) => name !== null && look(path.join(at, name))),
    )
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name)
      if (entry.isDirectory()) begin(file, found)
      else found(file)
    }
  }
  const look = (file: string) => {
    // A new folder may hold files that were made before its watch began.
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) begin(file, saved)
    else saved(file)
  }
  begin(folder, () => {})
}
