/**
 * The sentences by which the product tells people that staff or the product itself do something, by the key of the text. `staff` are the calls
 * of staff that do it: a sentence without one promises what no hand can do. `itself` is the job, or the call of the customer, that does it.
 */
export const promisedActs: Readonly<Record<string, { staff: readonly string[] } | { itself: string }>> = {
  // The account and how it is signed in to.
  error_account_inactive: { staff: ['setBlock'] },
  error_account_blocked: { staff: ['setBlock'] },
  customers_mail_blocked_still: { staff: ['setBlock'] },
  customers_mail_write: { staff: ['setBlock'] },
  customers_mail_locked_reach: { staff: ['setBlock'] },
  customers_mail_locked_ask: { staff: ['setBlock'] },
  profile_blocked_contact: { staff: ['setBlock'] },
  customers_mail_signed_out_text: { staff: ['signOutCustomer'] },
  customers_mail_confirmed_text: { staff: ['confirmAddress'] },
  customers_mail_not_asked: { staff: ['cancelFactorReset', 'setBlock'] },
  customers_mail_reset_text: { itself: 'factor_reset' },
  customers_mail_reset_soon_text: { itself: 'factor_reset' },
  security_mail_not_you: { staff: ['signOutCustomer', 'setBlock'] },
  security_activity_text: { staff: ['listCustomerActivity'] },
  mail_not_you: { staff: ['signOutCustomer', 'setBlock'] },
  profile_mail_deleted_closing: { staff: ['listAudit'] },
  profile_mail_data_closing: { staff: ['signOutCustomer', 'setBlock'] },
  profile_delete_balance: { staff: ['payOut'] },
  // Money.
  finance_mail_charge_back_debt: { staff: ['correctTransaction'] },
  finance_mail_corrected_debt: { staff: ['giveCredit', 'writeOffDebt'] },
  finance_top_up_bank_text: { staff: ['confirmTopUp'] },
  finance_waiting_cancel_text: { staff: ['confirmTopUp'] },
  finance_top_up_cancelled_text: { staff: ['confirmTopUp'] },
  finance_mail_transfer_text: { staff: ['confirmTopUp'] },
  finance_mail_transfer_expired_text: { staff: ['confirmTopUp'] },
  finance_mail_transfer_rejected_text: { staff: ['confirmTopUp'] },
  invoices_vat_waiting: { staff: ['checkCustomerVatId', 'overrideVat'] },
  invoices_vat_consumer: { staff: ['overrideVat'] },
  error_not_withdrawable: { staff: ['refundTransaction'] },
  licences_mail_withdrawal_refund: { staff: ['refundTransaction'] },
  licences_mail_debt_wrong: { staff: ['correctTransaction', 'resumeHost'] },
  // Servers and their licences.
  error_ipv4_change_limit: { staff: ['changeHostAddresses', 'resetAddressChanges'] },
  hosts_ipv4_rule: { staff: ['changeHostAddresses', 'resetAddressChanges'] },
  hosts_mail_given_kept: { staff: ['suspendHost'] },
  licences_machines_none_left: { staff: ['resetReleases'] },
  licences_suspended_other: { staff: ['resumeHost'] },
  licences_suspended_contact: { staff: ['resumeHost'] },
  licences_mail_suspended_pay: { staff: ['resumeHost'] },
  licences_mail_suspended_write: { staff: ['resumeHost'] },
  licences_mail_ended_why: { staff: ['giveCredit'] },
  licences_mail_why_blocked: { staff: ['setBlock'] },
  licences_mail_renews_text: { itself: 'look_at_licence' },
  licences_mail_renews_payer: { itself: 'look_at_licence' },
  licences_mail_renews_other: { itself: 'look_at_licence' },
  licences_mail_trial_renews_text: { itself: 'look_at_licence' },
  licences_auto_renew_hint: { itself: 'look_at_licence' },
  licences_mail_tries: { itself: 'renew_now' },
  licences_mail_why_suspended: { itself: 'renew_now' },
  licences_mail_debt_suspends: { itself: 'debt_step' },
  licences_mail_debt_lifts: { itself: 'publish_suspensions' },
  licences_debt_message: { itself: 'publish_suspensions' },
  // Tickets and files.
  error_quota_exceeded: { staff: ['changeStorage'] },
  tickets_empty_text: { staff: ['listStaffTickets'] },
  tickets_mail_closing_text: { itself: 'close_silent_ticket' },
  // Mails and codes that the product sends and asks for.
  auth_forgotten_text: { itself: 'requestReset' },
  finance_top_up_pending_text: { itself: 'takePaymentEvent' },
  profile_email_add_hint: { itself: 'addAddress' },
  profile_mail_primary_text: { itself: 'makePrimary' },
  security_totp_text: { itself: 'activateTotp' },
  security_totp_off_text: { itself: 'deactivateTotp' },
}

/** Texts with the same words that promise nothing: a label, for example. */
export const SAY_NOTHING: readonly string[] = ['ui_contact']
