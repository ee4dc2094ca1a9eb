import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  globSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * Packs the folder `name` in `folder`. All entries are sorted and have the same time, owner and mode, so that the same files give
 * the same bytes.
 */
export async function pack(folder: string, name: string, archive: string, made: Date): Promise<void> {
  const tar = archive.replace(/\.gz$/, '')
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--format=gnu',
  ]
  const time = `--mtime=@${made.getTime() / 1000}`
  const env = { ...process.env, LC_ALL: 'C' }
  execFileSync('tar', ['-cf', tar, '-C', folder, ...same, time, name], { env })
  // Node's own gzip writes neither a name nor a time, and is the same on every machine.
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(archive))
  rmSync(tar)
}

/** Returns the size in bytes of all files in a folder and below it. */
export function bytesIn(folder: string): number {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).size, 0)
}

/** Returns the SHA-256 sums of the files in a folder, as `sha256sum -c` reads them. */
export const sumsOf = (folder: string): string =>
  readdirSync(folder)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')
