import { useState } from 'react'
import { finishAccessReview, removeAddress } from '#features/profile/contract.ts'
import { refreshAddresses, useAddresses } from '#features/profile/web/settings-hooks.ts'
import { deactivateTotp, removePasskeys } from '#features/security/contract.ts'
import type { ApiError } from '#foundation/errors.ts'
import { call } from '#foundation/web/api/call.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { refreshAuthenticators, useAuthenticators } from '#features/security/web/hooks.ts'

type Method = { key: string; name: string; detail: string; remove: () => Promise<AnswerStatus> }

/**
 * The dialog after a password reset by mail: it lists every other way into the account, and the person keeps or removes each (rule 38).
 * Closing the dialog puts it off until the page is loaded again.
 */
export function AccessReview() {
  const [putOff, setPutOff] = useState(false)
  const { withProof, dialog } = useReauthentication()
  const ways = useOtherWays()
  const refresh = () => Promise.all([refreshAddresses(), refreshAuthenticators()])
  const removing = useAct(async (way: Method) => {
    const answer = await withProof(way.remove)
    if (!answer) return
    if (!showError(answer.errors)) toastSuccess(() => m.security_review_removed({ name: way.name }))
    await refresh()
  })
  const finishing = useAct(async () => {
    const answer = await withProof(() => call(finishAccessReview))
    if (!answer || showError(answer.errors)) return
    setPutOff(true)
    await refresh()
  })
  const pending = removing.pending || finishing.pending
  if (putOff || !ways) return null
  return (
    <>
      <Dialog
        open
        wide
        onClose={() => setPutOff(true)}
        title={m.security_review_title()}
        description={m.security_review_text()}
      >
        <List label={m.security_review_title()}>
          {ways.map((way) => (
            <ListRow
              key={way.key}
              title={way.name}
              detail={way.detail}
              actions={
                <Button size="small" look="danger" pending={pending} onClick={() => removing.run(way)}>
                  {m.security_review_remove()}
                </Button>
              }
            />
          ))}
        </List>
        <DialogActions>
          <Button look="primary" pending={pending} onClick={finishing.run}>
            {m.security_review_all_mine()}
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  )
}

/** Returns the ways into the account besides the primary address, to which the reset was mailed; undefined until they are loaded. */
function useOtherWays(): Method[] | undefined {
  const { data: addresses } = useAddresses()
  const { data: factors } = useAuthenticators()
  if (!addresses || !factors) return undefined
  const others = addresses.data.filter((address) => !address.primary)
  return [
    ...others.map(({ email }) => ({
      key: email,
      name: email,
      detail: m.security_review_address(),
      remove: () => call(removeAddress, { body: { email } }),
    })),
    ...factors.passkeys.map(({ id, name, created_at }) => ({
      key: `passkey ${id}`,
      name,
      detail: m.security_review_passkey({ date: formatDate(created_at * 1000) }),
      remove: () => call(removePasskeys, { body: { authenticators: [id] } }),
    })),
    ...(factors.totp
      ? [
          {
            key: 'totp',
            name: m.security_totp(),
            detail: m.security_since({ date: formatDate(factors.totp.created_at * 1000) }),
            remove: () => call(deactivateTotp),
          },
        ]
      : []),
  ]
}

function showError([error]: readonly ApiError[]): boolean {
  if (error) toastError(() => errorText(error))
  return error !== undefined
}
