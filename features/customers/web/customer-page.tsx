import { paths } from '#features/paths.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { ButtonLink, usePathValue, useQueryValue } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { m } from '#texts/messages.js'
import { levelTexts } from './access-texts.ts'
import { BlockNotice } from './block-notice.tsx'
import { CustomerHosts } from './customer-hosts.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { CustomerOverview } from './customer-overview.tsx'
import { CustomerTickets } from './customer-tickets.tsx'
import { useCard } from './hooks.ts'

/** The page of one customer, with a tab for each kind of data. */
export function CustomerPage() {
  const userId = usePathValue('userId')
  const query = useCard(userId)
  const { data } = query
  useTitle(data?.name || m.shell_customers())
  return (
    <LoadedPage
      query={query}
      title={m.shell_customers()}
      failed={m.customers_one_failed()}
      gone={
        <Page title={m.shell_customers()}>
          <EmptyState
            title={m.customers_gone()}
            action={<ButtonLink to={paths.customers()}>{m.customers_show_all()}</ButtonLink>}
          >
            {m.customers_gone_text()}
          </EmptyState>
        </Page>
      }
    >
      {(card) => <Known card={card} />}
    </LoadedPage>
  )
}

const WriteToCustomer = lazyPart(() => import('./write-to-customer.tsx').then((file) => file.WriteToCustomer))
const BlockCustomer = lazyPart(() => import('./block-customer.tsx').then((file) => file.BlockCustomer))

const ViewCustomer = lazyPart(() => import('./view-customer.tsx').then((file) => file.ViewCustomer))
const CustomerMoney = lazyPart(() => import('./customer-money.tsx').then((file) => file.CustomerMoney))
const CustomerInvoices = lazyPart(() =>
  import('./customer-invoices.tsx').then((file) => file.CustomerInvoices),
)
// The only tab with the words of all acts, and seldom opened.
const CustomerActivity = lazyPart(() =>
  import('./customer-activity.tsx').then((file) => file.CustomerActivity),
)

const CustomerSecurity = lazyPart(() =>
  import('./customer-security.tsx').then((file) => file.CustomerSecurity),
)

const CustomerMails = lazyPart(() => import('./customer-mails.tsx').then((file) => file.CustomerMails))

const tabs = [
  'overview',
  'hosts',
  'money',
  'invoices',
  'tickets',
  'mails',
  'security',
  'activity',
  'notes',
] as const
type Tab = (typeof tabs)[number]

function Known({ card }: { card: CustomerCard }) {
  const wanted = useQueryValue('tab')
  const tab = tabs.find((name) => name === wanted) ?? 'overview'
  const Content = CONTENT[tab]
  const mayBlock = useMay('customers.block')
  const block = useLazyDialog(BlockCustomer)
  const mayView = useMay('customers.view')
  const view = useLazyDialog(ViewCustomer)
  const mayWrite = useMay('customers.contact')
  const write = useLazyDialog(WriteToCustomer)
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi>{card.name || card.email}</bdi>
          {card.is_staff ? <Badge tone="accent">{m.customers_staff()}</Badge> : null}
          {card.access === 'open' ? null : <Badge tone="danger">{levelTexts[card.access]()}</Badge>}
        </span>
      }
      description={[card.name ? card.email : '', card.company].filter(Boolean).join(' · ')}
      actions={
        <>
          {mayBlock && !card.is_staff ? (
            <Button {...block.opener}>
              {card.access === 'open' ? m.customers_block() : m.customers_block_change()}
            </Button>
          ) : null}
          {mayView && !card.is_staff && card.access !== 'locked' ? (
            <Button {...view.opener}>{m.customers_view()}</Button>
          ) : null}
          {mayWrite ? <Button {...write.opener}>{m.customers_write()}</Button> : null}
        </>
      }
    >
      {card.access === 'open' ? null : <BlockNotice card={card} />}
      <Tabs
        label={m.customers_parts()}
        tabs={tabs.map((name) => ({
          to: paths.customer(card.id, { tab: name }),
          label: LABELS[name](),
          current: name === tab,
        }))}
      />
      <Content card={card} />
      {write.open ? <WriteToCustomer card={card} {...write.dialog} /> : null}
      {view.open ? <ViewCustomer card={card} {...view.dialog} /> : null}
      {block.open ? <BlockCustomer card={card} {...block.dialog} /> : null}
    </Page>
  )
}

const LABELS: Readonly<Record<Tab, () => string>> = {
  overview: m.customers_tab_overview,
  hosts: m.shell_servers,
  money: m.customers_tab_money,
  invoices: m.customers_tab_invoices,
  tickets: m.customers_tab_tickets,
  mails: m.customers_tab_mails,
  security: m.shell_security,
  activity: m.customers_tab_activity,
  notes: m.customers_tab_notes,
}

const CONTENT = {
  overview: CustomerOverview,
  hosts: CustomerHosts,
  money: CustomerMoney,
  invoices: CustomerInvoices,
  tickets: CustomerTickets,
  mails: CustomerMails,
  security: CustomerSecurity,
  activity: CustomerActivity,
  notes: CustomerNotes,
} as const
