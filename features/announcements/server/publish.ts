import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { By } from '#foundation/server/approvals/requested-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import * as contract from '#features/announcements/contract.ts'
import { faultsOf, inAny, MAILED_ALONE } from '#features/announcements/rules.ts'
import { chosenBy, refuseIban } from './chosen.ts'
import { DELIVER } from './deliver.ts'
import * as queries from './queries.ts'
import type { AnnouncementRow } from './queries.ts'
import { inEach, openAnnouncement, reply } from './write.ts'

/** Answers `GET /api/staff/announcements/{announcementId}/recipients/`. */
export const recipients = handler(contract.countRecipients, async ({ app, params }) => {
  const row = await queries.announcementById(app.db, params.announcementId)
  if (!row) throw notFound()
  const { customers, mails } = await readersOf(app, app.db, row)
  return { status: 200, body: { customers, mails, needs_approval: needsApproval(row, mails) } }
})

/** Counts the readers that an announcement would have now. */
export const readersOf = async (app: App, db: App['db'], row: Pick<AnnouncementRow, 'kind' | 'scope'>) =>
  queries.countReaders(db, row, await chosenBy(app, db, row.scope))

const needsApproval = ({ mail }: AnnouncementRow, mails: number): boolean => mail && mails > MAILED_ALONE

/** The input of the action. Without a version the announcement is published as it is now. */
type Input = { announcement_id: string; version?: number }

/** Answers `POST /api/staff/announcements/{announcementId}/publication/`. */
export const publication = handler(contract.publishAnnouncement, (call) => {
  const { app, params, body } = call
  return withApproval(contract.publishAnnouncement, call, publishAct, async (tx) => {
    const input = { announcement_id: params.announcementId, version: body.version }
    const row = await publishable(tx, input)
    const always = row.mail && needsApproval(row, (await readersOf(app, tx, row)).mails)
    return { customer_id: null, amount: null, input, reason: inAny(row.title).en, links: [], always }
  })
})

/**
 * The action of publishing, for which a second person may be needed. The attack is a member of staff, or a thief of their session, who
 * mails a link to a phishing page to all customers in the name of the company.
 */
export const publishAct: ApprovableAct<Input> = {
  permission: contract.publishPermission,
  async run(app, tx, { input }, by) {
    const row = await publish(app, tx, input, by)
    return { body: await reply(app, tx, row), result: { revision: row.revision } }
  },
  async preview(app, { input }) {
    const row = await queries.announcementById(app.db, input.announcement_id)
    if (!row) return []
    const { mails } = await readersOf(app, app.db, row)
    return [{ code: 'announcement', params: { title: inAny(row.title).en, mails: String(mails) } }]
  },
}

/** The publisher, for the audit: the people behind an approved action, or the command line, which has no origin. */
type Publisher = Omit<By, 'origin'> & Partial<Pick<By, 'origin'>>

/**
 * Publishes an announcement: customers read its present content from now on. Throws 404; 400 if a language or a time is missing, or the end
 * is invalid, and as `refuseIban` does; 409 `changed` if it has another version by now, `announcement_over`, `already_published`.
 */
export async function publish(
  app: App,
  tx: Tx,
  input: Input,
  { origin, ...by }: Publisher,
): Promise<AnnouncementRow> {
  const { id, scope } = await publishable(tx, input)
  await queries.publishRevision(tx, id, await chosenBy(app, tx, scope))
  const row = must(await queries.announcementById(tx, id))
  const { revision, kind, mail } = row
  await recordAction(tx, {
    user_id: null,
    act: 'announcement.published',
    ...origin,
    detail: { ...by, announcement_id: id, revision, kind, mail, title: inAny(row.title).en },
  })
  await tell(tx, id)
  return row
}

async function publishable(tx: Tx, { announcement_id, version }: Input): Promise<AnnouncementRow> {
  const row = await openAnnouncement(tx, announcement_id)
  if (version !== undefined && row.version !== version) throw new HttpError(409, [{ code: 'changed' }])
  if (!row.has_changes) throw new HttpError(409, [{ code: 'already_published' }])
  refuseIban(row.scope)
  const faults = faultsOf(row, new Date())
  if (faults.length > 0) throw new HttpError(400, faults)
  return row
}

/** Tells customers of a change by a job, as they may be many, and staff at once. */
async function tell(tx: Tx, id: string): Promise<void> {
  enqueue(tx, DELIVER, { id }, { key: `announcement:${id}` })
  await publishToStaff(tx, { type: contract.ANNOUNCEMENT_CHANGED })
}

/** Answers `POST /api/staff/announcements/{announcementId}/resolution/`. */
export const resolution = handler(contract.resolveAnnouncement, ({ app, actor, caller, params, body }) =>
  transaction(app, 'system', async (tx) => {
    const { id, kind, status, title } = await openAnnouncement(tx, params.announcementId)
    const text = body.text && inEach({ en: '', de: '', ru: '' }, body.text)
    const missing = (['en', 'de', 'ru'] as const).filter((locale) => text?.[locale].trim() === '')
    if (missing.length > 0)
      throw new HttpError(
        400,
        missing.map((locale) => ({ code: 'required', param: `text.${locale}` })),
      )
    const isResolved = kind === 'incident' && status === 'published'
    await queries.endAnnouncement(tx, id, {
      status: isResolved ? 'resolved' : 'cancelled',
      resolution: text ?? null,
    })
    await recordAction(tx, {
      user_id: null,
      act: isResolved ? 'announcement.resolved' : 'announcement.withdrawn',
      ...originOf(caller),
      detail: { by: actor.user_id, announcement_id: id, kind, title: inAny(title).en },
    })
    if (status === 'published') await tell(tx, id)
    return { status: 200, body: await reply(app, tx, must(await queries.announcementById(tx, id))) } as const
  }),
)
