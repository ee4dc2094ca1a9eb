import { paths } from '#features/paths.ts'
import { mayDo } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { decidersOf } from '#foundation/server/approvals/allowances.ts'
import { actByName } from '#foundation/server/approvals/approvable-act.ts'
import type { Approval } from '#foundation/server/approvals/queries.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import type { PayloadOf } from '#foundation/contract.ts'
import type { autoTopUpPaused, chargeWaits } from '#features/auto-top-ups/contract.ts'
import type { announcementDelivered } from '#features/announcements/contract.ts'
import type { topUpRefused } from '#features/finance/contract.ts'
import type { alertNotified } from '#features/hosts/contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { renewalRefused } from '#features/sales/contract.ts'
import { helpersOfTicket } from '#features/sharing/server/sharing.ts'
import {
  deskPermission,
  type messageWritten,
  type ticketHandedOver,
} from '#features/support/tickets/contract.ts'
import { mentionedIn } from '#features/support/messages/rules.ts'
import { rolesFor } from '#features/support/tickets/rules.ts'
import { customerSideOf } from '#features/support/tickets/server/tickets.ts'
import { ticketThing } from './notifications.ts'
import { notify, PUBLISH_NEWS } from './notify.ts'
import { deleteUnreadAbout } from './queries.ts'

type Written = PayloadOf<typeof messageWritten>

/** A reply is told to the other side: to the customer and the helpers who wrote, or to the assignee. A note is told to whom it mentions. */
export async function tellMessage(app: App, tx: Tx, written: Written): Promise<void> {
  const { chat_id, kind, by_staff, author_id, assignee_id, customer_id } = written
  if (kind === 'note') return tellMentioned(app, tx, written)
  const about = { thing: ticketThing(chat_id), facts: { number: String(written.number) } }
  if (by_staff)
    await notify(tx, await customerSide(tx, written), {
      kind: 'reply',
      link: paths.ticket(chat_id),
      ...about,
    })
  else if (assignee_id !== null && assignee_id !== author_id && assignee_id !== customer_id)
    await notify(tx, [assignee_id], { kind: 'reply', link: paths.deskTicket(chat_id), ...about })
}

async function customerSide(tx: Tx, written: Written): Promise<string[]> {
  const { ticket_id, customer_id: owner_id, host_id, topic, first, author_id } = written
  // Only a ticket that somebody wrote in has helpers.
  const wrote = first ? [] : (await customerSideOf(tx, ticket_id)).filter((person) => person !== owner_id)
  const helpers = await helpersOfTicket(tx, wrote, { owner_id, host_id, roles: rolesFor(topic) })
  return [owner_id, ...helpers].filter((person) => person !== author_id)
}

async function tellMentioned(app: App, tx: Tx, written: Written): Promise<void> {
  if (!written.text.includes('@')) return
  const { chat_id, author_id, customer_id } = written
  const members = (await staffMembers(tx)).filter(
    ({ id, staff_roles }) => id !== author_id && id !== customer_id && mayDo(staff_roles, deskPermission),
  )
  const names = await displayNames(app, tx, [...members.map(({ id }) => id), author_id])
  const mentioned = mentionedIn(
    written.text,
    members.map(({ id }) => names.of(id)),
  )
  await notify(
    tx,
    mentioned.map(({ id }) => id),
    {
      kind: 'mention',
      thing: ticketThing(chat_id),
      link: paths.deskTicket(chat_id),
      facts: { number: String(written.number), by: names.of(author_id).name },
    },
  )
}

export async function tellAssigned(
  app: App,
  tx: Tx,
  { chat_id, number, to, by }: PayloadOf<typeof ticketHandedOver>,
): Promise<void> {
  const facts = {
    number: String(number),
    ...(by !== null && { by: (await displayNames(app, tx, [by])).of(by).name }),
  }
  await notify(tx, [to], {
    kind: 'assigned',
    thing: ticketThing(chat_id),
    link: paths.deskTicket(chat_id),
    facts,
  })
}

export async function tellAlert(
  _app: App,
  tx: Tx,
  { user_id, host, kind, is_over, count }: PayloadOf<typeof alertNotified>,
): Promise<void> {
  const news = host
    ? {
        thing: `host:${host.id}`,
        link: paths.host(host.id),
        facts: { host: host.name, alert: kind, state: is_over ? 'over' : 'open' },
      }
    : { thing: 'hosts', link: paths.hosts(), facts: { count: String(count) } }
  await notify(tx, [user_id], { kind: 'alert', ...news })
}

/** A proposal is told to those who may decide it, and its end to who asked. After it, nobody is waited for. */
export async function tellApproval(app: App, tx: Tx, approval: Approval): Promise<void> {
  const { id, act, status, proposed_by } = approval
  const about = { kind: 'approval', thing: `approval:${id}`, link: paths.approvals() } as const
  const deciders = (await decidersOf(app, tx, actByName(app, act), approval)).map((member) => member.id)
  if (status === 'proposed')
    return notify(tx, deciders, { ...about, facts: { act, state: 'waits' } }, { isMoney: true })
  const people = await deleteUnreadAbout(tx, about.thing, deciders)
  if (people.length > 0) enqueue(tx, PUBLISH_NEWS, { people })
  if (status === 'withdrawn') return undefined
  return notify(tx, [proposed_by], { ...about, facts: { act, state: status } }, { isMoney: true })
}

export async function tellPayment(
  _app: App,
  tx: Tx,
  { user_id, top_up, isOrder }: PayloadOf<typeof topUpRefused>,
): Promise<void> {
  const facts = { what: isOrder ? 'order' : 'top_up' }
  await notify(
    tx,
    [user_id],
    { kind: 'payment', thing: `top_up:${top_up}`, link: paths.finances(), facts },
    { isMoney: true },
  )
}

export async function tellChargeWaits(
  _app: App,
  tx: Tx,
  { user_id, run }: PayloadOf<typeof chargeWaits>,
): Promise<void> {
  const about = { thing: `top_up:${run}`, link: paths.allowCharge(run), facts: { what: 'charge_waits' } }
  await notify(tx, [user_id], { kind: 'payment', ...about }, { isMoney: true })
}

export async function tellPaused(
  _app: App,
  tx: Tx,
  { user_id }: PayloadOf<typeof autoTopUpPaused>,
): Promise<void> {
  const about = { thing: 'auto_top_up', link: paths.finances(), facts: { what: 'auto_top_up' } }
  await notify(tx, [user_id], { kind: 'payment', ...about }, { isMoney: true })
}

export async function tellRenewal(
  _app: App,
  tx: Tx,
  { user_id, host_id, host_name }: PayloadOf<typeof renewalRefused>,
): Promise<void> {
  const facts = { what: 'renewal', host: host_name }
  await notify(
    tx,
    [user_id],
    { kind: 'payment', thing: `renewal:${host_id}`, link: paths.host(host_id), facts },
    { isMoney: true },
  )
}

/** Notices stand on top of every page, so that any page shows the announcement. */
export async function tellAnnouncement(
  _app: App,
  tx: Tx,
  { announcement_id, user_ids }: PayloadOf<typeof announcementDelivered>,
): Promise<void> {
  await notify(tx, user_ids, {
    kind: 'announcement',
    thing: `announcement:${announcement_id}`,
    link: paths.hosts(),
    facts: {},
  })
}
