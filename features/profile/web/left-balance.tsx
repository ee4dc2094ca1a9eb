import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The balance of an account that is to be deleted, and the gift in it, which is never paid out. */
export type Left = { balance: Money; gift: Money }

/** `bank`: the money is paid out; `forfeit`: all of it is given up, by typing the sum (rule 61). */
export type Way = 'bank' | 'forfeit'

/** The part of a balance that is no gift. */
export const moneyIn = ({ balance, gift }: Left): Money =>
  toMoney(amountOf(balance) - amountOf(gift), balance.currency)

/** The text of the button that deletes: it says what becomes of the money. */
export function actText(left: Left | undefined, way: Way): string {
  if (!left) return m.profile_delete_button()
  return way === 'bank'
    ? m.profile_delete_pay_out({ amount: formatMoney(moneyIn(left)) })
    : m.profile_delete_forfeit({ amount: formatMoney(left.balance) })
}

type Props = { left: Left; way: Way; onWay: (way: Way) => void }

/** Asks where the money of an account goes that is deleted. It is paid out unless somebody chooses to give it up. */
export function LeftBalance({ left, way, onWay }: Props) {
  const { balance, gift } = left
  const given = way === 'bank' ? gift : balance
  const hasMoney = amountOf(moneyIn(left)) > 0n
  return (
    <>
      <p className="text-sm font-medium">{m.profile_delete_left({ amount: formatMoney(balance) })}</p>
      {hasMoney ? (
        <Segments
          name="way"
          label={m.profile_delete_way()}
          options={[
            { value: 'bank', text: m.profile_delete_way_bank() },
            { value: 'forfeit', text: m.profile_delete_way_forfeit() },
          ]}
          chosen={way}
          onChoose={onWay}
        />
      ) : null}
      {way === 'bank' ? (
        <>
          <p className="text-sm text-muted">
            {m.profile_delete_bank_text({ amount: formatMoney(moneyIn(left)) })}
          </p>
          <TextField name="iban" label={m.profile_delete_iban()} autoComplete="off" required />
          <TextField
            name="holder"
            label={m.profile_delete_holder()}
            hint={m.profile_delete_holder_hint()}
            most={70}
            autoComplete="name"
            required
          />
        </>
      ) : null}
      {amountOf(given) > 0n ? (
        <>
          <Alert tone="danger">
            {way === 'bank'
              ? m.profile_delete_gift({ amount: formatMoney(gift) })
              : m.profile_delete_balance({ amount: formatMoney(balance) })}
          </Alert>
          <TextField
            name="forfeit"
            label={m.profile_delete_sum({ amount: formatMoney(given) })}
            inputMode="decimal"
            autoComplete="off"
            required
          />
        </>
      ) : null}
    </>
  )
}
