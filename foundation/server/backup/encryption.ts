import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { open, seal, type SealedFor } from './age/age.ts'

/** The keys or the passphrase that may open an archive. */
export type OpenedBy = { passphrase?: string | undefined; identityFile?: string | undefined }

export const isEncrypted = (beginning: Buffer): boolean =>
  beginning.toString('latin1').startsWith('age-encryption.org/')

/** Returns the bytes encrypted in the format of age; without `sealedFor`, the bytes as they are. */
export const encrypting = (
  plain: AsyncIterable<Buffer>,
  sealedFor: SealedFor | undefined,
): AsyncIterable<Buffer> => (sealedFor ? seal(plain, sealedFor) : plain)

/**
 * Returns the decrypted bytes. Throws if no key and no passphrase is given (the message says how to give one), or if neither opens the
 * archive.
 */
export async function decrypting(
  sealed: Readable,
  { passphrase, identityFile }: OpenedBy,
): Promise<Readable> {
  if (passphrase === undefined && identityFile === undefined)
    throw new Error(
      'The backup is encrypted. Set BACKUP_PASSPHRASE, or name the file of its key by --identity.',
    )
  const identities = identityFile === undefined ? [] : await identitiesIn(identityFile)
  const plain = await open(sealed, { passphrase, identities })
  if (plain) return Readable.from(plain, { objectMode: false })
  sealed.destroy()
  throw new Error('The backup is encrypted for another key or passphrase.')
}

/** The keys in a file that age-keygen wrote. */
const identitiesIn = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('AGE-SECRET-KEY-'))
