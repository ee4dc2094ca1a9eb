import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file whole or not at all, readable by its owner alone: a crash leaves the former one.
 * @param {string} file
 * @param {string} text
 */
export async function keepFile(file, text) {
  const fresh = `${file}.${process.pid}.new`
  try {
    const handle = await open(fresh, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } finally {
    await rm(fresh, { force: true })
  }
}
