import * as licences from '#features/licences/server/licences.ts'
import { isTerm } from '#features/licences/rules.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** Prints the catalogue, a line each. */
export const listPlans = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const plans = await licences.plansOf(app.db)
    const lines = plans.map(({ slug, term, price_net, name, is_active }) => {
      const price = moneyText(toMoney(price_net, app.config.currency), 'en')
      const names = `${name.en} / ${name.de} / ${name.ru}`
      return `${slug}  ${term}  ${price}  ${names}${is_active ? '' : '  (retired)'}`
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
    await transaction(app, 'system', (tx) =>
      licences.addPlan(tx, { slug, term, price_net, name: { en, de, ru } }),
    )
    return { lines: [`${slug} is on offer now.`], data: { slug } }
  })

export const editPlan = (surroundings: CommandEnvironment, given: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [slug = '', price = '', en = '', de = '', ru = ''] = given
    const price_net = readAmount(price, app.config.currency)
    await transaction(app, 'system', (tx) => licences.editPlan(tx, slug, { price_net, name: { en, de, ru } }))
    return { lines: [`${slug} is changed, for orders and renewals from now on.`], data: { slug } }
  })

/** Takes a plan off the list, or puts it on again. */
export const offerPlan = (surroundings: CommandEnvironment, slug: string, is_active: boolean) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    await transaction(app, 'system', (tx) => licences.editPlan(tx, slug, { is_active }))
    return { lines: [`${slug} is ${is_active ? 'on offer again' : 'retired'}.`], data: { slug, is_active } }
  })
