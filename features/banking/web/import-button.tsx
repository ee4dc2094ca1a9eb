import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'
import { importStatement, type BankImport } from '#features/banking/contract.ts'
import { upload } from '#foundation/web/api/upload.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshLines } from './hooks.ts'

/** Opens the browser's choice of a file, sends it, and says what was in it or why it was refused. */
export function ImportButton() {
  const input = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const [counts, setCounts] = useState<BankImport['counts']>()
  const [errors, setErrors] = useState<readonly DisplayedError[]>([])
  const { withProof, dialog } = useReauthentication()
  const send = async (file: File) => {
    setPending(true)
    setCounts(undefined)
    setErrors([])
    const sending = { signal: new AbortController().signal, onProgress: () => {} }
    const answer = await withProof(() => upload(importStatement, file, sending))
    setPending(false)
    if (!answer) return
    if (answer.status !== 200 && answer.status !== 201) return setErrors(answer.errors)
    setCounts((answer.body as BankImport).counts)
    refreshLines()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        ref={input}
        type="file"
        accept=".xml,application/xml,text/xml"
        hidden
        aria-label={m.banking_import()}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file again must be a change again.
          event.target.value = ''
          if (file) void send(file)
        }}
      />
      <Button
        icon={<FileUp size={16} aria-hidden="true" />}
        pending={pending}
        onClick={() => input.current?.click()}
      >
        {m.banking_import()}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {counts ? sentenceOf(counts) : null}
      </p>
      {errors.length > 0 ? (
        <p role="alert" className="text-sm text-pretty text-danger-text">
          {errors.map((error) => errorText(error)).join(' ')}
        </p>
      ) : null}
      {dialog}
    </div>
  )
}

function sentenceOf({ exact, ambiguous, unknown, known }: BankImport['counts']): string {
  const fresh = exact + ambiguous + unknown
  if (fresh === 0) return m.banking_imported_nothing()
  const added = m.banking_imported({ count: fresh, exact: String(exact) })
  return known === 0 ? added : `${added} ${m.banking_imported_known({ count: known })}`
}
