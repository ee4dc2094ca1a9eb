import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const FILES = { id: '/etc/machine-id', boot: '/proc/sys/kernel/random/boot_id' }

/**
 * Tells this machine from others with the same licence: a digest of the host's id and of the machine's own. Nothing while no
 * document names the host, null for a machine without an id. `boot` tells it from clones that have the same id: each starts by itself.
 * @param {string} folder where licence.jws is kept
 * @param {{ id: string, boot: string }} [files]
 * @returns {Promise<{ fingerprint?: string | null, boot?: string }>}
 */
export async function readFingerprint(folder, files = FILES) {
  const sub = subjectOf(await readFile(path.join(folder, 'licence.jws'), 'utf8').catch(() => ''))
  if (sub === undefined) return {}
  const read = async (/** @type {string} */ file) => (await readFile(file, 'utf8').catch(() => '')).trim()
  const digest = (/** @type {string} */ text) => createHash('sha256').update(`${sub}${text}`).digest('hex')
  const [id, boot] = [await read(files.id), await read(files.boot)]
  return {
    fingerprint: id === '' ? null : digest(id),
    ...(id !== '' && boot !== '' && { boot: digest(boot) }),
  }
}

/** @param {string} document one that was judged when it was kept */
function subjectOf(document) {
  try {
    const claims = /** @type {unknown} */ (
      JSON.parse(Buffer.from(document.split('.')[1] ?? '', 'base64url').toString('utf8'))
    )
    const { sub } = Object.fromEntries(Object.entries(claims ?? {}))
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}
