import * as z from 'zod/mini'
import { addProduct, changeProduct } from '#features/catalogue/product-contract.ts'
import * as licences from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { readJson } from './json-file.ts'
import { assertSlug } from './slug.ts'
import { withApp } from './with-app.ts'

/** Prints the products; with `--json` in the form that `product edit` reads. */
export const listProducts = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const rows = await licences.allProducts(app.db)
    const editions = await licences.allEditions(app.db)
    const products = rows.map(({ slug, name, description, kind, sort, is_active }) => ({
      slug,
      name,
      description,
      kind,
      sort,
      is_active,
    }))
    const lines = products.map(({ slug, kind, name, is_active }) => {
      const count = editions.filter(({ product }) => product === slug).length
      const retired = is_active ? '' : '  (retired)'
      return `${slug}  ${kind}  ${name.en} / ${name.de} / ${name.ru}  editions: ${count}${retired}`
    })
    return { lines, data: { products } }
  })

const given = z.omit(addProduct.body, { slug: true })
const changed = z.omit(changeProduct.body, { version: true })

/** Adds a product from a file. Throws WrongUse if the file holds no product, Refused if the slug is taken. */
export const makeProduct = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    assertSlug(slug)
    const product = { ...(await readJson(file, given, 'product')), slug }
    await transaction(app, 'system', (tx) => licences.makeProduct(tx, product, operator)).catch(explain(slug))
    return { lines: [`${slug} is there; it is sold with its first edition and plan.`], data: { slug } }
  })

/** Changes the fields that the file names. Throws WrongUse if the file holds no such fields, NotFound for an unknown slug. */
export const editProduct = (surroundings: CommandEnvironment, [slug = '', file = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const change = await readJson(file, changed, 'product')
    const { version } = await transaction(app, 'system', (tx) =>
      licences.changeProduct(tx, slug, change, operator),
    ).catch(explain(slug))
    return { lines: [`${slug} is changed.`], data: { slug, version } }
  })

/** Retires a product. Throws NotFound for an unknown slug. */
export const retireProduct = (surroundings: CommandEnvironment, [slug = '']: readonly string[]) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    await transaction(app, 'system', (tx) =>
      licences.changeProduct(tx, slug, { is_active: false }, operator),
    ).catch(explain(slug))
    return { lines: [`Nothing of ${slug} is sold any more; what was sold can be renewed.`], data: { slug } }
  })

const operator = { by: 'command line' }

const explain = (slug: string) => (error: unknown) => {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound(`There is no product '${slug}'.`)
  throw new Refused(`There is a product '${slug}' already.`)
}
