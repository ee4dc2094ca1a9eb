import type { App } from '#foundation/server/app.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import * as queries from './queries.ts'

/** One screen shows no more views at once, and the limit stops a script that opens view after view. */
const MOST_VIEWS = 3

/**
 * Begins a view of a customer's account by a member of staff. It lasts for `lifetimes.view_s`, but not longer than the session of the
 * member. Throws 409 `too_many_views` if three views of the member are open, and 401 if the session has ended.
 */
export async function startView(
  { lifetimes }: App,
  tx: Tx,
  view: queries.NewView,
): Promise<{ id: string; expires_at: Date }> {
  // The lock makes counting and adding one step: two calls at once would exceed the limit together.
  await lockByName(tx, `views ${view.member_id}`)
  if ((await queries.countOpenViews(tx, view.member_id)) >= MOST_VIEWS)
    throw new HttpError(409, [{ code: 'too_many_views' }])
  const started = await queries.insertView(tx, view, lifetimes.view_s)
  if (!started) throw new HttpError(401, [{ code: 'not_authenticated' }])
  return started
}
