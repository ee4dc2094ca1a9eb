import type { ProviderName } from '#features/finance/rules.ts'
import { moneyText } from '#foundation/money.ts'
import type { Config } from '#foundation/server/config.ts'
import { errorText } from '#foundation/server/http/english-text.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { asksForPlace } from './buy-form.ts'
import { buyAddress, indexAddress, productAddress } from './addresses.ts'
import { buyerFields, serverFields } from './buyer-fields.ts'
import { extraFields } from './extra-fields.ts'
import { textField, tickBox } from './fields.ts'
import { layout } from './layout.ts'
import { nameOfSum } from './offer.ts'
import { countryName, termText } from './price-texts.ts'
import { promoField, sumOf, type Summed } from './sum.ts'

export type Buying = Summed & {
  providers: readonly ProviderName[]
  network: string | null
  /** The seconds to wait after too many forms. */
  wait_s?: number
}

const FORM = 'buy'

/** The form that buys a plan before there is an account. Everything typed is kept, and each error stands beside its field. */
export function buyPage(config: Config, buying: Buying): Html {
  const { locale, plan, faults, wait_s, typed, isFree } = buying
  const title = m.shop_buy_named({ plan: plan.name[locale], term: termText(plan.term, locale) }, { locale })
  const general = faults['']
  const kept = { locale, country: typed.country, code: typed.code, email: typed.email }
  const isWrong = isFree || Object.keys(faults).length > 0
  return layout(
    config,
    {
      locale,
      title,
      description: title,
      home: indexAddress(kept),
      chosenIn: (other) => buyAddress(plan.slug, { locale: other }),
      form: { id: FORM, act: 'price' },
    },
    html`<form class="buy" id="${FORM}" method="post" action="${buyAddress(plan.slug, { locale })}">
      <h1>${title}</h1>
      ${
        isWrong &&
        html`<p class="fault-box" role="alert">
          ${general ? errorText(general, locale, wait_s) : m.shop_buy_check({}, { locale })}
        </p>`
      }
      <input type="hidden" name="form" value="${typed.form}" /><input
        type="hidden"
        name="total"
        value="${plan.price_total.amount}"
      /><input type="hidden" name="sum_of" value="${nameOfSum(typed)}" />
      <div class="not-for-people" aria-hidden="true">
        <label>Website<input name="website" tabindex="-1" autocomplete="off" value="" /></label>
      </div>
      ${textField(buying, {
        name: 'email',
        label: m.shop_email({}, { locale }),
        fill: 'email',
        type: 'email',
        hint: m.shop_email_hint({}, { locale }),
        must: true,
      })}
      ${plan.product?.asks_address !== false && serverFields(buying)} ${extraFields(buying)}
      ${buyerFields(buying)} ${promoField(buying)} ${sumOf(buying)} ${ways(buying)}
      ${agreements(config, buying)}
      <button class="button main-button wide-button" name="act" value="pay">
        ${m.shop_pay({ amount: moneyText(buying.amount, locale) }, { locale })}
      </button>
      <p class="hint">
        <a href="${productAddress(plan.product?.slug ?? '', kept)}">${m.shop_other_plan({}, { locale })}</a>
      </p>
    </form>`,
  )
}

/** The ways to pay; where there is one only, nothing is to be chosen. */
function ways({ locale, providers, typed }: Buying): Html {
  const [first] = providers
  if (providers.length === 1) return html`<input type="hidden" name="provider" value="${first ?? ''}" />`
  const chosen = providers.find((name) => name === typed.provider) ?? first
  return html`<fieldset class="ways">
    <legend>${m.shop_way({}, { locale })}</legend>
    ${providers.map(
      (name) =>
        html`<label class="tick"
          ><input type="radio" name="provider" value="${name}" ${name === chosen && html` checked`} /><span
            >${wayTexts[name]({}, { locale })}</span
          ></label
        >`,
    )}
  </fieldset>`
}

const wayTexts: Record<ProviderName, typeof m.finance_provider_test> = {
  test: m.finance_provider_test,
  bank: m.finance_provider_bank,
  stripe: m.finance_provider_stripe,
  mollie: m.finance_provider_mollie,
}

/** The boxes that the account area's dialog has, too: terms, begin at once, and, where network and address differ, the place. */
function agreements({ operator }: Config, buying: Buying): Html {
  const { locale, plan, typed, network } = buying
  const link = (url: string | undefined, text: string) => html`<a href="${url ?? ''}">${text}</a>`
  const country = countryName(typed.country, locale)
  return html`${
    asksForPlace(typed, network) &&
    tickBox(
      buying,
      'place',
      typed.country,
      html`${m.shop_place({ country, network: countryName(network ?? '', locale) }, { locale })}`,
    )
  }${
    operator.termsVersion !== undefined &&
    tickBox(
      buying,
      'terms',
      operator.termsVersion,
      html`${m.legal_accept({}, { locale })}
      ${link(operator.termsUrl, m.legal_read({ version: operator.termsVersion }, { locale }))}`,
    )
  }${
    plan.withdrawal_url !== undefined &&
    tickBox(
      buying,
      'begin_now',
      'yes',
      html`${m.sales_begin_now({}, { locale })}
      ${link(plan.withdrawal_url, m.sales_withdrawal_instruction({}, { locale }))}`,
    )
  }`
}
