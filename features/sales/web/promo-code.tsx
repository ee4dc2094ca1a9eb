import { lastMinute } from '#foundation/web/i18n/days.ts'
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { previewPromo, type Plan } from '#features/licences/contract.ts'
import { FormContext } from '#foundation/web/form/form-context.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { CallError, queryFor } from '#foundation/web/api/query.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

const LENGTH = 40

type Kept = { hostId?: string; typed?: string | undefined }

type Plans = { data: { items: Plan[] } | undefined; error: unknown; refetch: () => Promise<unknown> }

/**
 * A promo code for an order: the plans at its prices, its field, and the field that the order sends. A plan that the code does not lower is
 * ordered without it. A code that was typed and not applied is applied by the button of the order, which then shows the price first. `typed` was
 * kept with an interrupted order.
 */
export function usePromoCode(plans: Plans, { hostId, typed: kept = '' }: Kept = {}) {
  const locale = useLocale()
  const [code, setCode] = useState(kept)
  const body = { code, ...(hostId !== undefined && { host: hostId }) }
  const found = queryFor(previewPromo, { body })
  const query = useQuery({
    ...found,
    queryKey: [...found.queryKey, locale],
    enabled: code !== '',
    retry: false,
    gcTime: 0,
  })
  const shown = code === '' ? undefined : query.data
  const apply = (typed: string) => {
    if (typed === code && typed !== '') void query.refetch()
    else setCode(typed)
  }
  return {
    plans: shown && plans.data ? { ...plans, data: { items: shown.items } } : plans,
    /** True if a typed code had to be applied before the order is sent. */
    applies: (fields: FormFields): boolean => {
      const typed = fields.text('promo').trim()
      if (shown || typed === '') return false
      apply(typed)
      return true
    },
    sentFor: (plan: Plan): { promo?: string } =>
      shown && plan.promo?.code === shown.code ? { promo: shown.code } : {},
    /** The code, to keep while the order waits for money. */
    typedIn: (fields: FormFields): string => shown?.code ?? fields.text('promo').trim(),
    /** The properties of its `PromoField`. */
    state: {
      code,
      shown,
      error: code === '' ? null : query.error,
      isPending: code !== '' && query.isFetching,
      apply,
    },
  }
}

type State = ReturnType<typeof usePromoCode>['state']

/** The field for a promo code, or the code that lowers the order. */
export function PromoField({ of, plan }: { of: State; plan: Plan | undefined }) {
  const { code, shown, error, isPending, apply } = of
  if (!shown) return <Ask code={code} error={error} isPending={isPending} onApply={apply} />
  const isOther = plan !== undefined && plan.promo?.code !== shown.code
  return <Applied code={shown.code} until={shown.expires_at} isOther={isOther} onRemove={() => apply('')} />
}

type AskProps = { code: string; error: unknown; isPending: boolean; onApply: (typed: string) => void }

/** The field for a code. It is folded away, because most orders have none. Its refusals stand at it, as those of the order do. */
function Ask({ code, error, isPending, onApply }: AskProps) {
  const form = use(FormContext)
  const refused = error instanceof CallError ? error.answer.errors : []
  const errors = [
    ...form.errors,
    ...refused.map((one) =>
      one.param === 'code' || one.param === undefined ? { ...one, param: 'promo' } : one,
    ),
  ]
  const isRefused = errors.some(({ param }) => param === 'promo')
  const [typed, setTyped] = useState(code)
  return (
    <details open={isRefused || undefined} className="rounded-md border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-medium">{m.sales_promo_ask()}</summary>
      <FormContext value={{ ...form, errors }}>
        <div className="mt-3 flex items-end gap-2">
          <div className="min-w-0 flex-1" aria-live="polite">
            <TextField
              name="promo"
              label={m.sales_promo()}
              defaultValue={code}
              most={LENGTH}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Enter must not send the order, whose price the code changes.
                event.preventDefault()
                onApply(typed.trim())
              }}
            />
          </div>
          <Button disabled={isPending || typed.trim() === ''} onClick={() => onApply(typed.trim())}>
            {m.sales_promo_apply()}
          </Button>
        </div>
      </FormContext>
    </details>
  )
}

type AppliedProps = { code: string; until: string | null; isOther: boolean; onRemove: () => void }

/** The code that lowers the order, until when it can be used, and the button that takes it out. */
function Applied({ code, until, isOther, onRemove }: AppliedProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-line px-4 py-3 text-sm"
    >
      <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <span className="font-medium">{m.sales_promo_applied({ code })}</span>
        {isOther ? <span className="block text-warning-text">{m.sales_promo_other_plan()}</span> : null}
        {until === null ? null : (
          <span className="block text-muted">
            {m.sales_promo_until({ date: formatDate(lastMinute(until)) })}
          </span>
        )}
      </span>
      <Button size="small" onClick={onRemove}>
        {m.sales_promo_remove()}
      </Button>
    </div>
  )
}
