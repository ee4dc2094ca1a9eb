import { useState } from 'react'
import type { MadeVoucher } from '#features/catalogue/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow, TitleAmount } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { useVouchers } from './hooks.ts'
import { MakeVoucher } from './make-voucher.tsx'
import { ShowCode, type ShownCode } from './show-code.tsx'
import { VoidVoucher } from './void-voucher.tsx'

/** All vouchers, the newest first. */
export function Vouchers() {
  const pages = useVouchers()
  const mayMake = useMay('vouchers.make')
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<ShownCode>()
  const [chosen, setChosen] = useState<MadeVoucher>()
  return (
    <Card
      title={m.catalogue_vouchers()}
      description={m.catalogue_vouchers_text()}
      actions={mayMake ? <Button onClick={() => setMaking(true)}>{m.catalogue_make()}</Button> : undefined}
    >
      <LoadedList query={pages} failed={m.catalogue_vouchers_failed()} none={m.catalogue_no_vouchers()}>
        {(vouchers) => (
          <List label={m.catalogue_vouchers()}>
            {vouchers.map((voucher) => (
              <Row
                key={voucher.id}
                voucher={voucher}
                onVoid={mayMake ? () => setChosen(voucher) : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {making ? <MakeVoucher open onClose={() => setMaking(false)} onMade={setMade} /> : null}
      {made ? <ShowCode made={made} onClose={() => setMade(undefined)} /> : null}
      {chosen ? <VoidVoucher voucher={chosen} open onClose={() => setChosen(undefined)} /> : null}
    </Card>
  )
}

const STATES: Readonly<Record<MadeVoucher['state'], readonly [() => string, Tone]>> = {
  live: [m.catalogue_state_live, 'success'],
  used_up: [m.catalogue_state_used_up, 'neutral'],
  expired: [m.catalogue_state_expired, 'neutral'],
  void: [m.catalogue_state_void, 'danger'],
}

function Row({ voucher, onVoid }: { voucher: MadeVoucher; onVoid: (() => void) | undefined }) {
  const { id, amount, uses, used, note, state, expires_at, made_by, void_reason } = voucher
  const [text, tone] = STATES[state]
  const facts = [
    m.catalogue_used({ used: String(used), uses: String(uses) }),
    expires_at === null
      ? m.catalogue_valid_always()
      : m.catalogue_valid_until({ date: formatDateTime(expires_at) }),
    made_by === null ? m.catalogue_by_cli() : m.catalogue_by({ name: made_by.name }),
    ...(void_reason === null ? [] : [void_reason]),
  ]
  return (
    <ListRow
      title={
        <>
          <TitleAmount amount={amount} />
          <bdi>{note === '' ? m.catalogue_unnamed({ id }) : note}</bdi>
        </>
      }
      badge={<Badge tone={tone}>{text()}</Badge>}
      detail={facts.join(' · ')}
      actions={
        onVoid && state === 'live' ? (
          <Button size="small" aria-label={m.catalogue_void_of({ id })} onClick={onVoid}>
            {m.catalogue_void()}
          </Button>
        ) : null
      }
    />
  )
}
