import type { ImapFlow } from 'imapflow'
import { isLoopbackName } from '#foundation/server/loopback.ts'
import { must } from '#foundation/must.ts'
import type { MailIn } from './settings.ts'

/** Connects to the mailbox and opens its folder. Throws what the server answers; never later than after 30 s. */
export async function connectMailbox({ imapUrl, folder }: MailIn): Promise<ImapFlow> {
  const url = new URL(must(imapUrl).reveal())
  const secure = url.protocol === 'imaps:'
  // Loaded at the first connection: most installations never need it.
  const { ImapFlow: Client } = await import('imapflow')
  const client = new Client({
    host: url.hostname,
    port: Number(url.port) || (secure ? 993 : 143),
    secure,
    // The attack is somebody on the way who hides STARTTLS, and reads the password.
    ...(!secure && { doSTARTTLS: !isLoopbackName(url.hostname) }),
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 600_000,
    maxIdleTime: 300_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.mailboxOpen(folder)
  } catch (error) {
    client.close()
    throw error
  }
  return client
}

/** Returns the folder for the mails that are stored, made where it is not there. */
export async function doneFolder(client: ImapFlow): Promise<string> {
  const { path, delimiter } = must(client.mailbox || undefined)
  const name = `${path}${delimiter}Done`
  const folders = await client.list()
  if (!folders.some((known) => known.path === name)) await client.mailboxCreate(name)
  return name
}

/** Looks into the mailbox, as the doctor does: how many mails wait, and the folder for those that are stored. */
export async function examineMailbox(mailIn: MailIn): Promise<{ waiting: number; done: string }> {
  const client = await connectMailbox(mailIn)
  try {
    const done = await doneFolder(client)
    return { waiting: must(client.mailbox || undefined).exists, done }
  } finally {
    client.close()
  }
}
