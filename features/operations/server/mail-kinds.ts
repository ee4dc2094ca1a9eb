import { locales, type Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import {
  newestVersions,
  presentVersions,
  takeKeptSettings,
} from '#foundation/server/kept-settings/kept-settings.ts'
import { mailKinds, type MailKind } from '#foundation/server/mail/mail-template.ts'
import { wordsName } from '#foundation/server/mail/own-words.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/operations/mail-contract.ts'
import { historyOf } from './company-history.ts'
import { keepSection, mailSection } from './keep-section.ts'
import { changeableKinds, checkedWords, examplesOf, textsOf } from './mail-texts.ts'

/** Answers `GET /api/staff/company/mails/`. */
export const listMailKinds = handler(contract.listMailKinds, async ({ app }) => {
  const subjectOf = (kind: MailKind, locale: Locale) => examplesOf(app, kind, locale)[0]?.subject ?? ''
  const items = changeableKinds(app).map((kind) => ({
    kind: kind.kind,
    subject: { en: subjectOf(kind, 'en'), de: subjectOf(kind, 'de'), ru: subjectOf(kind, 'ru') },
    changed: locales.filter((locale) => isChanged(app, kind, locale)),
  }))
  return { status: 200, body: { items } }
})

const isChanged = ({ config }: App, { kind }: MailKind, locale: Locale): boolean =>
  Object.entries(config.operator.mailWords).some(
    ([name, words]) => words !== '' && name.startsWith(`${kind}/`) && name.endsWith(`/${locale}`),
  )

/** Answers `GET /api/staff/company/mails/{kind}/{locale}/`. */
export const readMailKind = handler(
  contract.readMailKind,
  async ({ app, params: { kind: name, locale } }) => {
    const kind = knownKind(name)
    const section = mailSection(name)
    const words = await presentWords(app, kind, locale)
    const history = await historyOf(app, await newestVersions(app.db, [section], MOST), [section])
    return {
      status: 200,
      body: { words, texts: textsOf(app, kind, locale), examples: examplesOf(app, kind, locale), history },
    }
  },
)

const MOST = 50

/** Answers `PATCH /api/staff/company/mails/{kind}/{locale}/`. */
export const changeMailWords = handler(
  contract.changeMailWords,
  async ({ app, actor, caller, params: { kind: name, locale }, body }) => {
    const kind = knownKind(name)
    const { version } = await presentWords(app, kind, locale)
    const change = {
      section: mailSection(name),
      version: body.version ?? version,
      settings: checkedWords(app, kind, { locale, words: body.words }),
    }
    const isKept = await keepSection(app, { by: actor.user_id, caller }, change)
    const present = await presentWords(app, kind, locale)
    return isKept ? { status: 200, body: present } : changedTo(present)
  },
)

/** Answers `POST /api/staff/company/mails/{kind}/{locale}/preview/`. */
export const previewMail = handler(
  contract.previewMail,
  async ({ app, params: { kind: name, locale }, body: { words } }) => {
    const kind = knownKind(name)
    const typed = checkedWords(app, kind, { locale, words })
    return { status: 200, body: { examples: examplesOf(app, kind, locale, typed) } }
  },
)

function knownKind(name: string): MailKind {
  const kind = mailKinds.get(name)
  if (!kind) throw notFound()
  return kind
}

/** Returns the words as they are now, also where another process has changed them a moment ago. */
async function presentWords(app: App, kind: MailKind, locale: Locale): Promise<contract.MailWords> {
  await takeKeptSettings(app.config, app.db)
  const versions = await presentVersions(app.db)
  const { version = 1 } = versions.find(({ section }) => section === mailSection(kind.kind)) ?? {}
  const { mailWords } = app.config.operator
  const words = textsOf(app, kind, locale).map(
    ({ name }) => [name, mailWords[wordsName(kind.kind, name, locale)] ?? ''] as const,
  )
  return { version, words: Object.fromEntries(words) }
}
