import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { App } from '#foundation/server/app.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { chargePage } from '#features/methods/server/methods.ts'
import * as contract from '#features/auto-top-ups/contract.ts'
import { toRunReply } from './replies.ts'
import * as queries from './run-queries.ts'

/** Answers `GET /api/finances/auto-top-up/runs/`. */
export const list = handler(contract.listAutoTopUpRuns, async ({ app, actor, query }) => ({
  status: 200,
  body: await pageOfRuns(app, actor.user_id, query),
}))

/** Returns a page of the runs of an account, newest first. */
export async function pageOfRuns(
  app: App,
  user_id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const rows = await queries.runsOf(app.db, user_id, { before, limit: limit + 1 })
  return pageFrom(rows, limit, ({ top_up_id }) => [String(top_up_id)], toRunReply)
}

/** Answers `GET /api/finances/auto-top-up/runs/{runId}/`. */
export const get = handler(contract.getAutoTopUpRun, async ({ app, actor, params }) => {
  const run = await queries.runOf(app.db, actor.user_id, params.runId)
  if (!run) throw notFound()
  return { status: 200, body: toRunReply(run) }
})

/** Answers `POST /api/finances/auto-top-up/runs/{runId}/page/`. */
export const allow = handler(contract.allowAutoTopUpRun, async ({ app, actor: { user_id }, params }) => {
  const run = await queries.runOf(app.db, user_id, params.runId)
  if (!run) throw notFound()
  const page = run.state === 'action_needed' ? await chargePage(app, user_id, run.public_id) : null
  if (page === null) throw new HttpError(409, [{ code: 'run_not_waiting' }])
  return { status: 200, body: { redirect_url: page } }
})
