import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import type { Device } from '#features/security/contract.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { endDevices, useDevices } from './hooks.ts'
import { deviceOf } from './device-name.ts'

/** Devices on which the account is signed in; others can be signed out, one or all. */
export function Devices() {
  const query = useDevices()
  const devices = query.data?.data.toSorted(
    (one, other) =>
      Number(other.is_current) - Number(one.is_current) || other.last_seen_at - one.last_seen_at,
  )
  const here = devices?.find((device) => device.is_current)?.ip
  const others = devices?.filter((device) => !device.is_current).map((device) => device.id) ?? []
  return (
    <Card
      title={m.security_devices()}
      description={m.security_devices_text()}
      actions={others.length > 0 ? <SignOut ids={others}>{m.security_devices_sign_out_all()}</SignOut> : null}
    >
      <Loaded query={{ ...query, data: devices }} failed={m.security_fetch_failed()} waiting="h-16">
        {(devices) => (
          <List label={m.security_devices()}>
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} here={here} />
            ))}
          </List>
        )}
      </Loaded>
    </Card>
  )
}

function DeviceRow({ device, here }: { device: Device; here: string | undefined }) {
  const { name, isPhone } = deviceOf(device.user_agent)
  const Icon = isPhone ? Smartphone : Monitor
  const place = device.ip === here && !device.is_current ? m.security_device_same_network() : undefined
  const active = device.is_current
    ? undefined
    : m.security_device_active({ when: relativeTime(device.last_seen_at * 1000) })
  const since = m.security_device_since({ date: formatDateTime(device.created_at * 1000) })
  return (
    <ListRow
      icon={<Icon size={18} aria-hidden="true" />}
      title={<span title={device.user_agent}>{name ?? m.security_device_unknown()}</span>}
      badge={device.is_current ? <Badge tone="success">{m.security_device_this()}</Badge> : null}
      detail={[device.ip, place, active, since].filter((part) => part !== undefined).join(' · ')}
      actions={
        device.is_current ? null : <SignOut ids={[device.id]}>{m.security_devices_sign_out()}</SignOut>
      }
    />
  )
}

function SignOut({ ids, children }: { ids: number[]; children: string }) {
  const signOut = useAct(async () => {
    const answer = await endDevices(ids)
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
    else toastSuccess(() => m.security_devices_signed_out())
  })
  return (
    <Button size="small" pending={signOut.pending} onClick={signOut.run}>
      {children}
    </Button>
  )
}
