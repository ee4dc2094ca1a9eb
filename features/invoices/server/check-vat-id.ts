import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { billingDetails, vatIdsAfter } from '#features/profile/server/profile.ts'
import { vatIdNotVerified, vatIdVerified } from './mails.ts'
import { databaseTime } from './queries.ts'
import { recorded, type VatIdAnswer } from './vat-id-source.ts'
import { isAskable, isFresh } from './vat.ts'
import * as evidence from './vat-evidence-queries.ts'

/** The job that asks an authority about a customer's VAT id. Sales never wait for it. */
export const CHECK_VAT_ID = jobKind('check_vat_id', 'rest')

export type VatIdToCheck = {
  user_id: string
  /** The number of earlier questions without an answer. */
  failed?: number
  /** The id of the member of staff who asked for the check. */
  by?: string
}

/** Enqueues the question about a customer's VAT id, to be asked in `after_s` seconds. It replaces a question that is still waiting. */
export const askAboutVatId = (tx: Tx, asked: VatIdToCheck, after_s = 0): void =>
  enqueue(tx, CHECK_VAT_ID, asked, { key: `vat_id:${asked.user_id}`, after_s })

/** Enqueues the question if the customer has a VAT id that decides who is liable for the VAT. */
export async function askIfItMatters(app: App, tx: Tx, user_id: string): Promise<void> {
  const details = await billingDetails(tx, user_id)
  if (details && isAskable(app.config.company, details)) askAboutVatId(tx, { user_id })
}

// The pauses while there is no answer: 1, 5, 30 minutes, 2, 6, 24 hours, and then once a day.
const PAUSES_s = [60, 300, 1_800, 7_200, 21_600, 86_400]
const DAY_s = 86_400
const WEEK_MS = 7 * DAY_s * 1000
// The attack is a customer who saves one VAT id after another, until the authority refuses our address.
const MOST_A_DAY = 20

/** Runs the job. It asks about the VAT id that the profile holds when the job runs, which may have changed since; without one it ends. */
export async function checkVatId(app: App, asked: VatIdToCheck): Promise<void> {
  const { user_id } = asked
  const { company, vatIds } = app.config
  const { name: source } = vatIds
  const details = await billingDetails(app.db, user_id)
  if (!details || !isAskable(company, details)) return
  const { vat_id } = details
  const before = await evidence.askingOf(app.db, { user_id, vat_id })
  if (source === 'off') return before.last_asked_at ? undefined : keepForm(app, { user_id, vat_id })
  if (before.today >= MOST_A_DAY)
    return transaction(app, 'system', async (tx) => askAboutVatId(tx, asked, PAUSES_s[3]))
  const asked_at = await databaseTime(app.db)
  // A made-up company has no VAT id of its own that an authority would know.
  const requester = company.isMadeUp ? '' : company.vatId
  const answer = await vatIds.check(vat_id, requester)
  await transaction(app, 'system', async (tx) => {
    const { check } = await evidence.proofOf(tx, { user_id, vat_id })
    await evidence.insertCheck(tx, { ...answer, user_id, vat_id, source, asked_at, requester })
    await followUp(app, tx, { asked, vat_id, answer, before, last: check, asked_at })
  })
}

/** Records since when the VAT id waits, for an installation that asks no authority. */
const keepForm = (app: App, owned: { user_id: string; vat_id: string }): Promise<void> =>
  transaction(app, 'system', async (tx) =>
    evidence.insertCheck(tx, {
      ...owned,
      source: 'format',
      verdict: 'unverified',
      consultation_number: '',
      name: '',
      address: '',
      raw: {},
      requester: '',
      asked_at: await databaseTime(tx),
    }),
  )

/** Writes an answer that was recorded for the demo, as if the question had been asked at `asked_at`. */
export async function keepRecordedAnswer(
  tx: Tx,
  asked: { user_id: string; vat_id: string; asked_at: Date },
): Promise<void> {
  const answer = await recorded.check(asked.vat_id, '')
  await evidence.insertCheck(tx, { ...asked, ...answer, source: 'recorded', requester: '' })
}

type Answered = {
  asked: VatIdToCheck
  vat_id: string
  answer: VatIdAnswer
  before: evidence.Asking
  last: evidence.AnsweredCheck | null
  asked_at: Date
}

async function followUp(app: App, tx: Tx, news: Answered): Promise<void> {
  const { asked, vat_id, answer, before, last, asked_at } = news
  const { user_id, by } = asked
  const { verdict, consultation_number } = answer
  const mail = (template: typeof vatIdVerified) => mailTo(app, tx, user_id, template, { vat_id })
  if (verdict !== 'unverified' && (by !== undefined || verdict !== last?.verdict)) {
    const detail = { ...(by && { by }), vat_id, verdict, source: app.config.vatIds.name, consultation_number }
    await recordAction(tx, { user_id, act: 'vat.checked', detail })
  }
  if (verdict === 'valid') return isFresh(last, asked_at) ? undefined : mail(vatIdVerified)
  const since = before.since ?? asked_at
  const isLate = asked_at.getTime() - since.getTime() >= WEEK_MS
  const wasLate = before.last_asked_at ? before.last_asked_at.getTime() - since.getTime() >= WEEK_MS : false
  if (isLate && !wasLate) await mail(vatIdNotVerified)
  // A VAT id may be newer than the authority's list: after a no, the question is repeated for a week.
  if (verdict === 'invalid' && isLate) return
  const failed = verdict === 'unverified' ? (asked.failed ?? 0) : PAUSES_s.length
  askAboutVatId(tx, { user_id, failed: failed + 1 }, PAUSES_s[failed] ?? DAY_s)
}

const AT_ONCE = 1_000

/**
 * Enqueues the questions that are due: about VAT ids from a release that asked no authority, 83 days after an answer, and after
 * a job was lost. The job `due_vat_id_checks` runs it each hour.
 */
export async function askDueVatIds(app: App): Promise<void> {
  const { company, vatIds } = app.config
  for (let after: string | undefined; ;) {
    const people = await vatIdsAfter(app.db, after, AT_ONCE)
    const askable = people.filter((person) => isAskable(company, person))
    const due = await evidence.dueChecks(app.db, askable, vatIds.name === 'off')
    if (due.length > 0)
      await transaction(app, 'system', async (tx) => {
        for (const user_id of due) askAboutVatId(tx, { user_id })
      })
    after = people.at(-1)?.user_id
    if (people.length < AT_ONCE) return
  }
}
