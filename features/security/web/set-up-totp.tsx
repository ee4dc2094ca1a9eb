import { paths } from '#features/paths.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { activateTotp, getTotp } from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { CodeField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators } from './hooks.ts'
import { CodeSheet } from './code-sheet.tsx'
import { QrCode } from '#foundation/web/ui/qr-code.tsx'

type Offer = { secret: string; totp_url: string }
type Step = { offer: Offer } | { refused: DisplayedError } | 'loading' | 'codes'

/** Three steps in one dialog: scan, type a first code, keep the recovery codes. */
export function SetUpTotp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const title = m.security_totp_setup()
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Steps onClose={onClose} />
    </Dialog>
  )
}

function Steps({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>('loading')
  const close = useEffectEvent(onClose)
  // Each call makes another secret and voids the one before, so there is one call only, which does not use the cache.
  useEffect(() => {
    const leave = new AbortController()
    const load = async () => {
      const answer = await call(getTotp, {}, { signal: leave.signal })
      if (answer.status === 404) setStep({ offer: answer.body.meta })
      else if (answer.status === 200) {
        // Another tab has switched the app on already.
        await refreshAuthenticators()
        close()
      } else setStep({ refused: answer.errors[0] ?? { code: 'unknown' } })
    }
    load().catch(() => {})
    return () => leave.abort()
  }, [])
  if (step === 'codes') return <Codes onClose={onClose} />
  if (step === 'loading')
    return (
      <Loading>
        <Skeleton className="mx-auto size-48" />
      </Loading>
    )
  if ('refused' in step) return <Refused error={step.refused} onClose={onClose} />
  return <Confirm offer={step.offer} onDone={() => setStep('codes')} onCancel={onClose} />
}

function Confirm({
  offer: { secret, totp_url },
  onDone,
  onCancel,
}: {
  offer: Offer
  onDone: () => void
  onCancel: () => void
}) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const body = { code: fields.text('code') }
    const answer = await withProof(() => call(activateTotp, { body }))
    if (!answer) return undefined
    if (answer.status !== 200) {
      if (answer.status !== 400) toastError(() => m.security_totp_on_failed(), answer)
      return answer
    }
    toastSuccess(() => m.security_totp_turned_on())
    onDone()
    await refreshAuthenticators()
    return undefined
  })
  return (
    <>
      <p className="text-sm text-muted">{m.security_totp_scan()}</p>
      <div className="my-4 flex justify-center">
        <a href={totp_url} title={m.security_totp_open()} className="rounded-md">
          <QrCode text={totp_url} label={m.security_totp_qr()} />
        </a>
      </div>
      <p className="text-sm text-muted">{m.security_totp_type()}</p>
      <div className="mt-1 mb-5 flex items-center gap-2">
        <code className="font-mono text-sm tracking-wide [overflow-wrap:anywhere]">
          {secret.replaceAll(/(.{4})(?=.)/gu, '$1 ')}
        </code>
        <CopyButton text={secret} />
      </div>
      <DialogForm
        form={form}
        act={m.security_totp_activate()}
        label={m.security_totp_setup()}
        onClose={onCancel}
      >
        <CodeField
          name="code"
          label={m.security_totp_code()}
          hint={m.security_totp_code_hint()}
          most={64}
          required
        />
      </DialogForm>
      {dialog}
    </>
  )
}

/** The codes are shown at once: later, without the phone, it is too late. */
function Codes({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p className="mb-4 text-sm text-muted">{m.security_codes_keep()}</p>
      <CodeSheet onRefused={onClose} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {m.security_codes_kept()}
        </Button>
      </DialogActions>
    </>
  )
}

function Refused({ error, onClose }: { error: DisplayedError; onClose: () => void }) {
  return (
    <>
      <Alert tone="warning">
        <p>{errorText(error)}</p>
        {error.code === 'unverified_email' ? (
          <p className="mt-1">
            <TextLink to={paths.account()}>{m.security_to_addresses()}</TextLink>
          </p>
        ) : null}
      </Alert>
      <DialogActions>
        <Button onClick={onClose}>{m.ui_close()}</Button>
      </DialogActions>
    </>
  )
}
