import { countryCodes } from '#features/profile/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import type { Config } from '#foundation/server/config.ts'
import { brand, plainStyles } from '#foundation/server/http/plain-page.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'
import * as m from '#texts/messages.js'
import type { TopUpStatus } from '#features/finance/rules.ts'
import type { TestPayment } from './test-payment.ts'

export const pagePolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The page where a test payment is made, without a script. Its first line states that no money moves. */
export function paymentPage(payment: TestPayment, { operator }: Config): string {
  const { public_id, amount, currency, status, locale, back } = payment
  const title = m.finance_test_page_title({}, { locale })
  const buttons = acts[status].map((act) => button(public_id, act, locale)).join('')
  const note = m.finance_test_page_note({}, { locale })
  return testPage(operator, locale, {
    title,
    note,
  })(`<p class="amount">${escapeHtml(moneyText(toMoney(amount, currency), locale))}</p>
<p>${escapeHtml(says[status]({}, { locale }))}</p>
<form method="post" action="/dev/pay/${public_id}/pay">${acts[status].includes('pay') ? countryOfCard(locale) : ''}${buttons}</form>
<p><a href="${escapeHtml(back)}">${escapeHtml(m.finance_test_page_back({}, { locale }))}</a></p>`)
}

type Head = { title: string; note: string }

/** Returns a page of the test provider, which says first that it is none of a real one, around its content (HTML). */
export const testPage =
  (operator: Config['operator'], locale: Locale, { title, note }: Head) =>
  (content: string): string =>
    `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${escapeHtml(operator.name)}</title><link rel="stylesheet" href="/dev/pay/style.css">
${operator.accentColor ? '<link rel="stylesheet" href="/account/operator.css">' : ''}</head>
<body><main>${brand(operator.name)}
<h1>${escapeHtml(title)}</h1>
<p class="note">${escapeHtml(note)}</p>
${content}
</main></body></html>
`

type Act = keyof typeof labels

const labels = {
  pay: m.finance_test_page_pay,
  fail: m.finance_test_page_fail,
  'charge-back': m.finance_test_page_charge_back,
  reinstate: m.finance_test_page_reinstate,
} as const

// The actions that each status allows. A failed payment may be tried again, as with a card.
const acts: Record<TopUpStatus, readonly Act[]> = {
  pending: ['pay', 'fail'],
  failed: ['pay'],
  expired: ['pay'],
  // A top-up of this provider cannot be cancelled: only bank transfers can.
  cancelled: [],
  paid: ['charge-back'],
  charged_back: ['reinstate'],
  corrected: [],
}

const says = {
  pending: m.finance_test_page_pending,
  failed: m.finance_test_page_failed,
  expired: m.finance_test_page_expired,
  cancelled: m.finance_test_page_cancelled,
  paid: m.finance_test_page_paid,
  charged_back: m.finance_test_page_charged_back,
  corrected: m.finance_test_page_corrected,
} as const

/** The country of the card is evidence of the buyer's place, as with a real card. */
function countryOfCard(locale: Locale): string {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const options = countryCodes.map(
    (code) => `<option value="${code}">${escapeHtml(names.of(code) ?? code)}</option>`,
  )
  const none = `<option value="">${escapeHtml(m.finance_test_page_no_country({}, { locale }))}</option>`
  return `<label>${escapeHtml(m.finance_test_page_country({}, { locale }))}<select name="from">${none}${options.join('')}</select></label>`
}

const button = (id: string, act: Act, locale: Locale): string =>
  `<button formaction="/dev/pay/${id}/${act}"${act === 'pay' ? ' class="main"' : ''}>${escapeHtml(labels[act]({}, { locale }))}</button>`

export const paymentStyles = `${plainStyles}body{background:var(--sunken)}
main{max-width:26rem;margin:8vh auto 0;padding:1.5rem;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1{margin:1.5rem 0 1rem}
.note{margin:0;padding:.75rem 1rem;border-radius:6px;background:var(--warning-soft);color:var(--warning-text);font-size:.875rem}
.amount{font-size:2.25rem;line-height:1.2;font-weight:600;letter-spacing:-.02em;margin:1.5rem 0 .25rem;font-variant-numeric:tabular-nums}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.5rem 0}
button{flex:1;font:inherit;font-weight:500;min-height:2.75rem;padding:0 1rem;border-radius:6px;border:1px solid var(--line);background:var(--surface);color:inherit;cursor:pointer}
label{flex-basis:100%;font-size:.875rem}
select{display:block;width:100%;margin:.25rem 0 .5rem;font:inherit;font-size:1rem;min-height:2.75rem;padding:0 .75rem;border-radius:6px;border:1px solid var(--line-strong);background:var(--surface);color:inherit}
fieldset{flex-basis:100%;border:0;margin:0 0 .5rem;padding:0;display:grid;gap:.5rem}
label.choice{display:flex;gap:.5rem;align-items:center;min-height:2.75rem}
input[type=month]{display:block;width:100%;margin:.25rem 0 .5rem;font:inherit;font-size:1rem;min-height:2.75rem;padding:0 .75rem;border-radius:6px;border:1px solid var(--line-strong);background:var(--surface);color:inherit}
button:hover{background:var(--hover)}
button.main{background:var(--accent);border-color:transparent;color:var(--on-accent)}
@media (max-width:30rem){main{margin:0;border:0;border-radius:0;min-height:100vh}}
`
