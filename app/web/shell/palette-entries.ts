import { paths } from '#features/paths.ts'
import { saveLanguage } from '#features/profile/web/hooks.ts'
import { localeNames, locales, setLocale } from '#foundation/web/i18n/locale.ts'
import { setTheme } from '#foundation/web/theme/theme.ts'
import { m } from '#texts/messages.js'
import type { Entry } from './palette-entry.ts'

/** The pages one can go to. */
export const pageEntries = (isStaff: boolean, permissions: readonly string[]): Entry[] => [
  ...(isStaff
    ? [
        {
          id: 'desk',
          text: `${m.shell_admin()}: ${m.shell_tickets()}`,
          icon: 'desk' as const,
          keys: 'g a',
          to: paths.desk(),
        },
        {
          id: 'customers',
          text: `${m.shell_admin()}: ${m.shell_customers()}`,
          icon: 'customers' as const,
          keys: 'g c',
          to: paths.customers(),
        },
      ]
    : []),
  ...(permissions.includes('banking.read')
    ? [
        {
          id: 'transfers',
          text: `${m.shell_admin()}: ${m.customers_transfers()}`,
          icon: 'money' as const,
          keys: 'g b',
          to: paths.transfers(),
        },
      ]
    : []),
  ...(permissions.includes('approvals.read')
    ? [
        {
          id: 'approvals',
          text: `${m.shell_admin()}: ${m.approvals_title()}`,
          icon: 'approvals' as const,
          keys: 'g p',
          to: paths.approvals(),
        },
      ]
    : []),
  ...(permissions.includes('team.read')
    ? [
        {
          id: 'team',
          text: `${m.shell_admin()}: ${m.team_title()}`,
          icon: 'account' as const,
          to: paths.team(),
        },
      ]
    : []),
  { id: 'servers', text: m.shell_servers(), icon: 'server', keys: 'g s', to: paths.hosts() },
  { id: 'support', text: m.shell_support(), icon: 'support', keys: 'g t', to: paths.tickets() },
  { id: 'finances', text: m.shell_finances(), icon: 'money', keys: 'g f', to: paths.finances() },
  {
    id: 'invoices',
    text: m.shell_palette_invoices(),
    icon: 'invoice',
    to: paths.finances({ view: 'invoices' }),
  },
  { id: 'account', text: m.shell_account(), icon: 'account', to: paths.account() },
  { id: 'security', text: m.shell_security(), icon: 'security', to: paths.security() },
]

/** Actions available from anywhere. */
export const actionEntries = (onKeys: () => void): Entry[] => [
  {
    id: 'new-ticket',
    text: m.shell_palette_new_ticket(),
    icon: 'add',
    to: paths.tickets({ tab: 'open', new: '' }),
  },
  { id: 'top-up', text: m.shell_palette_top_up(), icon: 'money', to: paths.finances({ missing: '0' }) },
  { id: 'light', text: m.shell_palette_light(), icon: 'light', act: () => setTheme('light') },
  { id: 'dark', text: m.shell_palette_dark(), icon: 'dark', act: () => setTheme('dark') },
  ...locales.map((locale) => ({
    id: `language-${locale}`,
    text: `${m.shell_language()}: ${localeNames[locale]}`,
    icon: 'language' as const,
    act: () => {
      setLocale(locale)
      void saveLanguage(locale)
    },
  })),
  { id: 'keys', text: m.shell_keys(), icon: 'keys', keys: '?', act: onKeys },
  { id: 'logout', text: m.shell_logout(), icon: 'logout', to: paths.signOut() },
]
