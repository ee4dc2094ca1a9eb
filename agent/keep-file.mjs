import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file whole or not at all: a crash leaves the former one. All may read it, for it is kept for other programs, which
 * need not run as root; a licence document and public keys are no secrets.
 * @param {string} file
 * @param {string} text
 */
export async function keepFile(file, text) {
  const fresh = `${file}.${process.pid}.new`
  try {
    const handle = await open(fresh, 'w', 0o644)
    try {
      // Regardless of this process's umask.
      await handle.chmod(0o644)
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
