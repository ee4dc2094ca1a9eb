import { paths } from '#features/paths.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'
import { resetTemplate, saidIn } from './mails.ts'

/** These mails name neither account: whoever did not ask for the merge must not learn of the other one. */
export const accountMergeRequested = resetTemplate(
  'account_merge_requested',
  (said, options) => m.customers_mail_merge_subject(said, options),
  m.customers_mail_merge_text,
  true,
)

export const accountMergeSoon = resetTemplate(
  'account_merge_soon',
  (said, options) => m.customers_mail_merge_soon_subject(said, options),
  m.customers_mail_merge_soon_text,
  true,
)

type Both = { from: string; into: string }

const both: Both = { from: 'old@example.com', into: 'anna@example.com' }

export const accountsMerged = mailTemplate<Both>(
  'accounts_merged',
  'security',
  [both],
  ({ from, into }, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_merged_subject(said, options),
      paragraphs: [
        m.customers_mail_merged_text({ ...said, from, into }, options),
        m.customers_mail_merged_ends({}, options),
      ],
      action: { label: m.customers_mail_sign_in({}, options), url: context.link(paths.signIn()) },
      closing: [m.customers_mail_not_asked(said, options)],
    }
  },
)

export const mergeUndone = mailTemplate<Both>(
  'merge_undone',
  'security',
  [both],
  ({ from, into }, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_unmerged_subject(said, options),
      paragraphs: [m.customers_mail_unmerged_text({ ...said, from, into }, options)],
      action: { label: m.customers_mail_sign_in({}, options), url: context.link(paths.signIn()) },
      closing: [m.customers_mail_not_asked(said, options)],
    }
  },
)
