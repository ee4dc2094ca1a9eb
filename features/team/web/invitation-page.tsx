import { roleText } from '#features/team/texts.ts'
import { useQuery } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { firstPagePaths, paths } from '#features/paths.ts'
import { getProfile } from '#features/profile/contract.ts'
import { firstPages, type FirstPage } from '#features/profile/rules.ts'
import { firstPageTexts } from '#features/profile/texts.ts'
import { SetUpTotp } from '#features/security/web/security.ts'
import { acceptInvitation, getStaffMe, inspectInvitation } from '#features/team/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { ButtonLink, useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { operator } from '#foundation/web/operator.ts'
import { useTitle } from '#foundation/web/title.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { roleTexts } from './role-texts.ts'

type Invitation = NonNullable<ReturnType<typeof useInvitation>['data']>

const useInvitation = (key: string) =>
  useQuery({
    ...queryFor(inspectInvitation, { headers: { 'x-invitation-key': key } }),
    retry: false,
    enabled: key !== '',
  })

/** An invitation to the staff: which roles it gives, and by whom. A link of a mail leads here, after the sign-in. */
export function InvitationPage() {
  const key = useQueryValue('key') ?? ''
  const { data, error } = useInvitation(key)
  useTitle(m.team_join_title())
  return (
    <Page title={m.team_join_title()}>
      {key === '' ? (
        <Card title={m.team_join_failed()} description={m.team_join_no_key()} />
      ) : (
        <Loaded query={{ data, error }} failed={m.team_join_failed()}>
          {(invitation) => <Accept invitation={invitation} invitationKey={key} />}
        </Loaded>
      )}
      {data === undefined && error ? <p className="text-sm text-muted">{m.team_join_ask()}</p> : null}
    </Page>
  )
}

function Accept({ invitation, invitationKey }: { invitation: Invitation; invitationKey: string }) {
  const { email, invited_by: name, roles, two_factor } = invitation
  const go = useGo()
  const app = useLazyDialog(SetUpTotp)
  const [first_page, setFirstPage] = useState<FirstPage>('today')
  const form = useForm(async () => {
    const answer = await call(acceptInvitation, { body: { key: invitationKey, first_page } })
    if (answer.status !== 200) return answer
    // The pages for staff depend on both answers, and would refuse access by the old ones.
    for (const route of [getProfile, getStaffMe]) refreshQueries(route)
    await queryClient.query(queryFor(getProfile)).catch(() => {})
    toastSuccess(m.team_join_accepted)
    void go(firstPagePaths[first_page], { replace: true })
    return undefined
  })
  const { name: operatorName } = operator
  return (
    <Card>
      <Form form={form}>
        <p>
          {name === null
            ? m.team_join_text_command({ email, operator: operatorName })
            : m.team_join_text({ name, email, operator: operatorName })}
        </p>
        <ul aria-label={m.team_roles()} className="flex flex-col gap-2 text-sm">
          {roles.map((role) => (
            <li key={role}>
              <span className="font-medium">{roleText(role)}</span>
              <span className="block text-muted">{roleTexts[role]()}</span>
            </li>
          ))}
        </ul>
        {two_factor === 'missing' ? (
          <Alert tone="warning">{m.team_join_two_factor()}</Alert>
        ) : (
          <Segments
            name="first_page"
            label={m.profile_first_page()}
            options={firstPages.map((value) => ({ value, text: firstPageTexts[value]() }))}
            chosen={first_page}
            onChoose={setFirstPage}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {two_factor === 'missing' ? (
            <>
              <Button look="primary" {...app.opener}>
                {m.team_join_app()}
              </Button>
              <ButtonLink to={paths.security()}>{m.team_two_factor_set_up()}</ButtonLink>
            </>
          ) : (
            <SubmitButton icon={<UserPlus size={16} aria-hidden="true" />}>
              {m.team_join_accept()}
            </SubmitButton>
          )}
          <ButtonLink to={paths.hosts()}>{m.team_join_later()}</ButtonLink>
        </div>
      </Form>
      {/* The page stays: its link is in a mail, and nothing on other pages leads back to it. */}
      {app.open ? (
        <SetUpTotp
          {...app.dialog}
          onClose={() => {
            app.dialog.onClose()
            refreshQueries(inspectInvitation)
          }}
        />
      ) : null}
    </Card>
  )
}
