import { escapeHtml } from './escape-html.ts'
import type { MailContent, MailLocale, Quote } from './mail-template.ts'

/** The frame of every mail: greeting, operator, footer. */
export type Frame = {
  locale: MailLocale
  /** 'Hello Anna,' */
  greeting: string
  /** Author and time of a quote. */
  citation: (quote: Quote) => string
  operator: string
  accent: string
  /** True where a logo is sent along, shown as `cid:logo`. */
  logo: boolean
  /** The operator's own words at the end. */
  words: string | undefined
  link_hint: string
  automatic: string
  support: { text: string; address: string } | undefined
  legal: { label: string; url: string }[]
}

/**
 * Returns a mail as an HTML page for mail programs. It has tables and inline styles, because many programs know nothing else, is 600 px
 * wide at most and full width on phones, and has colours of its own for dark mode. No picture is loaded from the network.
 */
export function htmlOf(letter: MailContent, frame: Frame): string {
  const { subject, paragraphs, choices, action, facts = [], closing = [] } = letter
  const body = [
    paragraph(frame.greeting),
    ...paragraphs.map((block) => (typeof block === 'string' ? paragraph(block) : quotation(block, frame))),
    choices ? choice(choices) : '',
    action ? button(action, frame) : '',
    facts.length > 0 ? factsTable(facts) : '',
    ...closing.map(paragraph),
    frame.words === undefined ? '' : paragraph(frame.words),
    action ? plainLink(action.url, frame) : '',
  ]
  return `<!doctype html>
<html lang="${frame.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(letter.preheader ?? paragraphs.find((block) => typeof block === 'string') ?? '')}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px">
<tr><td style="padding:0 8px 16px">${brand(frame)}</td></tr>
<tr><td class="card" style="padding:32px 28px;background:#ffffff;border:1px solid #e3e5e9;border-radius:10px">
<h1 class="ink" style="margin:0 0 16px;${font};font-size:20px;line-height:28px;font-weight:600;color:#14171c">${escapeHtml(subject)}</h1>
${body.filter(Boolean).join('\n')}
</td></tr>
<tr><td style="padding:20px 8px 0">${footer(frame)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

// Programs that know no media queries keep the light colours above.
const darkStyles = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#000000!important}.card{background:#15171b!important;border-color:#2a2d33!important}
.ink{color:#eef0f3!important}.link{color:#9db8ff!important}.dim{color:#9aa1ab!important}.line{border-color:#2a2d33!important}}`

function brand({ operator, accent, logo }: Frame): string {
  if (logo)
    return `<img src="cid:logo" alt="${escapeHtml(operator)}" height="32" style="display:block;border:0;height:32px;${font};font-size:17px;font-weight:600">`
  const mark = `<span style="display:inline-block;width:12px;height:12px;border-radius:3px;background:${accent}"></span>`
  return `${mark}<span class="ink" style="${font};font-size:17px;font-weight:600;color:#14171c">&nbsp; ${escapeHtml(operator)}</span>`
}

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;${font};font-size:16px;line-height:25px;color:#2c3138">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

function quotation(block: Quote, { citation }: Frame): string {
  const by = `<p class="dim" style="margin:0 0 4px;${font};font-size:14px;line-height:21px;color:#5b626c">${escapeHtml(citation(block))}</p>`
  const style = `margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid #e3e5e9;${font};font-size:16px;line-height:25px;color:#2c3138;white-space:pre-wrap`
  return `${by}<blockquote class="ink line" dir="auto" style="${style}">${escapeHtml(block.quote).replaceAll('\n', '<br>')}</blockquote>`
}

function choice({ question, links }: NonNullable<MailContent['choices']>): string {
  const style = `display:inline-block;margin:0 8px 8px 0;padding:11px 18px;border:1px solid #c9ced6;border-radius:6px;${font};font-size:16px;line-height:20px;color:#14171c;text-decoration:none`
  const each = links.map(
    ({ mark, label, url }) =>
      `<a class="ink line" href="${escapeHtml(url)}" style="${style}"><span aria-hidden="true">${escapeHtml(mark)}</span>&nbsp; ${escapeHtml(label)}</a>`,
  )
  return `${paragraph(question)}\n<p style="margin:0 0 16px">${each.join('\n')}</p>`
}

function button({ label, url }: { label: string; url: string }, { accent }: Frame): string {
  const style = `display:inline-block;padding:12px 22px;border-radius:6px;background:${accent};color:${inkOn(accent)};${font};font-size:16px;line-height:20px;font-weight:600;text-decoration:none`
  return `<p style="margin:8px 0 24px"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`
}

function plainLink(url: string, { link_hint, accent }: Frame): string {
  const style = `${font};font-size:14px;line-height:21px`
  return `<p class="dim" style="margin:16px 0 0;${style};color:#5b626c">${escapeHtml(link_hint)}<br>
<a class="link" href="${escapeHtml(url)}" style="${style};color:${accent};word-break:break-all">${escapeHtml(url)}</a></p>`
}

function factsTable(facts: NonNullable<MailContent['facts']>): string {
  const cell = `padding:8px 12px 8px 0;border-top:1px solid #e3e5e9;${font};font-size:14px;line-height:21px;vertical-align:top;text-align:left`
  const rows = facts.map(
    ([
      label,
      value,
    ]) => `<tr><th class="dim line" scope="row" style="${cell};font-weight:400;color:#5b626c;white-space:nowrap">${escapeHtml(label)}</th>
<td class="ink line" style="${cell};color:#14171c;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">${rows.join('')}</table>`
}

function footer({ automatic, support, legal }: Frame): string {
  const style = `margin:0 0 6px;${font};font-size:13px;line-height:19px;color:#5b626c`
  const links = legal.map(
    (link) =>
      `<a class="dim" href="${escapeHtml(link.url)}" style="color:#5b626c">${escapeHtml(link.label)}</a>`,
  )
  const [before = '', after = ''] = support ? support.text.split(support.address) : []
  const mailto =
    support &&
    `${escapeHtml(before)}<a class="dim" href="mailto:${escapeHtml(support.address)}" style="color:#5b626c">${escapeHtml(support.address)}</a>${escapeHtml(after)}`
  return [automatic && escapeHtml(automatic), mailto, links.join(' &middot; ')]
    .filter(Boolean)
    .map((line) => `<p class="dim" style="${style}">${line}</p>`)
    .join('\n')
}

/** White on dark colours, near-black on light ones (relative luminance, WCAG 2.2). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.35 ? '#14171c' : '#ffffff'
}
