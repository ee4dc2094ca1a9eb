import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { formatDate, relativeTime } from '#foundation/web/i18n/format.ts'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { m } from '#texts/messages.js'
import { AddPasskey } from './add-passkey.tsx'
import type { Factors } from './hooks.ts'
import { RemovePasskey, RenamePasskey } from './change-passkey.tsx'

type Passkey = Factors['passkeys'][number]

type Props = { passkeys: readonly Passkey[]; onChanged: () => void }

/** The card of passkeys (fingerprint, face, PIN or a hardware key), each a second step or a sign-in of its own. */
export function Passkeys({ passkeys, onChanged }: Props) {
  const [adding, setAdding] = useState(false)
  // Browsers offer no passkeys to a page that comes over plain HTTP from another machine.
  const isPossible = 'PublicKeyCredential' in window
  return (
    <Card
      title={m.security_passkeys()}
      description={m.security_passkeys_text()}
      actions={
        isPossible ? <Button onClick={() => setAdding(true)}>{m.security_passkey_add()}</Button> : undefined
      }
    >
      {passkeys.length > 0 ? (
        <List label={m.security_passkeys()}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChanged={onChanged} />
          ))}
        </List>
      ) : (
        <p className="text-sm text-muted">
          {isPossible ? m.security_passkeys_none() : m.security_passkeys_impossible()}
        </p>
      )}
      <AddPasskey open={adding} onClose={() => setAdding(false)} onChanged={onChanged} />
    </Card>
  )
}

function PasskeyRow({ passkey, onChanged }: { passkey: Passkey; onChanged: () => void }) {
  const [act, setAct] = useState<'rename' | 'remove'>()
  const close = () => setAct(undefined)
  const { name, created_at, last_used_at } = passkey
  const since = m.security_since({ date: formatDate(created_at * 1000) })
  const used =
    last_used_at === null
      ? m.security_never_used()
      : m.security_last_used({ when: relativeTime(last_used_at * 1000) })
  return (
    <>
      <ListRow
        icon={<KeyRound size={18} aria-hidden="true" />}
        title={name}
        badge={passkey.is_passwordless ? <Badge tone="accent">{m.security_passkey_alone()}</Badge> : null}
        detail={`${since} · ${used}`}
        actions={
          <Menu
            label={m.security_passkey_actions({ name })}
            trigger={<Ellipsis size={18} aria-hidden="true" />}
            triggerClass={iconButtonClass}
            align="end"
          >
            <MenuItem onSelect={() => setAct('rename')}>{m.security_passkey_rename()}</MenuItem>
            <MenuItem tone="danger" onSelect={() => setAct('remove')}>
              {m.security_passkey_remove()}
            </MenuItem>
          </Menu>
        }
      />
      <RenamePasskey passkey={passkey} open={act === 'rename'} onClose={close} />
      <RemovePasskey passkey={passkey} open={act === 'remove'} onClose={close} onChanged={onChanged} />
    </>
  )
}
