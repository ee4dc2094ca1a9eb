import { operator } from '#foundation/web/operator.ts'
import { m } from '#texts/messages.js'

/** The legal links and the support address at the foot of a page, as far as the operator has set them. */
export function LegalLinks({ inside }: { inside?: 'menu' | 'dialog' }) {
  const links = [
    { text: m.ui_imprint(), href: operator.imprint_url },
    { text: m.ui_privacy(), href: operator.privacy_url },
    { text: m.ui_terms(), href: operator.terms_url },
    { text: m.ui_withdrawal(), href: operator.withdrawal_url },
    { text: m.ui_contact(), href: operator.support_email && `mailto:${operator.support_email}` },
  ].filter((link) => link.href)
  if (links.length === 0) return null
  // In a menu the links are items, so that arrow keys reach them: Tab leaves the menu. Only a page has a footer.
  const Frame = inside ? 'div' : 'footer'
  const item = inside === 'menu' ? { role: 'menuitem', tabIndex: -1 } : {}
  return (
    <Frame
      role={inside === 'menu' ? 'group' : undefined}
      className="flex flex-wrap justify-center gap-x-5 gap-y-1 px-4 py-4 text-xs text-muted print:hidden"
    >
      {links.map(({ text, href }) => (
        <a
          key={text}
          {...item}
          href={href}
          rel="noreferrer"
          className="rounded-sm py-1 hover:text-text hover:underline"
        >
          {text}
        </a>
      ))}
    </Frame>
  )
}
