import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import { MOST_BYTES } from '#features/support/files/rules.ts'
import { keepAttachment } from '#features/support/files/server/files.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import type { MailBody } from './read-mail.ts'

/** A mail holds more files, or larger ones, than a message may have. */
export class TooManyFiles extends Error {}

/**
 * Keeps the files of a mail as the uploads of a person, by the same checks, until a message uses them. Throws TooManyFiles, and 413
 * `quota_exceeded`.
 */
export async function keepFiles(app: App, user_id: string, files: MailBody['files']): Promise<string[]> {
  if (files.length > lengths.attachments || files.some(({ bytes }) => bytes.length > MOST_BYTES))
    throw new TooManyFiles()
  const ids: string[] = []
  for (const { name, bytes } of files) {
    const at = path.join(app.storage.incoming, randomUUID())
    await writeFile(at, bytes, { flag: 'wx', mode: 0o600, flush: true })
    const { id } = await keepAttachment(
      app,
      { user_id, uploader_id: user_id },
      {
        path: at,
        name,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest(),
        head: Buffer.from(bytes.subarray(0, 65_536)),
        is_text: isText(bytes),
      },
    )
    ids.push(id)
  }
  return ids
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
