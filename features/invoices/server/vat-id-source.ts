/** An answer about a VAT id. Anything but a clear yes or no is `unverified`: an authority that is away makes nobody a consumer or a business. */
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
  /** Asks about a plain VAT id. `requester` is our own, or ''. Never throws: no answer is an answer. */
  check: (vat_id: string, requester: string) => Promise<VatIdAnswer>
}

export const unverified = (raw: VatIdAnswer['raw']): VatIdAnswer => ({
  verdict: 'unverified',
  consultation_number: '',
  name: '',
  address: '',
  raw,
})

/** The source that asks nobody: an id becomes valid only by staff. */
export const off: VatIdSource = { name: 'off', check: async () => unverified({}) }

/** Answers of the demo and of tests, without a network; about other VAT ids there is none. */
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
