import { useState } from 'react'
import type { Transaction } from '#features/finance/contract.ts'
import { descriptionText, movementText } from '#features/finance/texts.ts'
import { isSpending } from '#features/finance/rules.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { amountOf } from '#foundation/money.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney, formatSignedMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button, headActionsClass } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { CustomerAutoTopUp } from './customer-auto-top-up.tsx'
import { useCustomerTransactions } from './hooks.ts'
import { NotPaidOut } from './not-paid-out.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

const GiveCredit = lazyPart(() => import('./give-credit.tsx').then((file) => file.GiveCredit))
const PayOut = lazyPart(() => import('./pay-out.tsx').then((file) => file.PayOut))
const PayToBank = lazyPart(() => import('./money-back.tsx').then((file) => file.PayToBank))
const RefundToSource = lazyPart(() => import('./money-back.tsx').then((file) => file.RefundToSource))
const WriteOff = lazyPart(() => import('./pay-out.tsx').then((file) => file.WriteOff))
const CorrectBooking = lazyPart(() => import('./correct-booking.tsx').then((file) => file.CorrectBooking))
const CustomerStatement = lazyPart(() =>
  import('./customer-statement.tsx').then((file) => file.CustomerStatement),
)
const Refund = lazyPart(() => import('./refund.tsx').then((file) => file.Refund))

/** The balance of a customer with its transactions, and the acts that move it. */
export function CustomerMoney({ card }: { card: CustomerCard }) {
  const pages = useCustomerTransactions(card.id)
  const mayCredit = useMay('finance.credit')
  const mayRefund = useMay('finance.refund')
  const credit = useLazyDialog(GiveCredit)
  const mayCorrect = useMay('finance.charge_back')
  const refund = useLazyDialog(Refund)
  const correct = useLazyDialog(CorrectBooking)
  const payOut = useLazyDialog(PayOut)
  const toBank = useLazyDialog(PayToBank)
  const toSource = useLazyDialog(RefundToSource)
  const writeOff = useLazyDialog(WriteOff)
  const statement = useLazyDialog(CustomerStatement)
  const [chosen, setChosen] = useState<Transaction>()
  const choose = (transaction: Transaction, dialog: typeof refund | typeof correct | typeof toSource) => {
    setChosen(transaction)
    dialog.show()
  }
  const listed = pages.data?.pages[0]
  const balance = listed?.balance ?? card.balance
  const known = { ...card, balance }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="text-sm text-muted">
          <p>
            {m.customers_balance()}: <strong className="text-base text-text">{formatMoney(balance)}</strong>
          </p>
          {listed ? <NotPaidOut gift={listed.gift} held={listed.held} /> : null}
        </div>
        <div className={headActionsClass}>
          <Button {...statement.opener}>{m.invoices_statement()}</Button>
          {mayRefund && listed && amountOf(listed.payable) > 0n ? (
            <>
              <Button {...toBank.opener}>{m.customers_to_bank()}</Button>
              <Button {...payOut.opener}>{m.customers_pay_out()}</Button>
            </>
          ) : null}
          {mayRefund && amountOf(balance) < 0n ? (
            <Button {...writeOff.opener}>{m.customers_write_off()}</Button>
          ) : null}
          {mayCredit ? <Button {...credit.opener}>{m.customers_give_credit()}</Button> : null}
        </div>
      </div>
      <CustomerAutoTopUp card={card} />
      <LoadedList query={pages} failed={m.customers_money_failed()} none={m.customers_no_money()}>
        {(transactions) => (
          <List label={m.customers_transactions()}>
            {transactions.map((transaction) => (
              <Line
                key={transaction.id}
                transaction={transaction}
                onRefund={mayRefund ? () => choose(transaction, refund) : undefined}
                onSource={mayRefund ? () => choose(transaction, toSource) : undefined}
                onCorrect={mayCorrect ? () => choose(transaction, correct) : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {statement.open ? <CustomerStatement card={card} {...statement.dialog} /> : null}
      {credit.open ? <GiveCredit card={card} {...credit.dialog} /> : null}
      {payOut.open && listed ? <PayOut card={card} listed={listed} {...payOut.dialog} /> : null}
      {toBank.open && listed ? <PayToBank card={card} payable={listed.payable} {...toBank.dialog} /> : null}
      {chosen && toSource.open && listed ? (
        <RefundToSource card={card} payable={listed.payable} payment={chosen} {...toSource.dialog} />
      ) : null}
      {writeOff.open ? <WriteOff card={known} {...writeOff.dialog} /> : null}
      {chosen && correct.open ? (
        <CorrectBooking userId={card.id} transaction={chosen} {...correct.dialog} />
      ) : null}
      {chosen && refund.open ? <Refund card={card} transaction={chosen} {...refund.dialog} /> : null}
    </div>
  )
}

type LineProps = {
  transaction: Transaction
  onRefund: (() => void) | undefined
  onSource: (() => void) | undefined
  onCorrect: (() => void) | undefined
}

/** True for what staff may have booked by hand; the server judges whether they did. */
const mayBeByHand = ({ description: { code, params } }: Transaction): boolean =>
  code === 'pay_out' || code === 'charge_back' || (code === 'top_up' && params['provider'] === 'bank')

/** True for a payment by a provider that can give it back; the server judges how much of it is left. */
const isByProvider = ({ description: { code, params } }: Transaction): boolean =>
  code === 'top_up' && params['provider'] !== 'bank'

function Line({ transaction, onRefund, onSource, onCorrect }: LineProps) {
  const { type, amount, balance_after, created_at, description } = transaction
  return (
    <ListRow
      title={descriptionText(description)}
      detail={`${movementText(transaction)} · ${formatDateTime(created_at)}`}
      actions={
        <div className="flex items-center gap-4">
          {onRefund && isSpending(type) ? (
            <Button size="small" onClick={onRefund}>
              {m.customers_refund()}
            </Button>
          ) : null}
          {onSource && isByProvider(transaction) ? (
            <Button size="small" onClick={onSource}>
              {m.customers_source()}
            </Button>
          ) : null}
          {onCorrect && mayBeByHand(transaction) ? (
            <Button size="small" onClick={onCorrect}>
              {m.customers_correct()}
            </Button>
          ) : null}
          <p className="text-right text-sm">
            <span className={classNames('block font-medium', amountOf(amount) > 0n && 'text-success-text')}>
              {formatSignedMoney(amount)}
            </span>
            <span className="text-muted">
              <span className="sr-only">{m.customers_balance()}: </span>
              {formatMoney(balance_after)}
            </span>
          </p>
        </div>
      }
    />
  )
}
