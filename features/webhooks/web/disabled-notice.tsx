import { paths } from '#features/paths.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** The notice above every page of an account that the product has disabled a webhook. */
export const DisabledNotice = () => (
  <div className="mx-auto mb-6 w-full max-w-[70rem]">
    <Alert tone="warning">
      <p className="font-medium">{m.webhooks_notice()}</p>
      <p>{m.webhooks_notice_text()}</p>
      <p className="mt-1">
        <TextLink to={paths.api()}>{m.webhooks_notice_open()}</TextLink>
      </p>
    </Alert>
  </div>
)
