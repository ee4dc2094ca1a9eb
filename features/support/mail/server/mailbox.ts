import type { ImapFlow } from 'imapflow'
import type { App } from '#foundation/server/app.ts'
import { messageOf } from '#foundation/server/error-code.ts'
import { must } from '#foundation/must.ts'
import { MOST_MAIL_BYTES } from '#features/support/mail/rules.ts'
import { connectMailbox, doneFolder } from './imap.ts'
import { receive } from './receive.ts'
import { TOO_LARGE } from './facts.ts'

type Watched = { client: ImapFlow; done: string; looksAt_ms: number; hasNews: boolean }

const watched = new WeakMap<App['pool'], Watched>()
const failed = new WeakMap<App['pool'], number>()

/** The longest time until a mail is seen where the server does not tell of it (IDLE). */
const LOOKS_EVERY_MS = 60_000

/**
 * Reads the mailbox: at once when its server tells of a new mail, and each minute. The connection stays open in between. Each mail is stored, and
 * moved only after the commit: a process that dies in between finds it once more, and knows it.
 */
export async function watchMailbox(app: App): Promise<void> {
  if (!app.config.mailIn?.imapUrl || Date.now() < (failed.get(app.pool) ?? 0)) return
  try {
    const box = watched.get(app.pool) ?? (await open(app))
    if (!box.hasNews && Date.now() < box.looksAt_ms) return
    box.hasNews = false
    box.looksAt_ms = Date.now() + LOOKS_EVERY_MS
    await readAll(app, box)
  } catch (error) {
    failed.set(app.pool, Date.now() + LOOKS_EVERY_MS / 4)
    app.log.warn({ reason: messageOf(error) }, 'mail: the mailbox cannot be read; it is tried again')
    await closeMailbox(app)
  }
}

/** Ends the connection, as after the last look of a process. */
export async function closeMailbox(app: App): Promise<void> {
  const box = watched.get(app.pool)
  watched.delete(app.pool)
  if (box) box.client.close()
}

async function open(app: App): Promise<Watched> {
  const client = await connectMailbox(must(app.config.mailIn))
  const done = await doneFolder(client).catch((error: unknown) => {
    client.close()
    throw error
  })
  const box = { client, done, looksAt_ms: 0, hasNews: true }
  client.on('exists', () => {
    box.hasNews = true
  })
  client.on('close', () => {
    if (watched.get(app.pool) === box) watched.delete(app.pool)
  })
  client.on('error', () => {})
  watched.set(app.pool, box)
  return box
}

async function readAll(app: App, { client, done }: Watched): Promise<void> {
  const uids = (await client.search({ all: true }, { uid: true })) || []
  for (const uid of uids) {
    const bytes = await bytesOf(client, uid)
    // Another process may have moved it by now.
    if (!bytes) continue
    await receive(app, { bytes, way: 'imap' })
    await client.messageMove(String(uid), done, { uid: true })
  }
}

/** Returns a mail; of one that is too large its headers alone, with a mark. */
async function bytesOf(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const [at, by] = [String(uid), { uid: true }]
  const found = await client.fetchOne(at, { size: true }, by)
  if (!found) return undefined
  const isTooLarge = (found.size ?? 0) > MOST_MAIL_BYTES
  const mail = await client.fetchOne(at, isTooLarge ? { headers: true } : { source: true }, by)
  if (!mail) return undefined
  if (!isTooLarge) return mail.source
  return (
    mail.headers && Buffer.concat([Buffer.from(`${TOO_LARGE}: yes\r\n`), mail.headers.subarray(0, 500_000)])
  )
}
