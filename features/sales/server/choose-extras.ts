import { planAtEnd } from '#features/hosts/rules.ts'
import { announceHost, hostOf, hostReplyTo, lockHost } from '#features/hosts/server/hosts.ts'
import { asKept, askToRenewNow, putChosenExtras, scheduleOf } from '#features/licences/server/licences.ts'
import { chooseRenewalExtras } from '#features/sales/contract.ts'
import { isSameMoney, toMoney } from '#foundation/money.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { conflictWith, HttpError } from '#foundation/server/http/http-error.ts'
import { judgeRenewalPlan, previewEnd } from './renewal-plan.ts'

/**
 * Answers `PUT /api/hosts/{hostId}/licence/extras/` (decision 207): the add-ons with which the licence renews. Nothing is charged, and no
 * price that was agreed changes.
 */
export const chooseExtras = handler(
  chooseRenewalExtras,
  async ({ app, actor: { user_id }, params, body, caller }) => {
    // Renewals come again each term, so the limit of such a helper cannot bound them.
    if (app.acting?.isLimited) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
    return transaction(app, { userId: user_id }, async (tx) => {
      const host = await lockHost(tx, user_id, params.hostId)
      const slug = planAtEnd(host)?.plan
      if (slug === undefined) throw new HttpError(409, [{ code: 'licence_not_running' }])
      const { extras, total } = await judgeRenewalPlan(app, tx, host, slug, body.extras)
      if (!isSameMoney(body.expected_total, toMoney(total, app.config.currency))) {
        const preview = await previewEnd(app, tx, host, slug, body.extras)
        throw conflictWith({ code: 'price_changed' }, { preview })
      }
      await putChosenExtras(tx, { host_id: host.id, user_id, extras: extras.map(asKept) })
      // The balance may cover these add-ons if it did not cover those before.
      const watch = host.auto_renew ? await scheduleOf(tx, host.id) : undefined
      if (watch && watch.refusal !== null) askToRenewNow(tx, host.id)
      const { public_id, name } = host
      const chosen = extras.map(({ extra, quantity }) => `${quantity} × ${extra}`).join(', ')
      const detail = { host_id: public_id, host: name, extras: chosen }
      await recordAction(tx, { user_id, act: 'licence.extras_chosen', ...originOf(caller), detail })
      await announceHost(tx, host)
      const body_now = hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id))
      return { status: 200, body: body_now } as const
    })
  },
)
