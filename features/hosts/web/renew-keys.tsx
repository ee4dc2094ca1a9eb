import { useState } from 'react'
import { listHosts, type Host } from '#features/hosts/contract.ts'
import { renewLicenceKeys, type RenewedKey } from '#features/hosts/key-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { KeyEnd } from './key-end.tsx'

type Props = DialogProps & { hosts: readonly Pick<Host, 'id'>[]; onDone: () => void }

/** Renews the licence keys of the selected servers, and then lists the result for each. */
export function RenewKeys({ hosts, open, onClose, onDone }: Props) {
  const [renewed, setRenewed] = useState<readonly RenewedKey[]>()
  const form = useForm(async (fields) => {
    const body = { host_ids: hosts.map(({ id }) => id), at_once: fields.text('end') === 'now' }
    const answer = await call(renewLicenceKeys, { body })
    if (answer.status !== 200) return answer
    setRenewed(answer.body.servers)
    refreshQueries(listHosts)
    return undefined
  })
  const close = () => {
    onClose()
    if (renewed) onDone()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={renewed ? m.hosts_keys_results() : m.hosts_keys_renew_title({ count: hosts.length })}
      description={renewed ? m.hosts_keys_results_text() : m.hosts_keys_renew_text()}
    >
      {renewed ? (
        <Results renewed={renewed} onClose={close} />
      ) : (
        <DialogForm form={form} act={m.hosts_keys_renew()} onClose={close}>
          <KeyEnd />
        </DialogForm>
      )}
    </Dialog>
  )
}

const Results = ({ renewed, onClose }: { renewed: readonly RenewedKey[]; onClose: () => void }) => (
  <div className="flex flex-col gap-4">
    <List label={m.hosts_keys_results()}>
      {renewed.map(({ host_id, name, licence_key }) => (
        <ListRow
          key={host_id}
          title={<bdi>{name}</bdi>}
          badge={
            <Badge tone={licence_key === null ? 'warning' : 'success'}>
              {licence_key === null ? m.hosts_keys_old() : m.hosts_keys_new()}
            </Badge>
          }
          detail={licence_key === null ? m.hosts_keys_too_often() : undefined}
        />
      ))}
    </List>
    <DialogActions>
      <Button onClick={onClose}>{m.ui_close()}</Button>
    </DialogActions>
  </div>
)
