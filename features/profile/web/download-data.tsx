import { downloadData } from '#features/profile/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'

/** The card that downloads all data stored about the customer. It asks for a recent proof of identity first (rule 20). */
export function DownloadData() {
  const { withProof, dialog } = useReauthentication()
  const fetchData = useAct(async () => {
    const answer = await withProof(() => download(downloadData, {}, 'my-data.zip'))
    const [error] = answer?.errors ?? []
    if (error) toastError(() => errorText(error), answer)
  })
  return (
    <>
      <Card
        title={m.profile_data()}
        description={m.profile_data_text()}
        end={
          <Button pending={fetchData.pending} onClick={fetchData.run}>
            {m.profile_data_button()}
          </Button>
        }
      />
      {dialog}
    </>
  )
}
