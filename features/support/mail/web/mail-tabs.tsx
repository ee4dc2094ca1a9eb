import { paths } from '#features/paths.ts'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { m } from '#texts/messages.js'

/** The two views of mails that came in: those that wait, and the senders from whom none is taken. */
export const MailTabs = ({ current }: { current: 'held' | 'blocked' }) => (
  <Tabs
    label={m.mail_in_tabs()}
    tabs={[
      { to: paths.heldMails(), label: m.mail_in_title(), current: current === 'held' },
      { to: paths.blockedSenders(), label: m.mail_in_blocks(), current: current === 'blocked' },
    ]}
  />
)
