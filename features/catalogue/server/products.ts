import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as licences from '#features/licences/server/licences.ts'
import * as contract from '#features/catalogue/product-contract.ts'
import { savedOrPresent } from './saved.ts'

/** Answers `GET /api/staff/products/`. */
export const list = handler(contract.listCatalogueProducts, async ({ app }) => {
  const items = (await licences.allProducts(app.db)).map(productReply)
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/products/`. */
export const add = handler(contract.addProduct, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const product = await transaction(app, 'system', (tx) => licences.makeProduct(tx, body, who))
  return { status: 201, body: productReply(product) }
})

/** Answers `PATCH /api/staff/products/{slug}/`. */
export const change = handler(contract.changeProduct, async ({ app, actor, caller, params, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const saving = transaction(app, 'system', (tx) => licences.changeProduct(tx, params.slug, body, who))
  return savedOrPresent(saving, licences.ProductHasChanged, productReply)
})

const productReply = (row: licences.ProductRow): contract.Product => {
  const { slug, name, description, kind, asks_address, is_active, sort, version } = row
  return { slug, name, description, kind, asks_address, is_active, sort, version }
}
