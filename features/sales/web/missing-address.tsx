import { getHost, updateHost, type Host } from '#features/hosts/contract.ts'
import { isIpv4 } from '#features/hosts/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf } from '#foundation/web/api/query.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Shown when a licence is ordered for a host that has no address yet. */
export function AddressField({ defaultValue }: { defaultValue: string | undefined }) {
  return (
    <TextField
      name="ipv4"
      defaultValue={defaultValue}
      label={m.hosts_ipv4()}
      hint={m.sales_ipv4_new()}
      required
      mono
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** Gives the host its address before the order, and returns the errors. If the order is refused, the address stays: it is right anyway. */
export async function setAddress(host: Host, ipv4: string): Promise<FormError | undefined> {
  if (!isIpv4(ipv4)) return { errors: [{ code: 'invalid_ipv4', param: 'ipv4' }] }
  if (host.ipv4 === ipv4) return undefined
  const answer = await call(updateHost, { params: { hostId: host.id }, body: { ipv4 } })
  if (answer.status !== 200)
    return answer.status === 409
      ? { errors: answer.errors.map((error) => ({ ...error, param: 'ipv4' })) }
      : answer
  keepAnswer(answer, keyOf(getHost, { params: { hostId: host.id } }), answer.body)
  return undefined
}
