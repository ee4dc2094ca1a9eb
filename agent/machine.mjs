import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const ID_FILE = '/etc/machine-id'

/**
 * Tells this machine from others with the same licence: a digest of the host's id and of the machine's own. Nothing while no
 * document names the host, null for a machine without an id.
 * @param {string} folder where licence.jws is kept
 * @param {string} [file] where the machine's id is
 * @returns {Promise<{ fingerprint?: string | null }>}
 */
export async function readFingerprint(folder, file = ID_FILE) {
  const sub = subjectOf(await readFile(path.join(folder, 'licence.jws'), 'utf8').catch(() => ''))
  if (sub === undefined) return {}
  const id = (await readFile(file, 'utf8').catch(() => '')).trim()
  return { fingerprint: id === '' ? null : createHash('sha256').update(`${sub}${id}`).digest('hex') }
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
