import { userDeactivated } from '#features/profile/contract.ts'
import * as events from '#features/statements/event-contract.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { must } from '#foundation/must.ts'
import { jsonFile } from './files.ts'
import { issueStatements } from './issue.ts'
import { getVerifier, listKeys, listRoots } from './published.ts'
import { eraseStatements, statementOf } from './queries.ts'
import * as statements from './statements.ts'

export { sealed } from './keys.ts'

export const routes: readonly Handler[] = [
  statements.list,
  statements.json,
  statements.pdf,
  statements.listForStaff,
  statements.jsonForStaff,
  statements.pdfForStaff,
  listKeys,
  listRoots,
  getVerifier,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  cronJob(jobKind('issue_statements', 'heavy'), 3_600, (app) => issueStatements(app)),
]

export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => eraseStatements(tx, user_id))]

export const personalData: PersonalData = async (app, tx, user_id) => {
  const all = await everyItem((cursor) => statements.pageOfStatements(tx, user_id, { limit: 100, cursor }))
  const files = all.map(({ month }) => {
    const read = async () => Buffer.from(jsonFile(must(await statementOf(app.db, user_id, month))))
    return [`statements/${month}.json`, read] as const
  })
  return Object.fromEntries(files)
}
