import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { conflictWith, notFound } from '#foundation/server/http/http-error.ts'
import * as contract from '#features/legal/contract.ts'
import * as queries from './queries.ts'

export {
  countWaitingWithdrawals,
  insertRefund,
  insertWithdrawal,
  hasWaitingWithdrawal,
  waitingWithdrawals,
  withdrawableOf,
  type Withdrawable,
} from './withdrawal-queries.ts'

/** Answers `GET /api/users/terms/`. */
export const getTerms = handler(contract.getTerms, async ({ app, actor }) => {
  return { status: 200, body: await termsFor(app, app.db, actor.user_id) }
})

/** Answers `POST /api/users/terms/`. */
export const acceptTerms = handler(contract.acceptTerms, async ({ app, actor, caller, body }) => {
  const { user_id } = actor
  if (!currentTerms(app)) throw notFound()
  return transaction(app, { userId: user_id }, async (tx) => {
    await accept(app, tx, { user_id, caller, version: body.version, context: 'prompt' })
    await requireTerms(app, tx, user_id)
    return { status: 200, body: await termsFor(app, tx, user_id) } as const
  })
})

/** The terms that customers are asked to accept; undefined if TERMS_VERSION is not set and nobody is asked. */
function currentTerms({ config: { operator } }: App): contract.TermsToAccept | undefined {
  const { termsVersion: version, termsUrl: url } = operator
  return version !== undefined && url !== undefined ? { version, url } : undefined
}

/** Returns the terms that an account accepted, and the current terms that it is asked to accept. */
export async function termsFor(app: App, db: App['db'], user_id: string): Promise<contract.Terms> {
  const current = currentTerms(app)
  const accepted = await queries.acceptedTerms(db, user_id, current?.version ?? null)
  return {
    current: current ?? null,
    accepted: accepted ? { version: accepted.version, at: accepted.at.toISOString() } : null,
  }
}

type Accepting = {
  user_id: string
  caller: Origin
  /** The version that the caller saw and accepted; undefined if they accepted nothing. */
  version: string | undefined
  context: queries.Acceptance['context']
}

/** Records that a customer accepted the current terms. Another version is ignored: the customer has read another text. */
export async function accept(
  app: App,
  tx: Tx,
  { user_id, caller, version, context }: Accepting,
): Promise<void> {
  if (version === undefined || version !== currentTerms(app)?.version) return
  if (await queries.insertAcceptance(tx, { user_id, document: 'terms', version, context }))
    await recordAction(tx, { user_id, act: 'terms.accepted', ...originOf(caller), detail: { version } })
}

/** Refuses a customer who has not accepted the current terms: 409 `terms_not_accepted`, or `terms_changed` after an earlier version. */
export async function requireTerms(app: App, tx: Tx, user_id: string): Promise<void> {
  const current = currentTerms(app)
  if (!current) return
  const accepted = await queries.acceptedTerms(tx, user_id, current.version)
  if (accepted?.version === current.version) return
  throw conflictWith({ code: accepted ? 'terms_changed' : 'terms_not_accepted' }, current)
}

/** Records that a consumer wants the service of an order at once; `url` is the instruction that the order showed. */
export async function acceptBeginNow(
  tx: Tx,
  { user_id, order_id, url }: { user_id: string; order_id: string; url: string },
): Promise<void> {
  const agreed = { document: 'begin_now', version: url, context: 'order' } as const
  await queries.insertAcceptance(tx, { user_id, order_id, ...agreed })
}
