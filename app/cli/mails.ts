import { pageOfMails, sendAgainByCommand } from '#features/customers/server/customers.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `mails list CUSTOMER`: the newest 100, or all. */
export const listMails = (
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, parameters, {}, async (app, { user_id }) => {
    const { rows: mails, has_more } = await rowsOf(options, (cursor: string | undefined) =>
      pageOfMails(app, user_id, { cursor, limit: MOST }),
    )
    const lines = mails.map(({ id, created_at, kind, to, state, subject, answer }) =>
      [id, created_at, state, kind, to, subject, answer.replaceAll(/\s+/gu, ' ')].filter(Boolean).join('  '),
    )
    return { lines: linesOf(lines, 'Nothing was mailed.', has_more), data: { mails, has_more } }
  })

/** `mails again ID`. Throws NotFound where no mail to a customer has this id. */
export const sendAgainBy = (surroundings: CommandEnvironment, id: string): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    if (!isUuid(id.toLowerCase())) throw new NotFound(`'${id}' is no id of a mail. Run: mails list CUSTOMER`)
    const { to, kind } = await sendAgainByCommand(app, id.toLowerCase())
    return { lines: [`${kind} is sent to ${to} again.`], data: { mail_id: id, kind, to } }
  })
