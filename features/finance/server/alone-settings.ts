import { roles, type Role } from '#foundation/roles.ts'
import { minorUnits } from '#foundation/money.ts'
import type { Allowances } from '#foundation/server/approvals/requested-act.ts'
import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { amountsByRole } from '#foundation/server/setting-kinds.ts'
import { setting } from '#foundation/server/setting.ts'

// The defaults. A default above BALANCE_CAP is not refused, but lowered to the cap.
const usual = {
  STAFF_CREDIT_ALONE: 'support:0,billing:100,admin:250,owner:1000',
  STAFF_REFUND_ALONE: 'billing:500,admin:500,owner:5000',
  STAFF_TRANSFER_ALONE: 'billing:1000,admin:1000,owner:5000',
  STAFF_VOUCHERS_ALONE: 'billing:250,admin:250,owner:1000',
} as const
type AloneName = keyof typeof usual
const aloneNames = [
  'STAFF_CREDIT_ALONE',
  'STAFF_REFUND_ALONE',
  'STAFF_TRANSFER_ALONE',
  'STAFF_VOUCHERS_ALONE',
] as const satisfies readonly AloneName[]
const readUsual = (name: AloneName) => amountsByRole(usual[name]).parse(usual[name])

export const aloneSettings = {
  STAFF_CREDIT_ALONE: setting(
    'How much credit each role of staff gives without a second person, in whole units; three times as much a day.',
    amountsByRole(usual.STAFF_CREDIT_ALONE),
    usual.STAFF_CREDIT_ALONE,
  ),
  STAFF_REFUND_ALONE: setting(
    'The same of refunds.',
    amountsByRole(usual.STAFF_REFUND_ALONE),
    usual.STAFF_REFUND_ALONE,
  ),
  STAFF_TRANSFER_ALONE: setting(
    'The same of bank transfers confirmed by hand, or taken back.',
    amountsByRole(usual.STAFF_TRANSFER_ALONE),
    usual.STAFF_TRANSFER_ALONE,
  ),
  STAFF_VOUCHERS_ALONE: setting(
    'The same of vouchers that staff make: value times uses.',
    amountsByRole(usual.STAFF_VOUCHERS_ALONE),
    usual.STAFF_VOUCHERS_ALONE,
  ),
}

type Values = FeatureValues<typeof aloneSettings> & { CURRENCY: string; BALANCE_CAP: number }

/** Minor units that a member of each role moves without a second person. */
export type StaffAlone = Record<'credit' | 'refund' | 'transfer' | 'vouchers', Allowances>

export const staffAloneOf = (values: Values): StaffAlone => ({
  credit: allowancesOf(values, 'STAFF_CREDIT_ALONE'),
  refund: allowancesOf(values, 'STAFF_REFUND_ALONE'),
  transfer: allowancesOf(values, 'STAFF_TRANSFER_ALONE'),
  vouchers: allowancesOf(values, 'STAFF_VOUCHERS_ALONE'),
})

function allowancesOf(values: Values, name: AloneName): Allowances {
  const capped = (role: Role) => minorUnits(Math.min(values[name][role], values.BALANCE_CAP), values.CURRENCY)
  return {
    support: capped('support'),
    billing: capped('billing'),
    admin: capped('admin'),
    owner: capped('owner'),
  }
}

export function* impossibleAllowances(values: Values): Generator<string> {
  for (const name of aloneNames) {
    const given = values[name]
    const isUsual = roles.every((role) => given[role] === readUsual(name)[role])
    if (!isUsual && roles.some((role) => given[role] > values.BALANCE_CAP))
      yield `${name} lets a role move more alone than BALANCE_CAP, which is ${values.BALANCE_CAP}. Set it to at most that.`
  }
}
