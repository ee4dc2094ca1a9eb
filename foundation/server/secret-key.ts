import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'
import { ConfigError } from './config-error.ts'
import { makeFolder } from './make-folder.ts'
import { Secret } from './secret.ts'

/**
 * Returns the key of this installation: the first start makes it, later starts read it. Only the owner of the file can read it. Throws
 * ConfigError if DATA_DIR cannot be used.
 */
export function keepSecretKey(dataDir: string): Secret {
  const file = path.join(dataDir, 'secret-key')
  try {
    makeFolder(dataDir, 0o755)
    if (!fs.existsSync(file)) writeOnce(file, randomBytes(32).toString('base64url'))
    return new Secret(fs.readFileSync(file, 'utf8').trim())
  } catch (error) {
    const reason = errorCode(error) ?? String(error)
    throw new ConfigError([
      `DATA_DIR: cannot use ${file} (${reason}). Set DATA_DIR to a folder that this user may write to.`,
    ])
  }
}

/**
 * Writes the file unless it exists. A link is made completely or not at all: two processes that start for the first time at once read the
 * same key, and neither reads a half-written one.
 */
function writeOnce(file: string, value: string): void {
  const fresh = `${file}.${process.pid}`
  fs.writeFileSync(fresh, `${value}\n`, { mode: 0o600, flush: true })
  try {
    fs.linkSync(fresh, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh, { force: true })
  }
}
