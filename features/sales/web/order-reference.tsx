import { useState } from 'react'
import { REFERENCE_LENGTH } from '#features/invoices/rules.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Returns the field with the buyer's own order number; nothing if none was typed. */
export function orderReference(fields: FormFields): { order_reference?: string } {
  const order_reference = fields.text('order_reference').trim()
  return order_reference ? { order_reference } : {}
}

/** The field for the buyer's own order number. It is folded away, because most orders have none. */
export function OrderReference({ defaultValue }: { defaultValue: string | undefined }) {
  const [opened, setOpened] = useState(Boolean(defaultValue))
  return (
    <details
      open={opened}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      className="rounded-md border border-line px-4 py-3"
    >
      <summary className="cursor-pointer text-sm font-medium">{m.sales_order_reference()}</summary>
      <div className="mt-3">
        <TextField
          name="order_reference"
          label={m.invoices_order_reference()}
          hint={m.sales_order_reference_hint()}
          defaultValue={defaultValue}
          most={REFERENCE_LENGTH}
          autoComplete="off"
        />
      </div>
    </details>
  )
}
