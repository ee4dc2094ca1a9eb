import { changeStorage, getStorage } from '#features/support/files/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'

type Props = DialogProps & { card: CustomerCard; extra_mb: number }

/** Grants a customer more file storage than others have; `extra_mb` is what they have so far. */
export function ChangeStorage({ card, extra_mb: from, ...dialog }: Props) {
  const name = card.name || card.email
  return (
    <CustomerActDialog
      {...dialog}
      title={m.customers_storage_change()}
      description={name}
      act={m.customers_storage_change()}
      send={(note, fields) => {
        const body = { extra_mb: Number(fields.text('extra_mb')), from, note }
        return call(changeStorage, { params: { userId: card.id }, body })
      }}
      done={() => {
        refreshQueries(getStorage)
        return m.customers_storage_done({ name })
      }}
      before={
        <TextField
          name="extra_mb"
          label={m.customers_storage_extra()}
          hint={m.customers_storage_hint()}
          defaultValue={String(from)}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      }
    />
  )
}
