import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'
import { makeFolder } from '#foundation/server/make-folder.ts'
import { assertKey } from './keys.ts'
import type { Kept, Storage } from './store.ts'

/** Keeps files in folders by the first two digits of their keys, so that no folder grows beyond what tools can list. */
export function storeOnDisk(folder: string): Storage {
  const incoming = path.join(folder, 'incoming')
  const placeOf = (key: string) => {
    assertKey(key)
    return path.join(folder, key.slice(0, 2), key)
  }
  return {
    get incoming() {
      makeFolder(incoming, 0o700)
      return incoming
    },
    async keep(key, from) {
      const to = placeOf(key)
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
      await rename(from, to)
      await settle(path.dirname(to))
    },
    async open(key) {
      try {
        // Opened before the answer begins, so that a missing file is 404 and not half an answer.
        const file = await open(placeOf(key))
        return file.createReadStream()
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(key) {
      await rm(placeOf(key), { force: true })
    },
    list: () => listIn(folder),
  }
}

/** Flushes the list of names of a folder to the disk: without that, a power cut may lose the new name of a file whose bytes are safe. */
async function settle(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* listIn(folder: string): AsyncGenerator<Kept> {
  for (const shelf of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(shelf)) continue
    for (const key of await namesIn(path.join(folder, shelf))) {
      const found = await stat(path.join(folder, shelf, key)).catch(() => undefined)
      if (found?.isFile()) yield { key, changed_at: found.mtime }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
