import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as licences from '#features/licences/server/licences.ts'
import * as contract from '#features/catalogue/extra-contract.ts'
import { savedOrPresent } from './saved.ts'

/** Answers `GET /api/staff/extras/`. */
export const list = handler(contract.listExtras, async ({ app }) => {
  const items = (await licences.allExtras(app.db)).map((row) => extraReply(app, row))
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/extras/`. */
export const add = handler(contract.addExtra, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const { price_net, ...given } = body
  const extra = { ...given, net: BigInt(price_net) }
  const added = await transaction(app, 'system', (tx) => licences.addExtra(tx, extra, who))
  return { status: 201, body: extraReply(app, added) }
})

/** Answers `PATCH /api/staff/extras/{slug}/`. */
export const change = handler(contract.changeExtra, async ({ app, actor, caller, params, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const { price_net, ...given } = body
  const fields = { ...given, ...(price_net !== undefined && { net: BigInt(price_net) }) }
  const saving = transaction(app, 'system', (tx) => licences.changeExtra(tx, params.slug, fields, who))
  return savedOrPresent(saving, licences.ExtraHasChanged, (row) => extraReply(app, row))
})

const extraReply = (
  { config }: Pick<App, 'config'>,
  { slug, edition, kind, name, net, most, is_active, version }: licences.ExtraRow,
): contract.Extra => {
  const price_net = toMoney(net, config.currency)
  return { slug, edition, kind, name, price_net, most, is_active, version }
}
