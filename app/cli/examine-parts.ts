import { randomBytes } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { spaceOn } from '#foundation/server/full-disk.ts'
import { senderOf, smtpOptions } from '#foundation/server/mail/smtp.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import { Warning } from './warning.ts'

/**
 * Warns of a full disk: below 5 % or 1 GB uploads are refused (rule 42). If the database and the bucket are elsewhere, the data
 * folder may not exist yet; then its nearest parent is examined.
 */
export function examineDisk({ dataDir }: Config): string {
  const folder = existing(dataDir)
  const { bavail, blocks, bsize } = statfsSync(folder)
  const free_gb = (bavail * bsize) / 1e9
  const share = bavail / blocks
  const line = `${free_gb.toFixed(free_gb < 10 ? 2 : 0)} GB (${Math.round(share * 100)} %) free in ${dataDir}`
  if (spaceOn(folder).isFull)
    throw new Error(
      `it is full, only ${line}: nothing can be saved, and PostgreSQL does not start. Make room.`,
    )
  if (free_gb < 1 || share < 0.05) throw new Error(`only ${line}: uploads are refused. Make room.`)
  if (share < 0.1) throw new Warning(`only ${line}. Make room soon.`)
  return line
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(path.dirname(folder)))

/** Stores a file as an upload does, reads it and removes it. */
export async function examineStorage(config: Config): Promise<string> {
  const where = config.bucket ? `the bucket ${config.bucket.name}` : path.join(config.dataDir, 'files')
  const storage = openStorage(config)
  const key = randomBytes(16).toString('hex')
  const from = path.join(storage.incoming, key)
  try {
    await writeFile(from, key)
    await storage.keep(key, from)
    const stream = await storage.open(key)
    if (!stream || (await buffer(stream)).toString() !== key) throw new Error('what was kept is not there')
    await storage.remove(key)
  } catch (error) {
    throw new Error(`a file cannot be kept and read in ${where}: ${errorLines(error).join(' ')}`, {
      cause: error,
    })
  } finally {
    await rm(from, { force: true })
  }
  return `a file was kept, read and removed in ${where}`
}

/** Signs in at the mail server. If `to` is given, sends a mail to this address. */
export async function examineMail(config: Config, to: string | undefined): Promise<string> {
  if (!config.smtpUrl) {
    if (to) throw new Error('no SMTP_URL, so no mail can be sent. Set SMTP_URL.')
    return 'no SMTP_URL; mails are kept and shown at /dev/mail/'
  }
  const transport = createTransport({
    ...smtpOptions(config),
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
  })
  try {
    await transport.verify()
    if (!to) return 'the server takes our sign-in; doctor --mail ADDRESS sends a mail'
    const { response } = await transport.sendMail({
      from: senderOf(config),
      to: { name: '', address: to },
      subject: `A test of ${config.operator.name}`,
      text: `hostdesk doctor sent this mail from ${config.publicOrigin}. Where you read it, mails arrive.\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return `sent to ${to}, from ${config.mailFrom}; the server answered: ${response}`
  } catch (error) {
    throw new Error(`the server of SMTP_URL does not: ${errorLines(error).join(' ')}. Correct SMTP_URL.`, {
      cause: error,
    })
  } finally {
    transport.close()
  }
}
