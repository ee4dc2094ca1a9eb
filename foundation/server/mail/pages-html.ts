import { brand, plainStyles } from '#foundation/server/http/plain-page.ts'
import { escapeHtml } from './escape-html.ts'
import type { Stored } from './outbox.ts'
import type { KeptMail } from './queries.ts'

/** A kept mail with its content opened. */
export type ReadMail = KeptMail & Omit<Stored, 'content'>

export function mailsPage(mails: readonly ReadMail[], operator: string): string {
  const rows = mails.map(
    ({ id, to_address, subject, created_at }) => `<li><a href="/dev/mail/${id}"><b>${escapeHtml(subject)}</b>
<span>${escapeHtml(to_address)}</span><time datetime="${created_at.toISOString()}">${time(created_at)}</time></a></li>`,
  )
  const empty =
    '<p class="empty">No mails yet. They appear here as soon as one is owed: sign up, or ask for a new password.</p>'
  return frame(
    'Mails',
    operator,
    `<h1>Mails</h1>
<p class="muted">There is no mail server (SMTP_URL), so mails are kept here, newest first.</p>
${rows.length > 0 ? `<ul>${rows.join('\n')}</ul>` : empty}`,
  )
}

export function mailPage(
  { id, to_address, subject, letter, locale, text, created_at }: ReadMail,
  operator: string,
): string {
  return frame(
    subject,
    operator,
    `<p class="back"><a href="/dev/mail/">← All mails</a></p>
<h1>${escapeHtml(subject)}</h1>
<p class="muted">To ${escapeHtml(to_address)} · ${time(created_at)} · ${escapeHtml(letter)} · ${escapeHtml(locale)}</p>
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

const frame = (title: string, operator: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/dev/mail/style.css"></head>
<body><header>${brand(operator)}</header><main>${body}</main></body></html>
`

export const mailStyles = `${plainStyles}header{padding:1rem 1.5rem;border-bottom:1px solid var(--line)}
main{max-width:48rem;margin:0 auto;padding:2rem 1rem}
h1+.muted{margin:.375rem 0 1.5rem}h2{font-size:.875rem;margin:2rem 0 .5rem}.back{margin:0 0 .75rem;font-size:.875rem}
ul{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:10px;background:var(--surface);overflow:hidden}
li+li{border-top:1px solid var(--line)}
li a{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1rem;padding:.75rem 1.25rem;color:inherit;outline-offset:-2px}
li a:hover{background:var(--hover);text-decoration:none}
li b{grid-column:1/-1;font-weight:500}li span,li time{color:var(--muted);font-size:.875rem;font-weight:400;font-variant-numeric:tabular-nums}
.empty{padding:3.5rem 1.5rem;border:1px dashed var(--line);border-radius:10px;text-align:center;color:var(--muted)}
pre{white-space:pre-wrap;margin:0;padding:1rem;border:1px solid var(--line);border-radius:6px;background:var(--sunken);font:.8125rem/1.6 ui-monospace,monospace}
iframe{width:100%;height:52rem;border:1px solid var(--line);border-radius:10px;background:#fff;color-scheme:light}
@media (max-width:30rem){li a{grid-template-columns:minmax(0,1fr)}}
`
