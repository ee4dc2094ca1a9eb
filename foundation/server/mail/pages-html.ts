import { escapeHtml } from './escape-html.ts'
import type { ReadMail } from './pages.ts'

export function mailsPage(mails: readonly ReadMail[]): string {
  const rows = mails.map(
    ({ id, to_address, subject, created_at }) => `<li><a href="/dev/mail/${id}"><b>${escapeHtml(subject)}</b>
<span>${escapeHtml(to_address)}</span> <time datetime="${created_at.toISOString()}">${time(created_at)}</time></a></li>`,
  )
  const empty =
    '<p>No mails yet. They appear here as soon as one is owed: sign up, or ask for a new password.</p>'
  return frame(
    'Mails',
    `<h1>Mails</h1>
<p>There is no mail server (SMTP_URL), so mails are kept here, newest first.</p>
${rows.length > 0 ? `<ul>${rows.join('\n')}</ul>` : empty}`,
  )
}

export function mailPage({ id, to_address, subject, letter, locale, text, created_at }: ReadMail): string {
  return frame(
    subject,
    `<p><a href="/dev/mail/">All mails</a></p>
<h1>${escapeHtml(subject)}</h1>
<p>To ${escapeHtml(to_address)} · ${time(created_at)} · ${escapeHtml(letter)} · ${escapeHtml(locale)}</p>
<h2>Text</h2>
<pre tabindex="0">${withLinks(text)}</pre>
<h2>HTML</h2>
<iframe title="The mail as HTML" src="/dev/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>`,
  )
}

const time = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, place) =>
      place % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')

const frame = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/dev/mail/style.css"></head>
<body><main>${body}</main></body></html>
`

export const mailStyles = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0}main{max-width:46rem;margin:0 auto;padding:2rem 1rem}h1{font-size:1.4rem;line-height:1.3}h2{font-size:1rem;margin-top:2rem}
ul{list-style:none;padding:0}li{border-top:1px solid color-mix(in srgb,currentColor 20%,transparent)}
li a{display:block;padding:.75rem 0;color:inherit;text-decoration:none}li a:hover b{text-decoration:underline}
li b{display:block}li span,li time{opacity:.75;font-size:.9rem}li time{margin-left:1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem;border-radius:6px;background:color-mix(in srgb,currentColor 7%,transparent)}
iframe{width:100%;height:52rem;border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:6px}
`
