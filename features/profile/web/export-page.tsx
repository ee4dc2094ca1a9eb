import { downloadExport } from '#features/profile/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { MailLinkPage } from '#foundation/web/ui/mail-link-page.tsx'
import { m } from '#texts/messages.js'

/** The page that the mail with a customer's data leads to, also for a customer who cannot sign in. */
export function ExportPage() {
  const key = useQueryValue('key') ?? ''
  useTitle(m.profile_export_title())
  const form = useForm(async () => {
    const answer = await download(downloadExport, { body: { key } }, 'my-data.zip')
    return answer.status === 200 ? undefined : answer
  })
  return (
    <MailLinkPage title={m.profile_export_title()} text={m.profile_export_text()}>
      <Form form={form} label={m.profile_export_title()}>
        <SubmitButton wide>{m.profile_export_button()}</SubmitButton>
      </Form>
    </MailLinkPage>
  )
}
