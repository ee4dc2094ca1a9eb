import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { hourly, type HeldReason } from '#features/support/mail/rules.ts'
import { judge, type Verdict } from './judge.ts'
import { keepFiles, TooManyFiles } from './mail-files.ts'
import { aboutMail, type Mail } from './mail.ts'
import { publishHeld } from './publish-held.ts'
import { readMail } from './read-mail.ts'
import * as queries from './received-queries.ts'
import { noteReturned } from './returns.ts'
import { openByMail, writeByMail, writerFor, type Writer } from './write-by-mail.ts'

/**
 * Decides about one stored mail, and posts it. The message and the note about the mail are one transaction, so that a process that dies
 * in between neither loses nor doubles anything.
 */
export async function postMail(app: App, { id }: { id: string }): Promise<void> {
  const stored = await queries.newMail(app.db, id)
  if (!stored) return
  const read = await readMail(app, stored.content)
  const verdict = await judge(app, read, stored.recipient)
  const mail: Mail = { id, digest: stored.digest, about: aboutMail(read), read }
  try {
    await carryOut(app, mail, verdict)
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) throw error
    await once(app, id, (tx) => hold(tx, mail, { ...placeOf(verdict), reason }))
  }
}

async function carryOut(app: App, mail: Mail, verdict: Verdict): Promise<void> {
  const { id, about } = mail
  if (verdict.do === 'drop')
    return once(app, id, (tx) => queries.decide(tx, id, about, { state: 'dropped', reason: verdict.reason }))
  if (verdict.do === 'return')
    return once(app, id, async (tx) => {
      await noteReturned(tx, verdict.address, verdict.returned)
      await queries.decide(tx, id, about, { state: 'dropped', reason: 'returned' })
    })
  if (verdict.do === 'hold') return once(app, id, (tx) => hold(tx, mail, verdict))
  const writer = await writerFor(app, verdict)
  if ('reason' in writer)
    return once(app, id, (tx) => hold(tx, mail, { ...placeOf(verdict), reason: writer.reason }))
  await post(app, mail, verdict, writer)
}

type Posted = Extract<Verdict, { do: 'answer' | 'open' }>

async function post(app: App, mail: Mail, verdict: Posted, writer: Writer): Promise<void> {
  const { id, about, read } = mail
  const attachment_ids = await keepFiles(app, writer.person_id, read.body?.files ?? [])
  const address_id = verdict.do === 'answer' ? verdict.address.id : null
  await once(writer.app, id, async (tx) => {
    if (isTooMany(await queries.recentMails(tx, { from_address: about.from_address, address_id })))
      return hold(tx, mail, { ...placeOf(verdict), reason: 'too_many' })
    const written = { mail, attachment_ids, left_out: [], writer }
    const place =
      verdict.do === 'answer'
        ? await writeByMail(tx, verdict.address.chat_id, written)
        : await openByMail(tx, written)
    await queries.decide(tx, id, about, {
      state: 'posted',
      reason: null,
      user_id: writer.person_id,
      address_id,
      ...place,
    })
  })
}

const isTooMany = ({ sender, address, all }: queries.Recent): boolean =>
  sender >= hourly.sender || address >= hourly.address || all >= hourly.all

type Held = { reason: HeldReason; user_id?: string; address_id?: bigint; ticket_id?: bigint }

async function hold(tx: Tx, { id, about }: Mail, held: Held): Promise<void> {
  const { reason, user_id, address_id, ticket_id } = held
  await queries.decide(tx, id, about, {
    state: 'held',
    reason,
    user_id: user_id ?? null,
    address_id: address_id ?? null,
    ticket_id: ticket_id ?? null,
  })
  await publishHeld(tx, { user_id: reason === 'third_person' ? user_id : undefined })
}

/** Does the work unless something is decided about the mail by now: two processes may have its job at once. */
const once = (app: App, id: string, work: (tx: Tx) => Promise<void>): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    if (await queries.lockMail(tx, id, 'new')) await work(tx)
  })

function placeOf(verdict: Verdict): Omit<Held, 'reason'> {
  if (verdict.do === 'open') return { user_id: verdict.user_id }
  if (verdict.do !== 'answer') return {}
  const { user_id, ticket_id, id: address_id } = verdict.address
  return { user_id, ticket_id, address_id }
}

/** Returns why a mail that may be posted cannot be; undefined for an error that passes. */
function reasonOf(error: unknown): HeldReason | undefined {
  if (error instanceof TooManyFiles) return 'files'
  if (!(error instanceof HttpError)) return undefined
  return refusals[error.errors[0]?.code ?? '']
}

const refusals: Readonly<Record<string, HeldReason>> = {
  ticket_closed: 'ticket_closed',
  required: 'no_text',
  quota_exceeded: 'files',
  too_many_attachments: 'files',
  not_found: 'lost_access',
}
