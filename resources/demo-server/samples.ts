// The invoices that a new demo folder begins with. Made up, as are the vendors. Most are text, some are JSON, as in
// any real folder; names are uneven on purpose, so that there is something to tidy.
import type { Invoice } from './invoice.ts'

export const sampleInvoices: readonly Invoice[] = [
  { file: 'scan-0411.txt', number: '0411', vendor: 'Holm & Aster Print', date: '2026-09-04', amount: 412, currency: 'EUR' },
  { file: 'invoice-0412.json', number: '0412', vendor: 'Kestrel Hosting', date: '2026-09-12', amount: 89.9, currency: 'EUR' },
  { file: 'IMG_0413.txt', number: '0413', vendor: 'Maru Coffee', date: '2026-09-18', amount: 64.2, currency: 'EUR' },
  { file: 'invoice-0414.txt', number: '0414', vendor: 'Café Lindgren', date: '2026-09-23', amount: 36.5, currency: 'EUR' },
  { file: 'invoice-0415.json', number: '0415', vendor: 'Aldersea Freight', date: '2026-09-25', amount: 318.75, currency: 'EUR' },
  { file: 'ibsen 0416.txt', number: '0416', vendor: 'Ibsen Legal', date: '2026-09-28', amount: 1200, currency: 'EUR' },
  { file: 'invoice-0417.txt', number: '0417', vendor: 'Holm & Aster Print', date: '2026-10-02', amount: 187.4, currency: 'EUR' },
  { file: 'invoice-0418.txt', number: '0418', vendor: 'Bright Harbour Studio', date: '2026-10-07', amount: 950, currency: 'EUR' },
  { file: 'invoice-0419.json', number: '0419', vendor: 'Kestrel Hosting', date: '2026-10-12', amount: 89.9, currency: 'EUR' },
  { file: 'scan-0420.txt', number: '0420', vendor: 'Dovetail Joinery', date: '2026-10-19', amount: 540, currency: 'EUR' },
  { file: 'invoice-0421.txt', number: '0421', vendor: 'Café Lindgren', date: '2026-10-27', amount: 41.3, currency: 'EUR' },
]
