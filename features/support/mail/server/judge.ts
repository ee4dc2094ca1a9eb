import { canonicalEmail } from '#foundation/email-address.ts'
import type { App } from '#foundation/server/app.ts'
import { senderOf } from '#foundation/server/mail/smtp.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import type { DroppedReason, HeldReason } from '#features/support/mail/rules.ts'
import { looksLikeOurs, provenPurpose, readAddress } from './address.ts'
import { addressWith, type AddressRow } from './address-queries.ts'
import type { Facts } from './facts.ts'
import { namedSender, senderIn } from './mail.ts'
import type { ReadMail } from './read-mail.ts'
import { isBlockedSender } from './received-queries.ts'
import type { MailIn } from './settings.ts'
import type { Returned } from './returned.ts'
import { personOf } from './write-by-mail.ts'

/** The place of a held mail, as far as it is certain. */
type Belongs = { user_id?: string; address_id?: bigint; ticket_id?: bigint }

export type Verdict =
  | { do: 'drop'; reason: DroppedReason }
  | ({ do: 'hold'; reason: HeldReason } & Belongs)
  | { do: 'answer'; address: AddressRow }
  | { do: 'open'; user_id: string }
  | { do: 'return'; address: AddressRow; returned: Returned }

/**
 * Decides what becomes of a mail. The address that it was written to is the only authority: it names one ticket and one person. The sender in a
 * mail is a word that anybody can write; it must fit the person, and alone it opens nothing but a new ticket of its own.
 */
export async function judge(app: App, { facts, body }: ReadMail, envelope: string | null): Promise<Verdict> {
  if (!facts) return { do: 'hold', reason: 'unreadable' }
  const found = await addressesIn(app, facts, envelope)
  const back = found.find(({ purpose }) => purpose === 'return')
  if (back)
    return body?.returned
      ? { do: 'return', address: back.row, returned: body.returned }
      : { do: 'drop', reason: 'returned' }
  const from = senderIn(facts)
  const dropped = body?.returned ? 'returned' : facts.automatic
  if (dropped) return { do: 'drop', reason: dropped }
  if (isOwn(app, facts, from)) return { do: 'drop', reason: 'own_mail' }
  const isBlocked = () => isBlockedSender(app.db, namedSender(facts))
  if (from === undefined) return (await isBlocked()) ? BLOCKED : { do: 'hold', reason: 'odd_from' }
  const verdict = await judgeSender(app, { facts, from, found, envelope })
  // A block is of a name that anybody can write into a mail: it weighs nothing against the proof in the address of an answer.
  if (verdict.do !== 'answer' && (await isBlocked())) return BLOCKED
  if (body && !facts.too_large) return verdict
  const reason = facts.too_large ? 'too_large' : 'unreadable'
  return { ...(verdict.do === 'hold' ? verdict : belongs(verdict)), do: 'hold', reason }
}

const BLOCKED = { do: 'drop', reason: 'blocked_sender' } as const

type Found = { row: AddressRow; purpose: 'answer' | 'return' }
type Sent = { facts: Facts; from: string; found: readonly Found[]; envelope: string | null }

async function judgeSender(app: App, { facts, from, found, envelope }: Sent): Promise<Verdict> {
  const account = await findAccountByProvenEmail(app.db, from)
  const [one, ...others] = found
  if (others.length > 0) return { do: 'hold', reason: 'several_addresses' }
  if (one) return judgeAnswer(app, one.row, account, facts.forged)
  if (namesLostAddress(app, facts, envelope))
    return { do: 'hold', reason: 'unknown_address', ...accountIn(account) }
  if (!account) return { do: 'hold', reason: 'stranger' }
  const user_id = await personOf(app, account.user_id)
  if (facts.forged) return { do: 'hold', reason: 'forged', user_id }
  const user = await findUser(app.db, user_id)
  if (user?.is_staff) return { do: 'hold', reason: 'staff', user_id }
  return { do: 'open', user_id }
}

type Account = { user_id: string } | undefined

/** The sender fits the person in both directions of a merge: old mails and old mailboxes are those of the account that stays. */
async function judgeAnswer(
  app: App,
  address: AddressRow,
  sender: Account,
  forged: boolean,
): Promise<Verdict> {
  const { ticket_id, id: address_id } = address
  const user_id = await personOf(app, address.user_id)
  const held = { do: 'hold', user_id, address_id, ticket_id } as const
  if (!sender || (await personOf(app, sender.user_id)) !== user_id) return { ...held, reason: 'third_person' }
  return forged ? { ...held, reason: 'forged' } : { do: 'answer', address: { ...address, user_id } }
}

const belongs = (verdict: Verdict): Belongs => {
  if (verdict.do === 'open') return { user_id: verdict.user_id }
  if (verdict.do !== 'answer') return {}
  const { user_id, ticket_id, id: address_id } = verdict.address
  return { user_id, ticket_id, address_id }
}

const accountIn = (account: Account): Belongs => (account ? { user_id: account.user_id } : {})

/**
 * Finds the addresses that are ours, that still take answers, and whose proof is right; each once. A mail to two of our addresses is
 * brought as two copies, of which one is stored: what its author wrote in To and Cc counts for both, beside the recipient that the server names.
 * A server that names an address without proof brings nothing anywhere.
 */
async function addressesIn(app: App, facts: Facts, envelope: string | null): Promise<Found[]> {
  const { mailIn } = app.config
  if (!mailIn) return []
  if (envelope === null) return provenAmong(app, mailIn, facts.recipients)
  const brought = await provenAmong(app, mailIn, [envelope])
  if (brought.length === 0 && looksLikeOurs(mailIn, envelope)) return []
  const named = await provenAmong(app, mailIn, facts.named)
  const others = named.filter(
    ({ row, purpose }) => purpose === 'answer' && brought.every((one) => one.row.id !== row.id),
  )
  return [...brought, ...others]
}

async function provenAmong(app: App, mailIn: MailIn, addresses: readonly string[]): Promise<Found[]> {
  const found = new Map<bigint, Found>()
  for (const address of addresses) {
    const read = readAddress(mailIn, address)
    const row = read && (await addressWith(app.db, read.id))
    const purpose = read && row?.valid ? provenPurpose(app.keys, row, read.proof) : undefined
    if (row && purpose) found.set(row.id, { row, purpose })
  }
  return [...found.values()]
}

/** The recipient that the mail server names counts before the headers, and those that servers on the way noted count only without one. */
const recipientsOf = ({ recipients, named }: Facts, envelope: string | null): readonly string[] =>
  envelope === null ? recipients : [envelope, ...named]

const namesLostAddress = ({ config: { mailIn } }: App, facts: Facts, envelope: string | null): boolean =>
  mailIn !== undefined && recipientsOf(facts, envelope).some((address) => looksLikeOurs(mailIn, address))

/** True for a mail that this installation sent itself: it came back, or another desk answered in its name. */
function isOwn({ config }: App, { message_id }: Facts, from: string | undefined): boolean {
  const { mailIn, publicOrigin } = config
  const isOurId =
    /^[\da-f-]{36}@/u.test(message_id) && message_id.endsWith(`@${new URL(publicOrigin).hostname}`)
  if (isOurId || from === undefined) return isOurId
  const own = [senderOf(config).address, mailIn?.address].map((address) => address && canonicalEmail(address))
  return own.includes(from) || (mailIn !== undefined && looksLikeOurs(mailIn, from))
}
