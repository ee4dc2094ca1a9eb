import { changeBank, readCompany, type BankData } from '#features/operations/company-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

export function EditBank({ bank, onClose }: { bank: BankData; onClose: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved: bank,
    save: ({ holder, iban, bic }, version) =>
      withProof(() => call(changeBank, { body: { holder, iban, bic, version } })),
    onDone(saved) {
      refreshQueries(readCompany)
      if (saved) toastSuccess(() => m.operations_company_saved())
      onClose()
    },
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.operations_company_bank()}
      description={m.operations_company_bank_text()}
      form={form}
      act={m.ui_save()}
      label={m.operations_company_bank()}
      proof={dialog}
    >
      <TextField
        name="holder"
        label={m.operations_company_holder()}
        defaultValue={bank.holder}
        autoComplete="off"
        most={70}
        required
      />
      <TextField
        name="iban"
        label={m.operations_company_iban()}
        defaultValue={bank.iban}
        autoComplete="off"
        spellCheck={false}
        most={60}
        mono
        required
      />
      <TextField
        name="bic"
        label={m.operations_company_bic()}
        defaultValue={bank.bic}
        autoComplete="off"
        spellCheck={false}
        most={20}
        mono
      />
    </FormDialog>
  )
}
