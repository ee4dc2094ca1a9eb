import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/**
 * Tells of each file that is saved, made or removed in a folder or below it. Each folder has a watch of its own, by which the system names
 * the file: what Node makes of `recursive` on Linux stays with the bytes of a file that an editor has replaced by another, and of all such
 * saves sees the first.
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
    // A new folder may hold files that were made before it was watched.
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) begin(file, saved)
    else saved(file)
  }
  begin(folder, () => {})
}
