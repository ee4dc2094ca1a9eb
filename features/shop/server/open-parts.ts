import { paths } from '#features/paths.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import type { Locale } from '#foundation/locale.ts'
import { moneyText, toMoney } from '#foundation/money.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { App } from '#foundation/server/app.ts'
import { errorText } from '#foundation/server/http/english-text.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import type { ErrorCode } from '#texts/errors.js'
import * as m from '#texts/messages.js'
import type { PurchaseRow } from './purchase-queries.ts'

/** The pages to which the link in a mail leads: each a title and what stands below it. */
export type Part = { title: string; body: Html }

export const passwordForm = (
  { email, locale }: { email: string; locale: Locale },
  key: string,
  fault: ErrorCode | undefined,
): Part => ({
  title: m.shop_open_title({}, { locale }),
  body: html`<p class="lead">${m.shop_open_text({ email }, { locale })}</p>
    <form class="buy" method="post" action="/buy/open/">
      <input type="hidden" name="key" value="${key}" /><input
        class="not-for-people"
        type="text"
        name="username"
        value="${email}"
        autocomplete="username"
        readonly
        tabindex="-1"
        aria-hidden="true"
      />
      <div class="field">
        <label for="password">${m.shop_password({}, { locale })}</label
        ><input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength="8"
          maxlength="200"
          required
          aria-describedby="password-note"
          ${fault !== undefined && html` aria-invalid="true"`}
        />
        <p class="${fault === undefined ? 'hint' : 'fault'}" id="password-note">
          ${fault === undefined ? m.shop_password_hint({}, { locale }) : errorText(fault, locale)}
        </p>
      </div>
      <button class="button main-button wide-button">${m.shop_open({}, { locale })}</button>
    </form>`,
})

export const asking = ({ locale, amount, currency, wish }: PurchaseRow, key: string): Part => ({
  title: m.shop_take_title({}, { locale }),
  body: html`<p class="lead">
      ${m.shop_take_text({ paid: moneyText(toMoney(amount, currency), locale), plan: wish.plan_name[locale] }, { locale })}
    </p>
    <form class="buy" method="post" action="/buy/open/">
      <input type="hidden" name="key" value="${key}" /><button class="button main-button wide-button">
        ${m.shop_take({}, { locale })}
      </button>
      <p class="hint">${m.shop_take_hint({}, { locale })}</p>
    </form>`,
})

/** The page for a payment that waited for its owner, until staff settled it by hand. */
export const ended = ({ locale, amount, currency, wish }: PurchaseRow): Part => ({
  title: m.shop_ended_title({}, { locale }),
  body: html`<p class="lead">
    ${m.shop_ended_text({ paid: moneyText(toMoney(amount, currency), locale), plan: wish.plan_name[locale] }, { locale })}
  </p>`,
})

export const gone = (locale: Locale): Part => ({
  title: m.shop_gone_title({}, { locale }),
  body: html`<p class="lead">${m.shop_gone_text({}, { locale })}</p>
    <p class="acts">
      <a class="button main-button" href="${PAGES_BASE}${paths.signIn()}"
        >${m.ui_page_sign_in({}, { locale })}</a
      >
      <a href="${PAGES_BASE}${paths.signIn({ view: 'forgotten' })}">${m.shop_forgotten({}, { locale })}</a>
    </p>`,
})

export const notOrdered = (locale: Locale): Part => ({
  title: m.shop_on_balance_title({}, { locale }),
  body: html`<p class="lead">${m.shop_on_balance_text({}, { locale })}</p>
    <p class="acts">
      <a class="button main-button" href="${PAGES_BASE}${paths.finances()}"
        >${m.ui_page_sign_in({}, { locale })}</a
      >
    </p>`,
})

/** The licence of a purchase: the server that was ordered, with its key. */
export function licence(
  app: App,
  purchase: PurchaseRow,
  host: Pick<HostRow, 'public_id' | 'licence_key' | 'ipv4' | 'paid_until'>,
): Part {
  const { locale } = purchase
  const day = (at: Date) =>
    at.toLocaleDateString(locale === 'en' ? 'en-GB' : locale, {
      dateStyle: 'long',
      timeZone: app.config.timeZone,
    })
  const title = m.shop_licence_title({}, { locale })
  const facts = [
    [m.shop_licence_key({}, { locale }), html`<code>${host.licence_key}</code>`],
    [m.shop_licence_plan({}, { locale }), html`${purchase.wish.plan_name[locale]}`],
    ...(host.ipv4 === null ? [] : [['IPv4', html`<code>${host.ipv4}</code>`] as const]),
    ...(host.paid_until === null
      ? []
      : [[m.shop_licence_until({}, { locale }), html`${day(host.paid_until)}`] as const]),
  ] as const
  const body = html`<p class="lead">${m.shop_licence_text({}, { locale })}</p>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <p class="acts">
      <a class="button main-button" href="${PAGES_BASE}${paths.host(host.public_id)}"
        >${m.shop_licence_open({}, { locale })}</a
      >
    </p>`
  return { title, body }
}
