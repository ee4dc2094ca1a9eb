import type { FastifyInstance } from 'fastify'
import { must } from '#foundation/must.ts'
import { OPERATOR_META, type Operator } from '#foundation/operator.ts'
import type { Config } from '#foundation/server/config.ts'
import { notFound } from './http-error.ts'
import { manifestLinks } from './manifest.ts'

const LOGO = '/account/operator-logo'

/** The address of the logo, which names it by its bytes: browsers keep it, and ask for another one at once. */
export const logoAddress = ({ logo }: Config['operator']): string | undefined =>
  logo && `${LOGO}?${logo.digest}`

const COLOURS = '/account/operator.css'

/** Writes the operator's name, logo, colour and links into the page that Vite built. */
export function dressPage(html: string, settings: Config['operator']): string {
  const address = logoAddress(settings)
  const operator: Operator = {
    name: settings.name,
    ...(address === undefined ? {} : { logo: address }),
    ...(settings.supportEmail ? { support_email: settings.supportEmail } : {}),
    ...(settings.imprintUrl ? { imprint_url: settings.imprintUrl } : {}),
    ...(settings.privacyUrl ? { privacy_url: settings.privacyUrl } : {}),
    ...(settings.termsUrl ? { terms_url: settings.termsUrl } : {}),
    ...(settings.termsVersion ? { terms_version: settings.termsVersion } : {}),
    ...(settings.withdrawalUrl ? { withdrawal_url: settings.withdrawalUrl } : {}),
  }
  const head = [manifestLinks, `<meta name="${OPERATOR_META}" content="${escape(JSON.stringify(operator))}">`]
  if (settings.accentColor) head.push(`<link rel="stylesheet" href="${COLOURS}">`)
  const dressed = html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escape(settings.name)}</title>`)
    .replace('</head>', () => `${head.join('')}</head>`)
    // The name in the first frame, which is shown until the page is drawn (app/web/index.html).
    .replace(/<b>[^<]*<\/b>/, () => `<b>${escape(settings.name)}</b>`)
  if (address === undefined) return dressed
  return dressed
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${address}">`)
    .replace(/<svg[^]*?<\/svg>/, `<img src="${address}" alt="">`)
}

/** Serves the operator's logo, where there is one now, and colours where they are set. */
export function serveWhiteLabel(server: FastifyInstance, operator: Config['operator']): void {
  const { accentColor } = operator
  // An SVG that is opened on its own is a document: it gets no script and no origin.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  server.get(LOGO, async (_request, reply) => {
    if (!operator.logo) throw notFound()
    return reply
      .type(operator.logo.type)
      .header('content-security-policy', policy)
      .header('cache-control', 'public, max-age=3600')
      .send(operator.logo.bytes)
  })
  if (accentColor) {
    const css = coloursOf(accentColor)
    server.get(COLOURS, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(css),
    )
  }
}

/**
 * Returns the style sheet with the accent colours of both themes, made from one colour. Text on the accent is black or white, whichever
 * reads better.
 */
export function coloursOf(accent: string): string {
  const onAccent = luminanceOf(accent) > 0.18 ? '#000' : '#fff'
  const mixed = (percent: number, other: string) => `color-mix(in oklch, ${accent} ${percent}%, ${other})`
  return `:root{--accent:${accent};--accent-strong:${mixed(85, 'black')};--accent-soft:${mixed(10, 'white')};--accent-text:${mixed(70, 'black')};--on-accent:${onAccent}}
[data-theme=dark]{--accent:${accent};--accent-strong:${mixed(85, 'black')};--accent-soft:${mixed(25, 'black')};--accent-text:${mixed(50, 'white')};--on-accent:${onAccent}}
`
}

/** Relative luminance of #rgb or #rrggbb, 0 to 1 (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const digits = colour.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * must(red) + 0.7152 * must(green) + 0.0722 * must(blue)
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
