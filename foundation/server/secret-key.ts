import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'
import { ConfigError } from './config-error.ts'
import { makeFolder } from './make-folder.ts'
import { Secret } from './secret.ts'

/** The key of this installation: made at the first start, read ever after. Readable by its owner alone. */
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

/** A link is made or it is not: of two first starts at once, both read the same key, and none a half-written one. */
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
