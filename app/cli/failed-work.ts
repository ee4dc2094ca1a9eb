import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { failedJobs, retryFailedJob } from '#foundation/server/jobs/queries.ts'
import { deadMails, retryMail } from '#foundation/server/mail/dead-mails.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `jobs failed`: the newest 100 at most. */
export const listFailed = (surroundings: CommandEnvironment): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const jobs = await failedJobs(app.db)
    const lines = jobs.map(
      ({ id, name, attempts, last_error }) =>
        `${id}  ${name}  ${attempts} attempts  ${oneLine(last_error ?? '')}`,
    )
    return { lines: lines.length > 0 ? lines : ['None failed.'], data: { jobs } }
  })

/** `mails dead`: the newest 100 at most, never their texts. */
export const listDead = (surroundings: CommandEnvironment): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const mails = await deadMails(app.db)
    const lines = mails.map(
      ({ id, letter, to_address, created_at, last_error }) =>
        `${id}  ${created_at.toISOString()}  ${letter}  ${to_address}  ${oneLine(last_error ?? '')}`,
    )
    return { lines: lines.length > 0 ? lines : ['None was given up.'], data: { mails } }
  })

/** `jobs retry ID`. Throws NotFound if no job with this number has failed. */
export const retryJob = (surroundings: CommandEnvironment, id: string): Promise<Answer> =>
  withApp(surroundings, (app) =>
    again(app, /^\d{1,18}$/u.test(id) ? (tx) => retryFailedJob(tx, id) : undefined, {
      act: 'job.retried',
      detail: { job_id: id },
      missing: `No failed job is number '${id}'. Run: jobs failed`,
    }),
  )

/** `mails retry ID`. Throws NotFound if no mail with this id was given up. */
export const resend = (surroundings: CommandEnvironment, id: string): Promise<Answer> =>
  withApp(surroundings, (app) =>
    again(app, isUuid(id.toLowerCase()) ? (tx) => mailAgain(app, tx, id) : undefined, {
      act: 'mail.retried',
      detail: { mail_id: id },
      missing: `No mail '${id}' was given up. Run: mails dead`,
    }),
  )

/** Throws Refused where the mail would be given up at once. */
async function mailAgain(app: App, tx: Tx, id: string): Promise<string | undefined> {
  return retryMail(app, tx, id).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error
    throw new Refused(
      'Mails to this address come back. None are sent there until its owner asks to try again. Nothing was changed.',
    )
  })
}

type Wanted = { act: 'job.retried' | 'mail.retried'; detail: object; missing: string }

async function again(
  app: App,
  retry: ((tx: Tx) => Promise<string | undefined>) | undefined,
  { act, detail, missing }: Wanted,
): Promise<Answer> {
  return transaction(app, 'system', async (tx) => {
    const name = await retry?.(tx)
    if (name === undefined) throw new NotFound(missing)
    await recordAction(tx, { user_id: null, act, detail: { ...detail, by: 'command line', name } })
    return { lines: [`${name} is tried again.`], data: { ...detail, name } }
  })
}

/** Returns the text on one line: errors of other programs have line breaks, and each job or mail is printed on one line. */
const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ')
