import type { ImapFlow } from 'imapflow'
import type { App } from '#foundation/server/app.ts'
import { messageOf } from '#foundation/server/error-code.ts'
import { must } from '#foundation/must.ts'
import { MOST_MAIL_BYTES } from '#features/support/mail/rules.ts'
import { connectMailbox, doneFolder } from './imap.ts'
import { receive } from './receive.ts'
import { TOO_LARGE } from './facts.ts'

type Watched = {
  client: ImapFlow
  /** The folder for the mails that are stored; undefined once it took none, so that it is looked for anew. */
  done: string | undefined
  /** The mails that are stored and could not be moved yet: they are not downloaded again. */
  left: Set<number>
  looksAt_ms: number
  hasNews: boolean
}

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
  const box: Watched = { client, done, left: new Set(), looksAt_ms: 0, hasNews: true }
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

/** Stores all mails, also those behind one that the folder `Done` does not take; the move is tried once more at the next look. */
async function readAll(app: App, box: Watched): Promise<void> {
  const { client } = box
  box.done ??= await doneFolder(client)
  const uids = (await client.search({ all: true }, { uid: true })) || []
  box.left = new Set(uids.filter((uid) => box.left.has(uid)))
  for (const uid of uids) {
    if (!box.left.has(uid)) {
      const bytes = await bytesOf(client, uid)
      // Another process may have moved it by now.
      if (!bytes) continue
      await receive(app, { bytes, way: 'imap' })
      box.left.add(uid)
    }
    if (box.done === undefined) continue
    if (await client.messageMove(String(uid), box.done, { uid: true })) box.left.delete(uid)
    else {
      app.log.warn({ folder: box.done }, 'mail: stored mails cannot be moved; it is tried again')
      box.done = undefined
    }
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
