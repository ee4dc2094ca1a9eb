import { judgeMove, planMove, takeMoveBack } from '#features/sales/server/sales.ts'
import { RISE_NOTICE_DAYS } from '#features/licences/rules.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { readTime } from './plans.ts'
import { withApp } from './with-app.ts'

const operator = { by: 'command line' }

/** `plan replace SLUG OTHER`. Throws WrongUse, NotFound, and Refused. */
export const replacePlan = (
  surroundings: CommandEnvironment,
  [from_plan = '', to_plan = '']: readonly string[],
  { from, dryRun }: Options,
) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const wanted = { from_plan, to_plan, counts_from: await readTime(app, from) }
    const judged = await judgeMove(app.db, wanted).catch(explain)
    if (dryRun !== true)
      await transaction(app, 'system', (tx) => planMove(tx, wanted, operator)).catch(explain)
    const { hosts, customers, before, net, counts_from } = judged
    const price = (amount: bigint) => moneyText(toMoney(amount, app.config.currency), 'en')
    const since = counts_from.toISOString()
    return {
      lines: [
        `${hosts} servers of ${customers} customers ${dryRun === true ? 'would renew' : 'renew'} with ${to_plan} from ${since} on, for ${price(net)} instead of ${price(before.renewal_net)} before VAT.`,
        ...(dryRun === true ? [] : ['Their owners get a mail now.']),
      ],
      data: { from_plan, to_plan, hosts, customers, from: since, price_net: net },
    }
  })

/** `plan keep SLUG`. Throws NotFound, and Refused once the move counts. */
export const keepPlan = (surroundings: CommandEnvironment, slug: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { to_plan } = await transaction(app, 'system', (tx) => takeMoveBack(tx, slug, operator)).catch(
      explain,
    )
    return {
      lines: [`Servers with ${slug} keep it, instead of ${to_plan}. Their owners get a mail now.`],
      data: { slug },
    }
  })

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound('There is no such plan, or no move of its servers.')
  const [{ code } = { code: '' }] = error.errors
  if (code === 'unknown_plan') throw new WrongUse('The other plan is on sale, and has the same term.')
  throw new Refused(REASONS[code] ?? code)
}

const REASONS: Readonly<Record<string, string>> = {
  plan_on_sale: 'It is on sale. Run plan retire first.',
  too_soon: `Customers get ${RISE_NOTICE_DAYS} days of notice.`,
  move_planned: 'A move of its servers is planned already. Run plan keep first.',
  move_in_effect: 'The move counts already.',
}
