import { useRef, useState } from 'react'
import { changeLogo, readCompany, type CompanyPage } from '#features/operations/company-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

const HEAD = 'data:image/png;base64,'

/** Another logo, shown on both grounds before it is saved. */
export function EditLogo({ logo, onClose }: { logo: CompanyPage['logo']; onClose: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const input = useRef<HTMLInputElement>(null)
  const [image, setImage] = useState(logo.image)
  const form = useForm(async () => {
    const png = image === null ? null : image.slice(image.indexOf(',') + 1)
    const answer = await withProof(() => call(changeLogo, { body: { png, version: logo.version } }))
    if (!answer) return undefined
    refreshQueries(readCompany)
    if (answer.status !== 200) return { errors: answer.errors.map(({ param: _param, ...error }) => error) }
    toastSuccess(() => m.operations_company_saved())
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.operations_company_logo()}
      description={m.operations_company_logo_text()}
      form={form}
      act={m.ui_save()}
      label={m.operations_company_logo()}
      isReady={image !== logo.image}
      proof={dialog}
    >
      <LogoPreview image={image} />
      <input
        ref={input}
        type="file"
        accept="image/png"
        hidden
        aria-label={m.operations_company_logo_choose()}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // A second choice of the same file must fire a change event again.
          target.value = ''
          if (file) void dataOf(file).then(setImage)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => input.current?.click()}>{m.operations_company_logo_choose()}</Button>
        {image === null ? null : (
          <Button look="quiet" onClick={() => setImage(null)}>
            {m.operations_company_logo_remove()}
          </Button>
        )}
      </div>
    </FormDialog>
  )
}

/** The logo as it stands in the light and in the dark theme. */
export function LogoPreview({ image }: Pick<CompanyPage['logo'], 'image'>) {
  if (image === null) return <p className="text-sm text-muted">{m.operations_company_logo_none()}</p>
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="flex h-24 items-center justify-center rounded-md border border-line bg-white p-4">
        <img src={image} alt={m.operations_company_logo_light()} className="max-h-full max-w-full" />
      </div>
      <div
        data-theme="dark"
        className="flex h-24 items-center justify-center rounded-md border border-line bg-page p-4"
      >
        <img src={image} alt={m.operations_company_logo_dark()} className="max-h-full max-w-full" />
      </div>
    </div>
  )
}

/** Returns the file as an address that holds it. The server judges its bytes. */
async function dataOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return HEAD + btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}
