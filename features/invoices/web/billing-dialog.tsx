import { paths } from '#features/paths.ts'
import { REFERENCE_LENGTH } from '#features/invoices/rules.ts'
import type { Billing } from '#features/invoices/contract.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveBilling, useBilling } from './hooks.ts'

/** References on future invoices, and the address they are mailed to. */
export function BillingDialog({ open, onClose }: DialogProps) {
  const query = useBilling()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.invoices_billing()}
      description={m.invoices_billing_text()}
    >
      <Loaded query={query} failed={m.invoices_billing_failed()} waiting="h-72">
        {(billing) => <BillingForm billing={billing} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function BillingForm({ billing, onClose }: { billing: Billing; onClose: () => void }) {
  const form = useEditForm({
    saved: billing,
    save: ({ email, buyer_reference, order_reference, send_pdf }) =>
      saveBilling({
        email,
        buyer_reference,
        order_reference,
        send_pdf: send_pdf === undefined ? undefined : send_pdf === 'true',
      }),
    onDone: (saved = billing) => {
      toastSuccess(() => m.invoices_billing_saved())
      // The dialog stays open for an unconfirmed address, so that the customer reads that no mail goes there yet.
      if (saved.email === '' || saved.email_verified) onClose()
    },
  })
  const isUnproven = billing.email !== '' && !billing.email_verified
  return (
    <DialogForm form={form} act={m.invoices_billing_save()} label={m.invoices_billing()} onClose={onClose}>
      <EmailField
        name="email"
        label={m.invoices_billing_email()}
        hint={
          isUnproven ? (
            <>
              <span>{m.invoices_billing_unproven()}</span>{' '}
              <TextLink to={paths.account()}>{m.invoices_billing_addresses()}</TextLink>
            </>
          ) : (
            m.invoices_billing_email_hint()
          )
        }
        defaultValue={billing.email}
      />
      <TextField
        name="buyer_reference"
        label={m.invoices_billing_reference()}
        hint={m.invoices_billing_reference_hint()}
        defaultValue={billing.buyer_reference}
        most={REFERENCE_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="order_reference"
        label={m.invoices_order_reference()}
        hint={m.invoices_billing_order_hint()}
        defaultValue={billing.order_reference}
        most={REFERENCE_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
      <CheckboxField
        name="send_pdf"
        label={m.invoices_billing_send_pdf()}
        defaultChecked={billing.send_pdf}
      />
    </DialogForm>
  )
}
