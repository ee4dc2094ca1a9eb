import type { Act } from '#texts/acts.js'
import { paths } from '#features/paths.ts'
import { inOrder, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { withdrawAll } from '#foundation/server/approvals/decide.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { mailContext, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import * as contract from '#features/team/contract.ts'
import { staffInvitation } from './mails.ts'
import { lockApprovalsOf } from './end-invitations.ts'
import * as queries from './queries.ts'

type Invited = {
  email: string
  roles: readonly Role[]
  /** The id of the member who invites; null for the command line. */
  by: string | null
  /** The language of the mail if nobody has proven the address: the person's own language is unknown then. */
  locale: MailLocale
  origin?: { ip: string; user_agent: string; request_id: string }
}

const COMMAND_LINE = 'command line'

/** Invites an address to the staff at once, from the command line. Returns the row and the mailed link. */
export async function invite(
  app: App,
  tx: Tx,
  invited: Invited,
): Promise<{ invitation: queries.InvitationRow; link: string }> {
  const { id } = await prepareInvitation(app, tx, invited)
  const key = randomToken()
  return { invitation: await sendInvitation(app, tx, { ...invited, id, key }), link: linkOf(app, key) }
}

/**
 * Prepares the invitation of an address to the staff, without a mail yet. An open invitation to the address ends, as does its approval.
 * Nothing here depends on whether the address has an account; a member of staff is refused with 409 `already_member`.
 */
export async function prepareInvitation(
  app: App,
  tx: Tx,
  { email, roles, by, origin }: Omit<Invited, 'locale'>,
): Promise<queries.InvitationRow> {
  // Without the lock two calls at once would each end the earlier invitation, and the later call would miss the approval of the other one.
  await lockByName(tx, `invitation:${email}`)
  const account = await findAccountByProvenEmail(tx, email)
  const user = account && (await findUser(tx, account.user_id))
  if (user?.is_staff) throw new HttpError(409, [{ code: 'already_member' }])
  const replaced = (await queries.openInvitations(tx)).filter((open) => open.email === email)
  const waiting = await lockApprovalsOf(tx, replaced)
  const invitation = await queries.putInvitation(tx, { email, roles: inOrder(roles), invited_by: by })
  await withdrawAll(app, tx, waiting, { by: by ?? COMMAND_LINE, origin })
  await publishToStaff(tx, { type: contract.INVITATIONS_CHANGED })
  return invitation
}

type Sent = Pick<Invited, 'by' | 'origin'> & {
  id: string
  key?: string
  locale?: MailLocale
  /** Further fields of the audit line, such as the second owner. */
  detail?: Record<string, unknown>
}

/** Mails a prepared invitation: the mail has the only copy of the key. Throws 404 if the invitation is not open any more. */
export async function sendInvitation(
  app: App,
  tx: Tx,
  { id, key = randomToken(), by, origin, locale, detail }: Sent,
): Promise<queries.InvitationRow> {
  const invitation = await queries.renewInvitation(tx, { id, token_hash: hashToken(key), waits: true })
  if (!invitation) throw notFound()
  const account = await findAccountByProvenEmail(tx, invitation.email)
  const user = account && (await findUser(tx, account.user_id))
  // The person has joined the staff meanwhile in another way.
  if (user?.is_staff) throw new HttpError(409, [{ code: 'already_member' }])
  const inviter = by === null ? undefined : await findUser(tx, by)
  await record(tx, 'staff.invited', invitation, { by, origin, detail })
  await send(app, tx, invitation, key, user?.locale ?? locale ?? inviter?.locale ?? 'en')
  await publishToStaff(tx, { type: contract.INVITATIONS_CHANGED })
  return invitation
}

/** Ends an invitation that a second owner did not confirm. */
export async function dropInvitation(tx: Tx, id: string): Promise<void> {
  const invitation = await queries.invitationById(tx, id)
  if (invitation?.waits !== true) return
  await queries.revokeInvitations(tx, [id])
  await publishToStaff(tx, { type: contract.INVITATIONS_CHANGED })
}

type Again = Pick<Invited, 'locale' | 'origin'> & { id: string; by: string }

/**
 * Mails another key for an open invitation, also for an expired one. Throws 404 if it is accepted or withdrawn, or waits for a
 * second owner.
 */
export async function inviteAgain(
  app: App,
  tx: Tx,
  { id, by, locale, origin }: Again,
): Promise<queries.InvitationRow> {
  const key = randomToken()
  const invitation = await queries.renewInvitation(tx, { id, token_hash: hashToken(key), waits: false })
  if (!invitation) throw notFound()
  const account = await findAccountByProvenEmail(tx, invitation.email)
  const user = account && (await findUser(tx, account.user_id))
  await record(tx, 'staff.invited', invitation, { by, origin })
  await send(app, tx, invitation, key, user?.locale ?? locale)
  await publishToStaff(tx, { type: contract.INVITATIONS_CHANGED })
  return invitation
}

/** Withdraws an invitation. Throws 404 if it is not open any more. */
export async function withdraw(tx: Tx, { id, by, origin }: Omit<Again, 'locale'>): Promise<void> {
  const [invitation] = await queries.revokeInvitations(tx, [id])
  if (!invitation) throw notFound()
  await record(tx, 'staff.invitation_withdrawn', invitation, { by, origin })
  await publishToStaff(tx, { type: contract.INVITATIONS_CHANGED })
}

/** True if this key belongs to an open invitation to this address. */
export async function isInvited(db: App['db'], email: string, key: string): Promise<boolean> {
  return (await queries.invitationByKey(db, hashToken(key)))?.email === email
}

/** Returns the link that the mail holds. */
const linkOf = (app: App, key: string): string =>
  mailContext(app.config, 'en', app.config.timeZone).link(paths.signIn(), { invite: key })

/** The audit line holds no address: the person is known once they accept. */
async function record(
  tx: Tx,
  act: Act,
  { id, roles }: queries.InvitationRow,
  { by, origin, detail }: { [Name in 'by' | 'origin' | 'detail']?: Sent[Name] | undefined },
): Promise<void> {
  await recordAction(tx, {
    user_id: null,
    act,
    ...origin,
    detail: { by: by ?? COMMAND_LINE, invitation_id: id, roles, ...detail },
  })
}

async function send(
  app: App,
  tx: Tx,
  { email, roles, invited_by, expires_at }: queries.InvitationRow,
  key: string,
  locale: MailLocale,
): Promise<void> {
  const names = await displayNames(app, tx, [invited_by])
  const inviter = invited_by === null ? '' : names.of(invited_by).name
  const values = { email, roles, inviter, key, expires_at }
  await enqueueMail(app, tx, { user_id: null, to: email, locale, template: staffInvitation, values })
}
