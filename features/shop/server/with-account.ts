import { paths } from '#features/paths.ts'
import type { Locale } from '#foundation/locale.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import type { Config } from '#foundation/server/config.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { indexAddress } from './addresses.ts'
import { layout } from './layout.ts'

/** The page in place of the form where no way to pay is open to strangers: bank transfers are paid by customers alone. */
export function withAccount(config: Config, locale: Locale): Html {
  const title = m.shop_transfer_title({}, { locale })
  const text = m.shop_transfer_text({}, { locale })
  return layout(
    config,
    { locale, title, description: text },
    html`<h1>${title}</h1>
      <p class="lead">${text}</p>
      <p class="acts">
        <a class="button main-button" href="${PAGES_BASE}${paths.signIn({ view: 'signup' })}"
          >${m.shop_transfer_sign_up({}, { locale })}</a
        >
        <a href="${indexAddress({ locale })}">${m.shop_other_plan({}, { locale })}</a>
      </p>`,
  )
}
