import type { VatKind } from '#features/invoices/rules.ts'

/**
 * The years for which invoices and credit notes are kept whole, from the end of the year of issue, by the seller's country (rule 54). As known
 * in January 2026. AT: UStG 1994, section 11 (2), BAO, section 132. BE: WBTW, article 60, as of 2023. CH: OR, article 958f. DE: UStG,
 * section 14b, and AO, section 147 (3), as of 2025 (Bürokratieentlastungsgesetz IV). ES: Código de Comercio, article 30. FR: Code de
 * commerce, article L123-22. IT: Codice civile, article 2220. LU: Code de commerce, article 16. NL: AWR, article 52.
 */
const invoiceYears: Readonly<Record<string, number>> = {
  AT: 7,
  BE: 10,
  CH: 10,
  DE: 8,
  ES: 6,
  FR: 10,
  IT: 10,
  LU: 10,
  NL: 7,
}

// No state in the table wants more; a document that is kept too long can be erased later, one that is erased cannot come back.
const OTHERWISE = 10

// Records of the one-stop shop: VAT directive 2006/112/EC, articles 369 and 369k, in each state.
const OF_ONE_STOP_SHOP = 10

/** Returns the years for which a document with this kind of VAT is kept. */
export const keptYears = (country: string, vat_kind: VatKind): number =>
  Math.max(invoiceYears[country] ?? OTHERWISE, vat_kind === 'oss' ? OF_ONE_STOP_SHOP : 0)
