import * as licences from '#features/licences/server/licences.ts'
import { isTerm } from '#features/licences/rules.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** Prints the catalogue, a line each. */
export const listPlans = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const plans = await licences.allPlans(app.db)
    const lines = plans.map(({ slug, term, price_net, next_price_net, next_price_at, name, is_active }) => {
      const price = moneyText(toMoney(price_net, app.config.currency), 'en')
      const names = `${name.en} / ${name.de} / ${name.ru}`
      const next =
        next_price_net === null || next_price_at === null
          ? ''
          : `  (${moneyText(toMoney(next_price_net, app.config.currency), 'en')} from ${next_price_at.toISOString()})`
      return `${slug}  ${term}  ${price}  ${names}${next}${is_active ? '' : '  (retired)'}`
    })
    return { lines, data: { plans } }
  })

/** Throws WrongUse for a malformed slug, another term, or what is no price; Refused for a slug that is taken. */
export const addPlan = (surroundings: CommandEnvironment, given: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', term = '', price = '', en = '', de = '', ru = ''] = given
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new WrongUse('A slug is made of a-z, 0-9 and hyphens.')
    if (!isTerm(term)) throw new WrongUse(`'${term}' is no term. Use P1M, P3M or P1Y.`)
    const price_net = readAmount(price, app.config.currency)
    const plan = { slug, term, price_net, name: { en, de, ru } }
    await transaction(app, 'system', (tx) => licences.sellPlan(tx, plan, operator)).catch(explain(slug))
    return { lines: [`${slug} is on offer now.`], data: { slug } }
  })

/** With `--from` the price counts from that time on. Throws WrongUse for what is no price or time to come; NotFound. */
export const editPlan = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', price = '', en = '', de = '', ru = ''] = given
    const price_net = readAmount(price, app.config.currency)
    const from = readTime(options['from'])
    await change(app, slug, { price_net, from, name: { en, de, ru } })
    const since = from === undefined ? 'now' : from.toISOString()
    return { lines: [`${slug} is changed, for orders and renewals from ${since} on.`], data: { slug } }
  })

/** Takes a plan off the list, or puts it on again. */
export const offerPlan = (surroundings: CommandEnvironment, slug: string, is_active: boolean) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    await change(app, slug, { is_active })
    return { lines: [`${slug} is ${is_active ? 'on offer again' : 'retired'}.`], data: { slug, is_active } }
  })

const operator = { by: 'command line' }

const change = (app: App, slug: string, fields: licences.PlanChange) =>
  transaction(app, 'system', (tx) => licences.changePlan(app, tx, slug, fields, operator)).catch(
    explain(slug),
  )

const explain = (slug: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  throw error.status === 404
    ? new NotFound(`There is no plan '${slug}'.`)
    : new Refused(`There is a plan '${slug}' already.`)
}

/** '2026-12-01' in the zone of the server, or '2026-12-01T00:00:00Z'; undefined where nothing was given. */
function readTime(given: string | boolean | undefined): Date | undefined {
  if (typeof given !== 'string') return undefined
  const time = new Date(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00` : given)
  if (Number.isNaN(time.getTime()) || time <= new Date())
    throw new WrongUse(`'${given}' is no time to come. Write it like 2026-12-01 or 2026-12-01T00:00:00Z.`)
  return time
}
