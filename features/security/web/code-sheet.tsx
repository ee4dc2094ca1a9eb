import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useEffectEvent, useState } from 'react'
import { getRecoveryCodes } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

/**
 * The recovery codes, to copy, download and print. They are fetched for this view alone and never cached. `onRefused` is called if
 * the user gives no proof of identity.
 */
export function CodeSheet({ onRefused }: { onRefused: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const [codes, setCodes] = useState<readonly string[]>()
  const [error, setError] = useState<DisplayedError>()
  const refused = useEffectEvent(() => onRefused())
  useEffect(() => {
    let here = true
    const load = async () => {
      const answer = await withProof(() => call(getRecoveryCodes))
      if (!here) return
      if (!answer) refused()
      else if (answer.status === 200) setCodes(answer.body.data.unused_codes)
      else setError(answer.errors[0])
    }
    load().catch(() => {})
    return () => {
      here = false
    }
  }, [withProof])
  if (error) return <Alert tone="danger">{errorText(error)}</Alert>
  if (!codes)
    return (
      <>
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
        {dialog}
      </>
    )
  return <Sheet codes={codes} />
}

function Sheet({ codes }: { codes: readonly string[] }) {
  const text = `${heading()}\n\n${codes.join('\n')}\n`
  return (
    <>
      <ul
        aria-label={m.security_codes()}
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md border border-line bg-sunken px-5 py-4 text-center font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label={m.ui_copy()} />
        <Button icon={<Download size={16} aria-hidden="true" />} onClick={() => download(text)}>
          {m.security_codes_download()}
        </Button>
        <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => print(text)}>
          {m.security_codes_print()}
        </Button>
      </div>
    </>
  )
}

const heading = () =>
  m.security_codes_heading({ email: storedSession.user()?.email ?? '', host: location.host })

function download(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = `recovery-codes-${location.hostname}.txt`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Prints a window of its own: the page behind the dialog must not be printed. */
function print(text: string): void {
  const sheet = window.open('', '_blank', 'width=480,height=640')
  if (!sheet) return
  const lines = sheet.document.createElement('pre')
  lines.textContent = text
  sheet.document.title = heading()
  sheet.document.body.append(lines)
  sheet.print()
  sheet.close()
}
