import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  readCompany,
  type CompanyPage as Seller,
  type Section,
} from '#features/operations/company-contract.ts'
import { companyFieldNames, companyFields } from '#features/operations/company-fields.ts'
import { locales } from '#foundation/locale.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { CardsSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { CompanyHistory } from './company-history.tsx'
import { EditBank } from './edit-bank.tsx'
import { EditCompany } from './edit-company.tsx'
import { closingTexts, EditWords } from './edit-words.tsx'
import { EditLogo, LogoPreview } from './edit-logo.tsx'
import { MailTexts } from './mail-texts.tsx'

/** The heights of the seller's data, its bank account, and its logo. */
const CARDS = [
  { phone: 969, wide: 593 },
  { phone: 282, wide: 186 },
  { phone: 206, wide: 130 },
]

/** The seller, which only owners see and change: its data, its bank account, its logo and its words in mails, with all versions. */
export function CompanyPage() {
  const query = useQuery(queryFor(readCompany))
  const [editing, setEditing] = useState<Section | 'mails'>()
  useTitle(m.operations_company())
  const close = () => setEditing(undefined)
  return (
    <Page title={m.operations_company()} description={m.operations_company_description()}>
      <Loaded query={query} failed={m.operations_company_failed()} waiting={<CardsSkeleton cards={CARDS} />}>
        {(data) => (
          <>
            <Card
              title={m.operations_company_data()}
              description={m.operations_company_data_text()}
              actions={<Button onClick={() => setEditing('company')}>{m.operations_company_edit()}</Button>}
            >
              {data.example ? (
                <div className="mb-4">
                  <Alert tone="warning">{m.operations_company_example_text()}</Alert>
                </div>
              ) : null}
              <CompanyFacts company={data.company} example={data.example} />
            </Card>
            <Card
              title={m.operations_company_bank()}
              description={m.operations_company_bank_text()}
              actions={<Button onClick={() => setEditing('bank')}>{m.operations_company_bank_edit()}</Button>}
            >
              <Facts facts={bankFacts(data.bank)} />
            </Card>
            <Card
              title={m.operations_company_logo()}
              description={m.operations_company_logo_text()}
              actions={<Button onClick={() => setEditing('logo')}>{m.operations_company_logo_edit()}</Button>}
            >
              <LogoPreview image={data.logo.image} />
            </Card>
            <Card
              title={m.operations_company_words()}
              description={m.operations_company_words_text()}
              actions={
                <>
                  <Button onClick={() => setEditing('mails')}>{m.operations_mails_open()}</Button>
                  <Button onClick={() => setEditing('words')}>{m.operations_company_words_edit()}</Button>
                </>
              }
            >
              <Facts
                facts={locales.map((locale) => ({
                  name: closingTexts[locale](),
                  value: data.words[`closing_${locale}`] || '–',
                }))}
              />
            </Card>
            <CompanyHistory seller={data} />
            {editing === 'company' ? <EditCompany company={data.company} onClose={close} /> : null}
            {editing === 'logo' ? <EditLogo logo={data.logo} onClose={close} /> : null}
            {editing === 'words' ? <EditWords seller={data} onClose={close} /> : null}
            {editing === 'mails' ? <MailTexts onClose={close} /> : null}
            {editing === 'bank' ? <EditBank bank={data.bank} onClose={close} /> : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The data of the seller; what an example says until there is one is marked. */
function CompanyFacts({ company, example }: Pick<Seller, 'company' | 'example'>) {
  const locale = useLocale()
  const country = regionName(company.country, locale)
  const shown = { ...company, country }
  const examples: Readonly<Record<string, string>> = example ?? {}
  return (
    <Facts
      facts={companyFieldNames.map((name) => ({
        name: companyFields[name].label(),
        value: shown[name] || <Example text={examples[name]} />,
      }))}
    />
  )
}

const Example = ({ text }: { text: string | undefined }) =>
  text ? (
    <>
      <span>{text}</span> <Badge>{m.operations_company_example()}</Badge>
    </>
  ) : (
    '–'
  )

const bankFacts = ({ holder, iban, bic }: Seller['bank']) => [
  { name: m.operations_company_holder(), value: holder || '–' },
  { name: m.operations_company_iban(), value: iban.replaceAll(/(.{4})(?=.)/g, '$1 ') || '–' },
  { name: m.operations_company_bic(), value: bic || '–' },
]
