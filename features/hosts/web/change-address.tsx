import type { Host } from '#features/hosts/contract.ts'
import { canonicalIpv6 } from '#foundation/ipv6.ts'
import { FREE_IPV4_CHANGES, hostCan, IPV4_CHANGES_DAYS, isIpv4 } from '#features/hosts/rules.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveHost, toastUpdateFailed } from './hooks.ts'

/** The dialog that changes the addresses of a host. It shows the limit beforehand (three changes in 30 days while a licence is paid). */
export function ChangeAddress({ host, open, onClose }: DialogProps & { host: Host }) {
  const form = useEditForm({
    saved: host,
    save: async (typed, version) => {
      const ipv4 = addressIn(typed.ipv4)
      const ipv6 = addressIn(typed.ipv6)
      if (ipv4 && !isIpv4(ipv4)) return refused({ code: 'invalid_ipv4', param: 'ipv4' })
      if (ipv6 && canonicalIpv6(ipv6) === undefined) return refused({ code: 'invalid_ipv6', param: 'ipv6' })
      const changes = { ...(ipv4 !== undefined && { ipv4 }), ...(ipv6 !== undefined && { ipv6 }) }
      const answer = await saveHost(host.id, { ...changes, version })
      if (answer.status !== 200) toastUpdateFailed(answer)
      return answer
    },
    onDone: (saved) => {
      if (saved) toastSuccess(() => m.hosts_ipv4_changed())
      onClose()
    },
  })
  const isNew = host.ipv4 === null && host.ipv6 === null
  const title = isNew ? m.hosts_ipv4_set() : m.hosts_ipv4_change()
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={m.hosts_ipv4_text({ name: host.name })}
      form={form}
      act={m.ui_save()}
      label={title}
      isReady={hostCan.changeAddresses(host)}
    >
      <ChangesLeft left={host.ipv4_changes_left} />
      <TextField
        name="ipv4"
        label={m.hosts_ipv4()}
        hint={hostCan.loseAddresses(host) ? m.hosts_ipv4_optional() : undefined}
        defaultValue={host.ipv4 ?? ''}
        mono
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="ipv6"
        label={m.hosts_ipv6()}
        hint={m.hosts_ipv6_hint()}
        defaultValue={host.ipv6 ?? ''}
        mono
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}

/** Returns undefined for an unchanged field, null for an emptied field, and otherwise the typed address. */
function addressIn(typed: string | undefined): string | null | undefined {
  return typed?.trim() === '' ? null : typed?.trim()
}

const refused = (error: DisplayedError) => ({ status: 400, body: undefined, errors: [error] })

function ChangesLeft({ left }: { left: number | null }) {
  if (left === null) return null
  const rule = { count: String(FREE_IPV4_CHANGES), days: String(IPV4_CHANGES_DAYS) }
  return (
    <Alert tone={left === 0 ? 'warning' : 'neutral'}>
      <p>{m.hosts_ipv4_rule(rule)}</p>
      <p className="mt-1 font-medium">
        {left === 0 ? m.hosts_ipv4_none_left() : m.hosts_ipv4_left({ left: String(left) })}
      </p>
    </Alert>
  )
}
