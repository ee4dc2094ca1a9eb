import type { Host } from '#features/hosts/contract.ts'
import { makeDocument } from '#features/licences/contract.ts'
import { listMachines } from '#features/licences/web/licences.ts'
import { download } from '#foundation/web/api/download.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

const NAME_LENGTH = 253

/** The licence file of a program for one machine without a network, by the fingerprint that the program shows there. */
export function MachineDocument({ host, open, onClose }: DialogProps & { host: Host }) {
  const form = useForm(async (fields) => {
    const fingerprint = fields
      .text('fingerprint')
      .replaceAll(/[\s:-]/g, '')
      .toLowerCase()
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) return { errors: [{ code: 'invalid', param: 'fingerprint' }] }
    const hostname = fields.text('hostname').trim()
    const input = {
      params: { hostId: host.id },
      body: { fingerprint, ...(hostname !== '' && { hostname }) },
    }
    const answer = await download(makeDocument, input, `licence-${host.id}-${fingerprint.slice(0, 8)}.jws`)
    if (answer.status !== 200) return answer
    refreshQueries(listMachines)
    toastSuccess(m.sales_machine_document_saved)
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.sales_document()}
      description={m.sales_machine_document_text()}
      form={form}
      act={m.sales_document_download()}
    >
      <TextField
        name="fingerprint"
        label={m.sales_machine_fingerprint()}
        hint={m.sales_machine_fingerprint_hint()}
        required
        mono
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="hostname"
        label={m.sales_machine_hostname()}
        most={NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}
