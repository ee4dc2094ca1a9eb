import { paths } from '#features/paths.ts'
import { saveLanguage } from '#features/profile/web/hooks.ts'
import { askToSwitch } from '#features/sharing/web/switch-request.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { locales, setLocale } from '#foundation/web/i18n/locale.ts'
import { setTheme } from '#foundation/web/theme/theme.ts'
import { m } from '#texts/messages.js'
import type { Entry } from './palette-entry.ts'

/** The entries that lead to pages. */
export const pageEntries = (isStaff: boolean, permissions: readonly string[]): Entry[] => [
  ...(isStaff ? staffEntries(permissions) : []),
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

/** Returns the entries for the pages of staff that a member with these permissions may open. */
const staffEntries = (permissions: readonly string[]): Entry[] =>
  staffPages()
    .filter(([needs]) => needs === undefined || permissions.includes(needs))
    .map(([, entry]) => ({ ...entry, text: `${m.shell_admin()}: ${entry.text}` }))

const staffPages = (): readonly (readonly [needs: string | undefined, Entry])[] => [
  [undefined, { id: 'desk', text: m.shell_tickets(), icon: 'desk', keys: 'g a', to: paths.desk() }],
  [
    undefined,
    { id: 'customers', text: m.shell_customers(), icon: 'customers', keys: 'g c', to: paths.customers() },
  ],
  [
    'banking.read',
    { id: 'transfers', text: m.customers_transfers(), icon: 'money', keys: 'g b', to: paths.transfers() },
  ],
  [
    'catalogue.read',
    { id: 'catalogue', text: m.catalogue_title(), icon: 'catalogue', keys: 'g l', to: paths.catalogue() },
  ],
  [
    'invoices.read',
    { id: 'all-invoices', text: m.books_invoices(), icon: 'invoice', keys: 'g i', to: paths.allInvoices() },
  ],
  [
    'finance.read',
    { id: 'all-transactions', text: m.books_transactions(), icon: 'money', to: paths.allTransactions() },
  ],
  ['books.read', { id: 'reports', text: m.books_title(), icon: 'reports', keys: 'g r', to: paths.reports() }],
  [
    'approvals.read',
    { id: 'approvals', text: m.approvals_title(), icon: 'approvals', keys: 'g p', to: paths.approvals() },
  ],
  [
    'announcements.publish',
    {
      id: 'announcements',
      text: m.announcements_title(),
      icon: 'announcements',
      to: paths.announcements(),
    },
  ],
  [
    'announcements.publish',
    {
      id: 'announce',
      text: m.announcements_new(),
      icon: 'add',
      to: paths.announcements({ new: '' }),
    },
  ],
  ['team.read', { id: 'team', text: m.team_title(), icon: 'account', to: paths.team() }],
  ['system.read', { id: 'system', text: m.operations_system(), icon: 'server', to: paths.system() }],
  ['audit.read', { id: 'audit', text: m.operations_audit(), icon: 'security', to: paths.audit() }],
]

/** The entries for actions that are available on every page. */
export const actionEntries = (onKeys: () => void, isStaff: boolean): Entry[] => [
  {
    id: 'switch-account',
    text: m.sharing_switch(),
    icon: 'customers',
    ...(isStaff ? {} : { keys: 'g a' }),
    act: askToSwitch,
  },
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
