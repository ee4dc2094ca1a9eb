import * as licences from '#features/licences/server/licences.ts'
import { isTerm, pricesAhead, RISE_NOTICE_DAYS } from '#features/licences/rules.ts'
import { isDay } from '#foundation/fields.ts'
import { must } from '#foundation/must.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { timeOfDay } from '#foundation/server/database/times.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, TryLater, WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { assertSlug } from './slug.ts'
import { withApp } from './with-app.ts'

/** Prints the catalogue, one line for each plan. */
export const listPlans = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const plans = await licences.allPlans(app.db)
    const lines = plans.map(({ slug, edition, term, price_net, prices, name, is_active }) => {
      const price = moneyText(toMoney(price_net, app.config.currency), 'en')
      const names = `${name.en} / ${name.de} / ${name.ru}`
      const next = pricesAhead(prices, new Date()).map(({ net, from_at, renewals_from_at }) => {
        const later = renewals_from_at > from_at ? `, renewals from ${renewals_from_at.toISOString()}` : ''
        return `  (${moneyText(toMoney(net, app.config.currency), 'en')} from ${from_at.toISOString()}${later})`
      })
      return `${slug}  ${term}  ${price}  ${names}  edition ${edition}${next.join('')}${is_active ? '' : '  (retired)'}`
    })
    return { lines, data: { plans } }
  })

/** Adds a plan. Throws WrongUse for a malformed slug, an unknown term or a malformed price; Refused for a slug that is taken. */
export const addPlan = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', term = '', price = '', en = '', de = '', ru = ''] = given
    assertSlug(slug)
    if (!isTerm(term)) throw new WrongUse(`'${term}' is no term. Use P1M, P3M or P1Y.`)
    const price_net = readAmount(price, app.config.currency)
    const { edition } = options
    const plan = {
      slug,
      term,
      price_net,
      name: { en, de, ru },
      ...(typeof edition === 'string' && { edition }),
    }
    await transaction(app, 'system', (tx) => licences.sellPlan(tx, plan, operator)).catch(explain(slug))
    return { lines: [`${slug} is on offer now.`], data: { slug } }
  })

/** Sets the names now, and the price from `--from` on. Throws WrongUse for a malformed price or a time in the past, and NotFound. */
export const editPlan = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', price = '', en = '', de = '', ru = ''] = given
    const price_net = readAmount(price, app.config.currency)
    const from = await readTime(app, options['from'])
    await change(app, slug, { price_net, from, name: { en, de, ru } })
    const since = from === undefined ? 'now' : from.toISOString()
    return { lines: [`${slug} is changed, for orders and renewals from ${since} on.`], data: { slug } }
  })

/**
 * Sets a price, for orders from `--from` on and for renewals from `--renewals-from` on. Throws WrongUse, NotFound, and Refused for a
 * rise that would reach renewals too early.
 */
export const pricePlan = (surroundings: CommandEnvironment, given: readonly string[], options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', price = ''] = given
    const price_net = readAmount(price, app.config.currency)
    const from = await readTime(app, options['from'])
    const renewals_from = await readTime(app, options['renewalsFrom'])
    const { prices } = await change(app, slug, { price_net, from, renewals_from })
    const { from_at, renewals_from_at } = must(prices.at(-1))
    const lines = [
      `${slug} costs ${moneyText(toMoney(price_net, app.config.currency), 'en')} from ${from_at.toISOString()} on, for renewals from ${renewals_from_at.toISOString()} on.`,
    ]
    return { lines, data: { slug, from: from_at, renewals_from: renewals_from_at } }
  })

/** Takes a plan off the list, or puts it on again. */
export const offerPlan = (surroundings: CommandEnvironment, slug: string, is_active: boolean) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    await change(app, slug, { is_active })
    return { lines: [`${slug} is ${is_active ? 'on offer again' : 'retired'}.`], data: { slug, is_active } }
  })

/** Puts a plan before another one, or last. Throws WrongUse, NotFound, and TryLater if somebody else has moved a plan at the same time. */
export const movePlan = (surroundings: CommandEnvironment, slug: string, { before }: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    if (slug === before) throw new WrongUse('A plan comes before another one.')
    const from = (await licences.allPlans(app.db)).map((plan) => plan.slug)
    const unknown = [slug, before].find((named) => typeof named === 'string' && !from.includes(named))
    if (unknown !== undefined) throw new NotFound(`There is no plan '${String(unknown)}'.`)
    const rest = from.filter((other) => other !== slug)
    const place = typeof before === 'string' ? rest.indexOf(before) : rest.length
    const slugs = [...rest.slice(0, place), slug, ...rest.slice(place)]
    const isMoved = await transaction(app, 'system', (tx) =>
      licences.orderPlans(tx, { slugs, from }, operator),
    )
    if (!isMoved) throw new TryLater(['Somebody else has just moved a plan. Nothing was changed.'])
    return { lines: [`${slug} is number ${place + 1} of ${slugs.length} now.`], data: { slugs } }
  })

const operator = { by: 'command line' }

const change = (app: App, slug: string, fields: licences.PlanChange) =>
  transaction(app, 'system', (tx) => licences.changePlan(app, tx, slug, fields, operator)).catch(
    explain(slug),
  )

const explain = (slug: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  const [{ code } = { code: '' }] = error.errors
  if (error.status === 404) throw new NotFound(`There is no plan '${slug}'.`)
  if (code === 'too_soon')
    throw new Refused(
      `A price increase can apply to renewals no sooner than ${RISE_NOTICE_DAYS} days after it applies to orders.`,
    )
  if (code === 'unknown_edition') throw new NotFound('There is no such edition.')
  throw new Refused(`There is a plan '${slug}' already.`)
}

/**
 * Reads '2026-12-01', the start of that day in the company's time zone, or '2026-12-01T00:00:00Z'. Returns undefined for undefined. Throws
 * WrongUse.
 */
export async function readTime(
  { db, config }: App,
  given: string | boolean | undefined,
): Promise<Date | undefined> {
  if (typeof given !== 'string') return undefined
  const isOfDay = /^\d{4}-\d\d-\d\d$/.test(given)
  const wanted = isOfDay && isDay(given) ? await timeOfDay(db, given, config.timeZone) : undefined
  const time = isOfDay ? wanted : new Date(given)
  if (!time || Number.isNaN(time.getTime()) || time <= new Date())
    throw new WrongUse(`'${given}' is no time to come. Write it like 2026-12-01 or 2026-12-01T00:00:00Z.`)
  return time
}
