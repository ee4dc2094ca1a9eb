/** An answer about a VAT id. Anything but a clear yes or no is `unverified`: an unavailable authority decides nothing about a customer. */
export type VatIdAnswer = {
  verdict: 'valid' | 'invalid' | 'unverified'
  /** The number under which the authority finds the question again, or ''. */
  consultation_number: string
  /** The owner of the VAT id, as far as the authority says. */
  name: string
  address: string
  /** The answer as it came, or the error: to be read by people only. */
  raw: Readonly<Record<string, string | number>>
}

export type VatIdSource = {
  name: 'vies' | 'recorded' | 'off'
  /** Asks about a VAT id without blanks or hyphens. `requester` is the operator's own, or ''. Never throws: no answer is `unverified`. */
  check: (vat_id: string, requester: string) => Promise<VatIdAnswer>
}

export const unverified = (raw: VatIdAnswer['raw']): VatIdAnswer => ({
  verdict: 'unverified',
  consultation_number: '',
  name: '',
  address: '',
  raw,
})

/** The source that asks nobody: a VAT id then counts only by a decision of staff. */
export const off: VatIdSource = { name: 'off', check: async () => unverified({}) }

/** The source with recorded answers, for the demo and for tests. Any other VAT id is `unverified`, as if VIES were unavailable. */
export const recorded: VatIdSource = {
  name: 'recorded',
  check: async (vat_id) => recordings[vat_id] ?? unverified({ error: 'MS_UNAVAILABLE' }),
}

const answered = { raw: {}, consultation_number: '', name: '', address: '' } as const
const recordings: Readonly<Record<string, VatIdAnswer>> = {
  LV40203517702: {
    ...answered,
    verdict: 'valid',
    consultation_number: 'RECORDED-1',
    name: 'SIA Daugavas serveri',
    address: 'Rīga',
  },
  FR00999000111: {
    ...answered,
    verdict: 'valid',
    consultation_number: 'RECORDED-2',
    name: 'ATELIER MOREAU SARL',
    address: 'Lyon',
  },
  LV40000000000: { ...answered, verdict: 'invalid' },
}
