import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import type { Secret } from '#foundation/server/secret.ts'
import { optional, setting } from '#foundation/server/setting.ts'
import { host, kind, onOff, secretUrl, shortText } from '#foundation/server/setting-kinds.ts'

const localPart = () =>
  kind('is no beginning of an address. Set it like support', (given) =>
    /^[a-z0-9][a-z0-9._-]{0,20}$/.test(given) ? given : undefined,
  )

const settings = {
  MAIL_IN_DOMAIN: optional(
    'Domain whose mails come in here, as help.example.com: with it customers answer mails about tickets by mail.',
    host(),
  ),
  MAIL_IN_LOCAL: setting(
    'The beginning of its addresses, up to 21 characters; alone at MAIL_IN_DOMAIN it is the address that opens tickets.',
    localPart(),
    'support',
  ),
  MAIL_IN_IMAP_URL: optional(
    'Mailbox that is read, as imaps://user:password@host:993. Unset: only by hostdesk mail receive.',
    secretUrl(['imap:', 'imaps:'], 'imaps://user:password@mail.example.com:993'),
  ),
  MAIL_IN_FOLDER: setting(
    'Folder of that mailbox that is read; what is stored moves to a folder Done in it.',
    shortText(100),
    'INBOX',
  ),
  MAIL_IN_AUTH_SERVER: optional(
    'Name by which the own mail server signs Authentication-Results: a mail that it calls forged is held.',
    host(),
  ),
  MAIL_IN_BOUNCES: setting(
    'Mails about tickets name an address of MAIL_IN_DOMAIN as envelope sender, so that it shows which ones come back.',
    onOff(),
    'on',
  ),
}

/** The domain and the mailbox of mails that come in; absent where none do. */
export type MailIn = {
  domain: string
  local: string
  /** The address that opens tickets. */
  address: string
  imapUrl: Secret | undefined
  folder: string
  authServer: string | undefined
  bounces: boolean
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    mailIn: MailIn | undefined
  }
}

type Values = FeatureValues<typeof settings>

export const mailInSettings = {
  settings,
  read: (values: Values): { mailIn: MailIn | undefined } => {
    const domain = values.MAIL_IN_DOMAIN?.toLowerCase()
    const local = values.MAIL_IN_LOCAL
    return {
      mailIn:
        domain === undefined
          ? undefined
          : {
              domain,
              local,
              address: `${local}@${domain}`,
              imapUrl: values.MAIL_IN_IMAP_URL,
              folder: values.MAIL_IN_FOLDER,
              authServer: values.MAIL_IN_AUTH_SERVER?.toLowerCase(),
              bounces: values.MAIL_IN_BOUNCES,
            },
    }
  },
  *impossible({ MAIL_IN_DOMAIN, MAIL_IN_IMAP_URL }: Values) {
    if (MAIL_IN_IMAP_URL && !MAIL_IN_DOMAIN)
      yield 'MAIL_IN_IMAP_URL needs MAIL_IN_DOMAIN: without it no address leads to the mailbox.'
  },
  *warnings({ MAIL_IN_DOMAIN, SMTP_URL }: Values) {
    if (MAIL_IN_DOMAIN && !SMTP_URL)
      yield 'MAIL_IN_DOMAIN is set, but SMTP_URL is not: no mail goes out that could be answered.'
  },
}
