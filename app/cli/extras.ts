import * as z from 'zod/mini'
import { addExtra, changeExtra } from '#features/catalogue/extra-contract.ts'
import * as licences from '#features/licences/server/licences.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { readJson } from './json-file.ts'
import { assertSlug } from './slug.ts'
import { withApp } from './with-app.ts'

/** Prints the extras; with `--json` in the form that `extra edit` reads, with edition and kind. */
export const listExtras = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const rows = await licences.allExtras(app.db)
    const extras = rows.map(({ slug, edition, kind, name, net, most, is_active }) => ({
      slug,
      edition,
      kind,
      name,
      price_net: net.toString(),
      most,
      is_active,
    }))
    const lines = rows.map(({ slug, edition, kind, name, net, most, is_active }) => {
      const price = toMoney(net, app.config.currency)
      const cost = `${decimalText(price)} ${price.currency}${kind === 'addon' ? ' a month' : ''}`
      const retired = is_active ? '' : '  (retired)'
      return `${slug}  ${edition}  ${kind}  ${cost}  at most ${most}  ${name.en} / ${name.de} / ${name.ru}${retired}`
    })
    return { lines, data: { extras } }
  })

const given = z.omit(addExtra.body, { slug: true })
const changed = z.omit(changeExtra.body, { version: true })

/** Adds an extra from a file. Throws WrongUse if the file holds no extra, Refused if the slug is taken or there is no such edition. */
export const makeExtra = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    assertSlug(slug)
    const { price_net, ...fields } = await readJson(file, given, 'extra')
    const extra = { ...fields, slug, net: BigInt(price_net) }
    await transaction(app, 'system', (tx) => licences.addExtra(tx, extra, operator)).catch(explain(slug))
    return { lines: [`${slug} is on sale with ${extra.edition}.`], data: { slug } }
  })

/** Changes the fields that the file names. Throws WrongUse if the file holds no such fields, NotFound for an unknown slug. */
export const editExtra = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { price_net, ...fields } = await readJson(file, changed, 'extra')
    const change = { ...fields, ...(price_net !== undefined && { net: BigInt(price_net) }) }
    const { version } = await transaction(app, 'system', (tx) =>
      licences.changeExtra(tx, slug, change, operator),
    ).catch(explain(slug))
    return {
      lines: [`${slug} is changed; licences that have it keep what was agreed.`],
      data: { slug, version },
    }
  })

/** Retires an extra. Throws NotFound for an unknown slug. */
export const retireExtra = (surroundings: CommandEnvironment, [slug = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    await transaction(app, 'system', (tx) =>
      licences.changeExtra(tx, slug, { is_active: false }, operator),
    ).catch(explain(slug))
    return { lines: [`${slug} is not sold any more; licences that have it keep it.`], data: { slug } }
  })

const operator = { by: 'command line' }

const explain = (slug: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound(`There is no extra '${slug}'.`)
  const [first] = error.errors
  if (first?.code === 'unknown_edition') throw new Refused('There is no such edition.')
  if (first?.param === 'most') throw new Refused('A setup fee is one piece: leave most out.')
  throw new Refused(`There is an extra '${slug}' already.`)
}
