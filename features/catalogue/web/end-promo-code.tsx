import { endPromoCode, listPromoCodes, type PromoCode } from '#features/catalogue/promo-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Ends a promo code: no order can use it from now on. */
export const EndPromoCode = ({ promo: { id, code }, ...dialog }: DialogProps & { promo: PromoCode }) => (
  <ActDialog
    {...dialog}
    title={m.catalogue_promo_end_of({ code })}
    description={m.catalogue_promo_end_text()}
    act={m.catalogue_promo_end()}
    look="danger"
    submit={async (_fields, send) => {
      const answer = await send({}, () => call(endPromoCode, { params: { id } }))
      if (!answer) return undefined
      if (answer.status !== 200) return answer
      refreshQueries(listPromoCodes)
      toastSuccess(() => m.catalogue_promo_ended({ code }))
      return dialog.onClose()
    }}
  />
)
