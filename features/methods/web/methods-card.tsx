import { useState } from 'react'
import type { PaymentMethod } from '#features/methods/contract.ts'
import { methodEnd, methodName } from '#features/methods/texts.ts'
import { makeMethodDefault } from '#features/methods/contract.ts'
import { actedFor, onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { useQueryValue } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Spinner } from '#foundation/web/ui/spinner.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { AddMethod } from './add-method.tsx'
import { refreshMethods, useMethods } from './hooks.ts'
import { RemoveMethod } from './remove-method.tsx'

/** The saved payment methods; nothing where none is saved and none can be. Only the owner of the account changes them. */
export function MethodsCard() {
  const awaited = useQueryValue('method')
  const query = useMethods(awaited)
  const [removing, setRemoving] = useState<PaymentMethod>()
  const isOwner = !actedFor() && !isViewing() && !onlyReads()
  return (
    <Loaded query={query} failed={m.methods_fetch_failed()} waiting={null}>
      {({ items, offered }) =>
        items.length === 0 && (offered.length === 0 || !isOwner) ? null : (
          <Card title={m.methods_title()}>
            {items.length === 0 ? <p className="text-sm text-muted">{m.methods_none()}</p> : null}
            <ul className="-my-2 divide-y divide-line">
              {items.map((method) => (
                <Line
                  key={method.id}
                  method={method}
                  onRemove={isOwner ? () => setRemoving(method) : undefined}
                />
              ))}
            </ul>
            {awaited !== undefined && query.isFetching && !items.some(({ id }) => id === awaited) ? (
              <p role="status" className="mt-3 flex items-center gap-2 text-sm text-muted">
                <Spinner /> {m.methods_waiting()}
              </p>
            ) : null}
            {isOwner ? <AddMethod offered={offered} /> : null}
            <RemoveMethod method={removing} onClose={() => setRemoving(undefined)} />
          </Card>
        )
      }
    </Loaded>
  )
}

const reasons = {
  disputed: m.methods_why_disputed,
  declined: m.methods_why_declined,
  ended: m.methods_why_ended,
} as const

function Line({ method, onRemove }: { method: PaymentMethod; onRemove: (() => void) | undefined }) {
  const { id, is_default, state, reason, expires, mandate } = method
  const name = methodName(method)
  const makeDefault = useAct(async () => {
    const answer = await call(makeMethodDefault, { params: { methodId: id } })
    if (answer.status === 200) toastSuccess(() => m.methods_made_default({ name }))
    refreshMethods()
  })
  const details = [
    ...(expires === null ? [] : [m.methods_until({ month: methodEnd(expires) })]),
    ...(mandate === null ? [] : [m.methods_mandate({ mandate })]),
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          {is_default ? <Badge tone="accent">{m.methods_default()}</Badge> : null}
          {state === 'expired' ? <Badge tone="warning">{m.methods_expired()}</Badge> : null}
          {state === 'paused' ? <Badge tone="danger">{m.methods_paused()}</Badge> : null}
        </p>
        {details.length > 0 ? <p className="break-words text-muted">{details.join(' · ')}</p> : null}
        {reason === null ? null : <p className="text-muted">{reasons[reason]()}</p>}
      </div>
      {onRemove ? (
        <div className="flex gap-2">
          {is_default || state !== 'active' ? null : (
            <Button
              size="small"
              aria-label={`${m.methods_make_default()}: ${name}`}
              pending={makeDefault.pending}
              onClick={makeDefault.run}
            >
              {m.methods_make_default()}
            </Button>
          )}
          <Button size="small" aria-label={`${m.methods_remove()}: ${name}`} onClick={onRemove}>
            {m.methods_remove()}
          </Button>
        </div>
      ) : null}
    </li>
  )
}
