import { escapeHtml } from '#foundation/server/mail/escape-html.ts'

/**
 * Styles of the pages that the server makes by itself: they look like the pages of the product, need no script, and have both themes. The
 * colours are those of foundation/web/theme/tokens.css. A page that links to /account/operator.css gets the colours of the operator.
 */
export const plainStyles = `:root{color-scheme:light dark;--page:light-dark(#fff,#000);--surface:light-dark(#fff,oklch(.155 .006 260));
--sunken:light-dark(oklch(.978 .003 260),oklch(.125 .005 260));--hover:light-dark(oklch(.955 .005 260),oklch(.235 .01 260));
--line:light-dark(oklch(.915 .006 260),oklch(.27 .01 260));--line-strong:light-dark(oklch(.655 .012 260),oklch(.51 .012 260));
--text:light-dark(oklch(.22 .015 260),oklch(.945 .004 260));--muted:light-dark(oklch(.465 .014 260),oklch(.725 .01 260));
--accent:light-dark(oklch(.52 .18 265),oklch(.565 .175 265));--accent-text:light-dark(oklch(.47 .18 265),oklch(.78 .11 265));--on-accent:#fff;
--warning-soft:light-dark(oklch(.96 .045 85),oklch(.26 .045 75));--warning-text:light-dark(oklch(.46 .1 68),oklch(.85 .11 82));
font:16px/1.5 Inter,system-ui,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);overflow-wrap:anywhere}
.brand{display:flex;align-items:center;gap:.625rem;margin:0;font-weight:600;letter-spacing:-.01em}
.brand svg{flex:none}
h1{font-size:1.25rem;line-height:1.3;letter-spacing:-.015em;margin:0}
a{color:var(--accent-text);font-weight:500;text-underline-offset:4px}
a:not(:hover){text-decoration:none}
:focus-visible{outline:2px solid var(--accent-text);outline-offset:2px;border-radius:3px}
.muted{color:var(--muted);font-size:.875rem}
`

/** The mark and the operator's name, as they are at the top of every page. */
export const brand = (name: string): string =>
  `<p class="brand"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true"><path d="M6 3h12a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3h-6.5L7 21.4a.6.6 0 0 1-1-.45V18a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Z" fill="var(--accent)"/><path d="M7 8h6M7 13h6" stroke="#fff" stroke-width="2" stroke-linecap="round"/><circle cx="16.8" cy="8" r="1.2" fill="#fff"/><circle cx="16.8" cy="13" r="1.2" fill="#fff"/></svg>${escapeHtml(name)}</p>`
