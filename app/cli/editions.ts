import * as z from 'zod/mini'
import { addEdition, changeEdition } from '#features/catalogue/contract.ts'
import { entitlementLines } from '#features/catalogue/rules.ts'
import { FIRST_PRODUCT } from '#features/licences/rules.ts'
import * as licences from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { readJson } from './json-file.ts'
import { assertSlug } from './slug.ts'
import { withApp } from './with-app.ts'

/** Prints the editions, the lowest rank first; with `--json` in the form that `edition edit` reads. */
export const listEditions = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const rows = await licences.allEditions(app.db)
    const editions = rows.map(
      ({ slug, product, name, description, features, entitlements, rank, trial_days, is_active }) => ({
        slug,
        product,
        name,
        description,
        features,
        entitlements,
        rank,
        trial_days,
        is_active,
      }),
    )
    const lines = editions.map(
      ({ slug, product, rank, name, features, entitlements, trial_days, is_active }) => {
        const allows = entitlementLines(entitlements).replaceAll('\n', ', ')
        const trial = trial_days === 0 ? [] : [`${trial_days} days of trial`]
        const about = [`${features.length} features`, ...(allows === '' ? [] : [allows]), ...trial].join('  ')
        const of = product === FIRST_PRODUCT ? '' : `  of ${product}`
        return `${slug}${of}  rank ${rank}  ${name.en} / ${name.de} / ${name.ru}  ${about}${is_active ? '' : '  (retired)'}`
      },
    )
    return { lines: lines.length > 0 ? lines : ['There is none.'], data: { editions } }
  })

const given = z.omit(addEdition.body, { slug: true })
const changed = z.omit(changeEdition.body, { version: true })

/** Adds an edition from a file. Throws WrongUse if the file holds no edition, Refused if the slug is taken. */
export const makeEdition = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    assertSlug(slug)
    const edition = { ...(await readJson(file, given, 'edition')), slug }
    await transaction(app, 'system', (tx) => licences.makeEdition(tx, edition, operator)).catch(explain(slug))
    return { lines: [`${slug} is there; it is sold with its first plan.`], data: { slug } }
  })

/** Changes the fields that the file names. Throws WrongUse if the file holds no such fields, NotFound for an unknown slug. */
export const editEdition = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const change = await readJson(file, changed, 'edition')
    const { version } = await transaction(app, 'system', (tx) =>
      licences.changeEdition(tx, slug, change, operator),
    ).catch(explain(slug))
    return {
      lines: [`${slug} is changed. Licences that run keep what they were bought with.`],
      data: { slug, version },
    }
  })

const operator = { by: 'command line' }

const explain = (slug: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound(`There is no edition '${slug}'.`)
  if (error.status === 400) throw new NotFound('There is no such product.')
  throw new Refused(`There is an edition '${slug}' already.`)
}
