import type { LinkKind } from '#foundation/approvals.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { areLinked } from './claim-queries.ts'
import { softLinksBetween } from './links.ts'

type Db = App['db']

/** True for an account that is a person's own, or linked with it by a hard fact (decision 065). */
const isOwn = async (db: Db, person: string, account: string): Promise<boolean> =>
  person === account || (await areLinked(db, person, account))

/**
 * Throws 403 `own_account` for an account of the person who acts. Every act of staff with money, views and blocks asks it. The attack is
 * a member of staff who credits their own account, a second one that they opened, or one whose servers they look after or pay for.
 */
export async function assertNotOwn(db: Db, person: string, account: string): Promise<void> {
  if (await isOwn(db, person, account)) throw new HttpError(403, [{ code: 'own_account' }])
}

/** Throws as `assertNotOwn` does, and returns the facts that only suggest that both are one person (decision 065). */
export async function softLinksWith(app: App, db: Db, person: string, account: string): Promise<LinkKind[]> {
  await assertNotOwn(db, person, account)
  return softLinksBetween(app, db, person, account)
}

/** True for two accounts that share any fact, hard or soft. */
export const mayBeOne = async (app: App, db: Db, one: string, other: string): Promise<boolean> =>
  (await isOwn(db, one, other)) || (await softLinksBetween(app, db, one, other)).length > 0
