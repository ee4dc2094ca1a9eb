import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import { MOST_BYTES } from '#features/support/files/rules.ts'
import { folderWithSpace, keepAttachment } from '#features/support/files/server/files.ts'
import { lengths } from '#features/support/tickets/rules.ts'

/** A mail holds more files, or larger ones, than a message may have. */
export class TooManyFiles extends Error {}

type Files = { name: string; bytes: Uint8Array }[]

/** Parts the files of a mail into the first ones that one message may have, and all others. */
export function partFiles(files: Files): { fitting: Files; others: Files } {
  const fitting = files.filter(({ bytes }) => bytes.length <= MOST_BYTES).slice(0, lengths.attachments)
  return { fitting, others: files.filter((file) => !fitting.includes(file)) }
}

/**
 * Keeps the files of a mail as the uploads of a person, by the same checks, until a message uses them. Throws TooManyFiles, 413
 * `quota_exceeded`, and 503 if the disk is nearly full.
 */
export async function keepFiles(app: App, user_id: string, files: Files): Promise<string[]> {
  if (partFiles(files).others.length > 0) throw new TooManyFiles()
  const ids: string[] = []
  for (const { name, bytes } of files) {
    const at = path.join(await folderWithSpace(app), randomUUID())
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
