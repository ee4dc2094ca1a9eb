import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'
import {
  importStatement,
  inspectCsv,
  type BankImport,
  type CsvInspection,
} from '#features/banking/contract.ts'
import { upload } from '#foundation/web/api/upload.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshLines } from './hooks.ts'

const ImportCsv = lazyPart(() => import('./import-csv.tsx').then((file) => file.ImportCsv))

/** Lets staff pick a file, sends it, and shows the counts of its payments or the refusal. For CSV it asks for the bank's form first. */
export function ImportButton() {
  const input = useRef<HTMLInputElement>(null)
  const [imported, setImported] = useState<BankImport>()
  const [errors, setErrors] = useState<readonly DisplayedError[]>([])
  const [csv, setCsv] = useState<{ file: File; inspection: CsvInspection }>()
  const asking = useLazyDialog(ImportCsv)
  const { withProof, dialog } = useReauthentication()
  const send = async (file: File) => {
    const answer = await withProof(() => upload(importStatement, file, sending()))
    if (!answer) return
    if (answer.status !== 200 && answer.status !== 201) return setErrors(answer.errors)
    setImported(answer.body)
    refreshLines()
  }
  const inspect = async (file: File) => {
    const answer = await withProof(() => upload(inspectCsv, file, sending()))
    if (!answer) return
    if (answer.status !== 200) return setErrors(answer.errors)
    setCsv({ file, inspection: answer.body })
    asking.show()
  }
  const taking = useAct(async (file: File) => {
    setImported(undefined)
    setErrors([])
    await (/\.(?:csv|tsv|txt)$/i.test(file.name) ? inspect(file) : send(file))
  })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        ref={input}
        type="file"
        accept=".xml,.zip,.csv,.tsv,.txt,application/xml,text/xml,application/zip,text/csv,text/plain"
        hidden
        aria-label={m.banking_import()}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // A second choice of the same file must fire a change event again.
          event.target.value = ''
          if (file) taking.run(file)
        }}
      />
      <Button
        icon={<FileUp size={16} aria-hidden="true" />}
        pending={taking.pending}
        onClick={() => input.current?.click()}
      >
        {m.banking_import()}
      </Button>
      <p role="status" className="text-sm text-muted empty:sr-only">
        {imported ? sentenceOf(imported) : null}
      </p>
      {errors.length > 0 ? (
        <p role="alert" className="text-sm text-pretty text-danger-text">
          {errors.map((error) => errorText(error)).join(' ')}
        </p>
      ) : null}
      {csv && asking.open ? <ImportCsv {...csv} onImported={setImported} {...asking.dialog} /> : null}
      {dialog}
    </div>
  )
}

const sending = () => ({ signal: new AbortController().signal, onProgress: () => {} })

function sentenceOf({ counts: { exact, ambiguous, unknown, known }, odd, pending }: BankImport): string {
  const fresh = exact + ambiguous + unknown
  const isAll = fresh === 0 && odd === 0 && pending === 0
  return [
    ...(fresh > 0 ? [m.banking_imported({ count: fresh, exact: String(exact) })] : []),
    ...(isAll
      ? [m.banking_imported_nothing()]
      : known > 0
        ? [m.banking_imported_known({ count: known })]
        : []),
    ...(odd > 0 ? [m.banking_imported_odd({ count: odd })] : []),
    ...(pending > 0 ? [m.banking_imported_pending({ count: pending })] : []),
  ].join(' ')
}
