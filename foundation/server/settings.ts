import {
  bytes,
  choice,
  color,
  contact,
  host,
  key,
  linkTemplate,
  mailbox,
  networks,
  onOff,
  onOffOr,
  origin,
  passphrase,
  recipients,
  secretUrl,
  shortText,
  text,
  timeZone,
  token,
  webPage,
  wholeNumber,
} from './setting-kinds.ts'
import { optional, setting } from './setting.ts'
import { logo } from './logo-setting.ts'
import { bucket } from './storage/bucket-setting.ts'

/** The settings of the installation itself. Features add theirs in `features/<name>/server/settings.ts`. */
export const settings = {
  PORT: setting('Port to listen on; 3000 unless set.', wholeNumber(0, 65_535, '3000'), '3000'),
  HOST: setting('Address to listen on; 127.0.0.1 unless set, 0.0.0.0 for all.', host(), '127.0.0.1'),
  PUBLIC_ORIGIN: optional(
    'Where customers reach it, as https://account.example.com; every link in a mail begins with it.',
    origin(),
  ),
  DATABASE_URL: optional(
    'PostgreSQL 15 to 18, as postgres://user:password@host/database?sslmode=require. Unset: the one that comes along.',
    secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@host/database'),
  ),
  DATABASE_LISTEN_URL: optional(
    'PostgreSQL itself, where DATABASE_URL leads to a pooler: for LISTEN, the queue and migrations.',
    secretUrl(['postgres:', 'postgresql:'], 'postgres://owner:password@host/database'),
  ),
  DATABASE_READ_URL: optional(
    'A standby of DATABASE_URL that answers lists, searches and reports, with the same user.',
    secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@standby/database'),
  ),
  ACCEPT_NEWER_DATABASE: setting(
    'Starts although the next release has migrated the database: the way back by one release, whose rows this one can read.',
    onOff(),
    'off',
  ),
  DATA_DIR: optional(
    'Folder for what must stay: the embedded database, files, the generated key.',
    text('a folder'),
  ),
  S3_URL: optional(
    'Bucket for uploaded files, as s3://key:secret@host/bucket?region=…; &tls=off without TLS. Unset: DATA_DIR.',
    bucket(),
  ),
  STORAGE_PER_CUSTOMER: setting('How much each account may keep in files, as 2 GB.', bytes(), '2 GB'),
  ROLE: setting('web serves, worker does the jobs, all does both.', choice('web', 'worker', 'all'), 'all'),
  RUN_AS_ROOT: setting('May it run as root in production? Nothing that it does needs it.', onOff(), 'off'),
  SMTP_URL: optional(
    'Mail server, as smtp://user:password@host:587 (with STARTTLS) or smtps://…. Unset: mails are shown at /dev/mail/.',
    secretUrl(['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587'),
  ),
  MAIL_FROM: optional('Sender of all mails.', mailbox('Hostdesk <no-reply@example.com>')),
  SECRET_KEY: optional(
    'At least 32 random bytes in hex or base64; encrypts and signs. Unset: made once and kept in DATA_DIR.',
    key(),
  ),
  SECRET_KEY_OLD: optional(
    'The former SECRET_KEY while it is being changed: what it sealed and signed still counts.',
    key(),
  ),
  TRUSTED_PROXIES: setting(
    'How many proxies in front may set X-Forwarded-For.',
    wholeNumber(0, 10, '1'),
    '0',
  ),
  RATE_LIMIT_SCALE: setting(
    'Multiplies all limits, for load tests on one machine only.',
    wholeNumber(1, 1_000_000, '1'),
    '1',
  ),
  DEMO: optional(
    'Demo customers and staff at the first start; on unless NODE_ENV=production. public: staff and /dev/ from anywhere.',
    onOffOr('public'),
  ),
  SIGNUP_OPEN: setting('May strangers sign up?', onOff(), 'on'),
  SESSION_DAYS: setting(
    'After how many days everybody signs in anew, however active they are.',
    wholeNumber(1, 400, '90'),
    '90',
  ),
  PASSKEYS: setting('May customers sign in with passkeys?', onOff(), 'on'),
  EMAIL_VERIFICATION: setting(
    'mandatory, optional or none: must an address be confirmed before the first sign-in?',
    choice('mandatory', 'optional', 'none'),
    'mandatory',
  ),
  LINK_VERIFY: optional(
    'Where mails lead to confirm an address in another client, as https://app.example.com/confirm?key={key}.',
    linkTemplate(true),
  ),
  LINK_RESET: optional('The same to set another password.', linkTemplate(true)),
  LINK_SIGNUP: optional('The same to sign up; it has no key.', linkTemplate(false)),
  REAUTHENTICATE_FOR_ADDRESSES: setting(
    'Must customers prove again who they are before they change their addresses?',
    onOff(),
    'on',
  ),
  STAFF_TWO_FACTOR: optional(
    'required or optional: must staff have a second factor? Unset: required with NODE_ENV=production, else optional.',
    choice('required', 'optional'),
  ),
  STAFF_NETWORKS: optional(
    'Networks from which staff may work, separated by commas, as 203.0.113.0/24,2001:db8::/32. Unset: from anywhere.',
    networks(),
  ),
  STAFF_PROOF_H: setting(
    'After how many hours staff prove their second factor again.',
    wholeNumber(1, 720, '12'),
    '12',
  ),
  STAFF_APPROVALS: setting(
    'Does a second member of staff confirm what is above an allowance? off: everybody moves any amount alone.',
    onOff(),
    'on',
  ),
  STAFF_RESET_WAIT_H: setting(
    'How many hours a customer has to stop the reset of a second factor, 24 to 336.',
    wholeNumber(24, 336, '72'),
    '72',
  ),
  TOTP_TOLERANCE_STEPS: setting(
    'How many 30 s steps a two-factor code may be off, either way.',
    wholeNumber(0, 5, '1'),
    '1',
  ),
  OPERATOR_NAME: setting('Your name in pages and mails.', text('a name'), 'Hostdesk'),
  OPERATOR_LOGO_URL: optional('Path of your logo (SVG, PNG, WebP) on this machine.', logo()),
  ACCENT_COLOR: optional('Your colour, as #1f6feb.', color()),
  MAIL_CLOSING_EN: optional(
    'Your words at the end of every mail in English, as Kind regards, {operator}. {support_email} is the other word that is filled in.',
    shortText(500),
  ),
  MAIL_CLOSING_DE: optional('The same in German.', shortText(500)),
  MAIL_CLOSING_RU: optional('The same in Russian.', shortText(500)),
  SUPPORT_EMAIL: optional('Where customers write to.', mailbox('support@example.com')),
  SECURITY_CONTACT: optional(
    'Where weaknesses are reported, an address or a page, for /.well-known/security.txt. Unset: SUPPORT_EMAIL.',
    contact(),
  ),
  IMPRINT_URL: optional('Your imprint.', webPage()),
  PRIVACY_URL: optional('Your privacy policy.', webPage()),
  TERMS_URL: optional('Your terms.', webPage()),
  TERMS_VERSION: optional(
    'The version of your terms, as 2026-11: customers accept it before they order. Change it with the terms. Unset: nobody is asked.',
    shortText(64),
  ),
  WITHDRAWAL_URL: optional(
    'Your instruction on withdrawal: consumers in the EU agree that a service begins at once, and may withdraw for 14 days.',
    webPage(),
  ),
  LOG_LEVEL: setting(
    'fatal, error, warn, info, debug, trace or silent.',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
  ),
  SLOW_STATEMENT_MS: setting(
    'A statement of the database that takes longer is logged, without its values.',
    wholeNumber(1, 60_000, '500'),
    '500',
  ),
  METRICS_TOKEN: optional('Bearer token for /metrics from other machines; loopback needs none.', token()),
  BACKUP_DIR: optional('Folder for backups that are made by themselves. Unset: none are.', text('a folder')),
  BACKUP_EVERY_H: setting('After how many hours the next one is made.', wholeNumber(1, 720, '24'), '24'),
  BACKUP_KEEP: setting('How many of them are kept.', wholeNumber(1, 1000, '7'), '7'),
  BACKUP_RECIPIENTS: optional(
    'Public keys of age that backups are encrypted for, separated by commas, as age1….',
    recipients(),
  ),
  BACKUP_PASSPHRASE: optional(
    'A passphrase that backups are encrypted by instead, and opened by.',
    passphrase(),
  ),
  COMPANY_TIME_ZONE: setting(
    'Your time zone: a year of document numbers begins at its midnight, and mails use it for customers whose own is unknown.',
    timeZone(),
    'Europe/Berlin',
  ),
}
